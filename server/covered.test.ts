import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Every action and every storage file has a test beside it, or an entry in this table: the name of a test that fails
// when the file is broken. The test is located by its name.

const server = fileURLToPath(new URL('.', import.meta.url))
const read = (file: string): string => readFileSync(join(server, file), 'utf8')

const files = globSync(['actions/*.ts', 'storage/**/*.ts', 'admin/queries/**/*.ts'], { cwd: server }).filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file),
)
const tests = globSync('**/*.test.ts', { cwd: server }).filter((file) => basename(file) !== 'covered.test.ts')

const SHOWN_BY: Readonly<Record<string, string>> = {
  'actions/accept-transaction.ts': 'the customer pays the charge on top: the merchant is credited the whole amount',
  'actions/apply-reports.ts': 'a late COMPLETED that the wallet cannot cover waits in a state of its own',
  'actions/poll-rail.ts': 'after a day without a result it fails only because the rail confirms no movement',
  'actions/confirm-with-operator.ts': 'three collections fail with the same receipt, and the operator confirms it',
  'actions/judge-message.ts': 'discards the ids of a denied claim; they block no true message',
  'actions/message-fits-order.ts': 'a forged failure with ids of its own does not hide the later success',
  'actions/by-rail-account.ts': 'reports a failed part after all parts end: no running part is run again',
  'actions/authorize-collection.ts': 'a wrong one is 400 Invalid OTP; the fifth fails the collection',
  'actions/customer-steps.ts': '$name, OTP: wrong, a new one, right',
  'actions/expire-pages.ts': 'a collection confirmed in time does not expire',
  'actions/hold-funds.ts': 'judges payouts again at once when the wallet empties before the commit',
  'actions/idempotency.ts': 'the same key with the same body replays the first reply',
  'actions/initialize-collection.ts': 'a refusal by the limit frees its reference and its key',
  'actions/list-payment-providers.ts': 'lists a provider without a rail as one that accepts no transactions now',
  'actions/list-payout-banks.ts': 'the banks of a provider that has them',
  'actions/list-wallet-balances.ts': 'a currency narrows the wallets',
  'actions/payment-steps.ts': 'confirming, cancelling and expiring at the same moment: one of them happens',
  'actions/rail-references.ts': "keeps both sides' ids and the exchange with the operator, without secrets",
  'actions/reconcile.ts': 'the statement ends a prompt whose reply and callback were lost, charged once',
  'actions/redirect-customer.ts': 'the shop notices one changed character in what is signed or in a signature',
  'actions/release-credit.ts': 'credit becomes available on time, to the last shilling, with balanced books',
  'actions/resolve-transaction.ts': 'resolves a stuck payment once, either way, with its money and its callback',
  'actions/send-funds.ts': 'no URL configured: 400 at acceptance',
  'actions/verify-payout.ts': 'a hanging server gets five seconds; a recovered one lets the payout go on',
  'actions/verify-transaction.ts': "another merchant's reference gives the same 404",
  'actions/view-payment.ts': 'a third party learns nothing: unknown references, API keys, account numbers',

  'storage/accept-transactions.ts': 'accepts the first fitting request of a new reference; later ones are duplicates',
  'storage/optimizer-fence.ts': 'while PostgreSQL believes %s, it finds jobs by their subject',
  'storage/bounded-locks.ts': 'for too long is reported with its holder, and nothing is kept',
  'storage/callbacks.ts': 'stores the attempts of many callbacks together, each with its own end',
  'storage/record-deliveries.ts': 'an acknowledged or stopped callback has ended, and its job is done',
  'storage/delivery-locks.ts': 'an attempt under way decides nothing once the callback is resent',
  'storage/digests.ts': "digests stay that version's; a new database has one key for concurrent starts",
  'storage/handshakes.ts': 'numbers requests to a verification URL from 1, per payout',
  'storage/idempotency.ts': 'keeps the first outcome of a key, reports it to the second, frees an old key',
  'storage/ledger.ts': 'a commit that takes a wallet below zero fails and keeps nothing',
  'storage/limits.ts': 'holds the daily limit under concurrency, per provider and type',
  'storage/merchant-logos.ts': 'sets, shows, serves and removes what customers see of a merchant',
  'storage/merchant-records.ts': 'keys are listed newest first, without ended ones',
  'storage/merchant-row.ts': 'changes a merchant with its options, and lists it under its new name',
  'storage/newer-database.ts': 'is refused by this version where it is a %s',
  'storage/older-processes.ts': 'that needs a stop waits for a killed process until it counts as gone',
  'storage/payer-references.ts': 'eight batches that want the same hundred references share them out',
  'storage/owned-months.ts': 'exist before they are needed: this one and the next six',
  'admin/queries/doctor/rights.ts': 'the doctor warns of a serving owner, and finds excess rights',
  'admin/queries/doctor/warnings.ts': 'the doctor warns of a serving owner, and finds excess rights',
  'admin/queries/drift.ts': 'shows where replies differ from the contract, without failing',
  'storage/free-space.ts': 'writes a temporary file to see whether the disk has space',
  'storage/joined-transaction.ts': 'commits the change and its entry together',
  'storage/primary-soon.ts': 'a start that may not wait ends at once',
  'admin/queries/staff-actions.ts': 'lists entries page after page, of one subject too',
  'storage/open-client.ts': 'finds and remembers the writable host of several, even behind a hanging one',
  'storage/option-row.ts': 'providers are listed by currency and type, amounts in major units',
  'storage/payment-sessions.ts': "saves a session with and without its OTP; its page's end stays the same",
  'storage/processes.ts': 'rows of killed processes are deleted after a day',
  'storage/rail-references.ts': 'the latest order of one name counts; an order is as old as its latest id',
  'storage/reference-snapshot.ts': 'a start with another master key ends with its name, and changes nothing',
  'storage/sealed-places.ts': 'does not open as a webhook secret in the row of a signing key',
  'storage/store.ts': 'joint requests share a commit in order; a failing one fails alone',
  'storage/transaction-row.ts': 'saves and clears the time of the end and of what the rail paid',
  'storage/transfer-ids.ts': 'of a transfer without a transaction contains its own time',
  'storage/transactions.ts': 'locks transactions in id order, each once, and skips unknown ones',
  'admin/queries/callback-health.ts': 'a URL fails after 5 days without success, until one succeeds or it changes',
  'admin/queries/callbacks.ts': 'resends callbacks by transaction, and by time, status and merchant',
  'admin/queries/figures.ts': 'shows due jobs and their age by kind; later or claimed jobs do not count',
  'admin/queries/migration-plan.ts': 'plans locks, their strength, reads and sizes of migrations and does nothing',
  'admin/queries/ledger-marks.ts': 'an entry with a lower id than others that commits %s',
  'admin/queries/key-rotation.ts': 'a rotated secret key works in a second; the old one ends; at most two are valid',
  'admin/queries/rail-account-changes.ts': 'connects an operator behind a VPN by its setting and shows who set it',
  'admin/queries/rail-account-figures.ts': 'shows what waits at each rail account, and nothing of a removed one',
  'admin/queries/provider-settings.ts': 'changes a payment option in amounts of its currency, never inconsistently',
  'admin/queries/providers.ts': 'a customer approves on the phone: MTN reports, is polled, and money arrives',
  'admin/queries/rail-accounts.ts': 'a removed one is never read, has no secrets left and its name stays taken',
  'admin/queries/timeline.ts': "a collection's events cover its whole course; its entries sum to zero",
  'admin/queries/transactions.ts': 'transactions are listed newest first, by merchant, status, time and number',
  'admin/queries/wallets.ts': 'of two transfers at once that together exceed the wallet, exactly one is booked',
  'storage/rail-balances.ts': "compares an operator's balance with the ledger from the first poll on",
  'admin/queries/statements/bounds.ts': 'the database finds what the rules find, whatever the statement says',
  'admin/queries/statements/end-exception.ts':
    'an exception ended by staff stays ended, with its money where they sent it',
  'admin/queries/statements/exceptions.ts':
    'a late arrival after write-off reverses its booking as a separate difference',
  'admin/queries/statements/import.ts': 'repeating the file changes nothing, and the books are sound',
  'admin/queries/statements/known-lines.ts': 'books a line of overlapping files once: %s',
  'admin/queries/statements/staging.ts': 'books a line of overlapping files once: %s',
  'admin/queries/statements/store-lines.ts': 'books a line of overlapping files once: %s',
  'admin/queries/statements/matching.ts': "finds an order by its receipt and by the operator's replacement of its id",
  'admin/queries/statements/statements.ts': 'reports an open or failed order once, with the line that has its money',
  'admin/queries/statements/subjects.ts': 'the database finds what the rules find, whatever the statement says',
  'admin/queries/withdraw-rsa-key.ts':
    'a withdrawn key never signs again, as its private half is gone for later starts',
  'admin/queries/archive/archived-tables.ts':
    'archives what is over; books, doctor and ledger check stay correct across it',
  'admin/queries/archive/month-files.ts': 'resumes after the files were written, unless the files changed',
  'admin/queries/archive/read-archive.ts':
    'archives what is over; books, doctor and ledger check stay correct across it',
  'admin/queries/doctor/books.ts': 'in %s the doctor finds',
  'admin/queries/doctor/callbacks.ts': 'in %s the doctor finds',
  'admin/queries/doctor/check.ts': 'in %s the doctor finds',
  'admin/queries/doctor/mode.ts': 'finds what a sandbox process left in a live database',
  'admin/queries/doctor/rails.ts': 'the doctor reports it after an hour, until it is explained',
  'admin/queries/doctor/months.ts': 'are reported by the doctor when they are missing',
  'admin/queries/doctor/payments.ts': 'in %s the doctor finds',
  'admin/queries/doctor/waiting.ts': 'quarantines one poison job of many %s with growing delays; the others run',
  'admin/queries/doctor/jobs.ts': 'in %s the doctor finds',
  'storage/transfer-causes.ts': 'lets one entry of a person be the cause of one deposit',
  'storage/transfer-digests.ts': 'finds %s after the triggers are on again',
  'admin/queries/doctor/causes.ts': 'finds a balanced deposit that no person has made',
  'admin/queries/doctor/chain.ts': 'finds a transfer that was kept out of the chain',
  'admin/queries/archive/archived-chain.ts':
    'archives what is over; books, doctor and ledger check stay correct across it',
}

const hasTestBeside = (file: string): boolean => existsSync(join(server, file.replace(/\.ts$/, '.test.ts')))

test('every action and every file of the storage has a test beside it or in the table', () => {
  expect(files.filter((file) => !hasTestBeside(file) && !(file in SHOWN_BY))).toEqual([])
})

test('the table names files that are there, each once and without a test beside it', () => {
  expect(Object.keys(SHOWN_BY).filter((file) => !files.includes(file) || hasTestBeside(file))).toEqual([])
})

test('every rule of the table is the name of one test', () => {
  const texts = tests.map(read)
  const lost = Object.values(SHOWN_BY).filter(
    (rule) => texts.filter((text) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${rule}`))).length !== 1,
  )
  expect(lost).toEqual([])
})

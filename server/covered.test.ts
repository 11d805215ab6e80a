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
  'actions/apply-reports.ts': 'a late COMPLETED that the wallet no longer covers is a state of its own',
  'actions/poll-rail.ts': 'after a day without a result it fails only because the rail confirms that nothing moved',
  'actions/confirm-with-operator.ts': 'three collections fail with the same receipt, and the operator confirms it',
  'actions/message-fits-order.ts': 'a forged failure with ids of its own does not hide the later success',
  'actions/by-rail-account.ts':
    'a part that fails is told when all parts have ended: nobody runs again what is under way',
  'actions/authorize-collection.ts': 'a wrong one is 400 Invalid OTP; the fifth fails the collection',
  'actions/customer-steps.ts': '$name, one-time password: wrong, a new one, right',
  'actions/expire-pages.ts': 'what was confirmed in time does not expire',
  'actions/find-option.ts': 'what keeps a provider from every payment is told first',
  'actions/hold-funds.ts': 'payouts whose wallet is emptied between the look and the commit are judged again at once',
  'actions/idempotency.ts': 'the same key with the same body replays the first reply',
  'actions/initialize-collection.ts': 'what the limit refuses leaves its reference and its key free',
  'actions/list-payment-providers.ts': 'a provider without a rail is listed as one that takes no transactions now',
  'actions/list-payout-banks.ts': 'the banks of a provider that has them',
  'actions/list-wallet-balances.ts': 'a currency narrows the wallets',
  'actions/payment-steps.ts': 'confirming, cancelling and expiring at the same moment: one of them happens',
  'actions/rail-references.ts': "both sides' names of an order are kept, and what was said with the operator, without",
  'actions/reconcile.ts':
    'a prompt whose answer and callback are lost ends by the statement, with its receipt, and is charged once',
  'actions/redirect-customer.ts': 'one changed character in what is signed, or in a signature, is noticed by the shop',
  'actions/release-credit.ts':
    'credit becomes available on time, to the last shilling, and the books balance all along',
  'actions/resolve-transaction.ts': 'what hangs is resolved once, either way, with its money and its callback',
  'actions/send-funds.ts': 'no URL configured: 400 at acceptance',
  'actions/verify-payout.ts': 'one that hangs is given five seconds, and one that recovers lets the payout go on',
  'actions/verify-transaction.ts': "another merchant's reference gives the same 404",
  'actions/view-payment.ts': 'a stranger learns nothing: unknown references, the API keys and numbers stay inside',

  'storage/accept-transactions.ts': 'of several with one new reference in one batch the first that fits its limit',
  'storage/account-usage.ts': 'an account number has room for so many of a kind, however many come at once',
  'storage/optimizer-fence.ts': 'while PostgreSQL believes %s, work is found by its subject',
  'storage/bounded-locks.ts': 'for too long is told with who holds it, and nothing was kept',
  'storage/bounded-pool.ts':
    'when the primary hangs and the standby is promoted, pool and listener go there, and nobody waits for the former',
  'storage/callbacks.ts': 'the attempts of many callbacks are stored together, each with its own end',
  'storage/record-deliveries.ts': 'acknowledged or stopped it has ended, and its work is done',
  'storage/delivery-locks.ts':
    'sent again while an attempt is under way, that attempt decides nothing, whatever it comes to',
  'storage/digests.ts': 'digests stay those of that version; a new database has a key of its own',
  'storage/handshakes.ts': 'questions to a verification URL are numbered from 1, per payout',
  'storage/idempotency.ts': 'the first outcome of a key is kept, and who comes second is told so',
  'storage/ledger.ts': 'a wallet never falls below zero: the commit fails, and nothing of the unit is kept',
  'storage/limits.ts': 'the daily limit holds however many come at once, and each provider and type has one of its own',
  'storage/merchant-logos.ts': 'what customers see of a merchant is set, shown, served with its page, and taken away',
  'storage/merchant-records.ts': 'keys come the newest first, and those that have ended not at all',
  'storage/merchant-row.ts': 'a merchant is changed, its options with it, and listed under its new name',
  'storage/newer-database.ts': 'is refused by this version where it is a %s',
  'storage/older-processes.ts': 'that needs a stop waits for one that was killed until it counts as gone',
  'storage/payer-references.ts': 'eight batches that want the same hundred references share them out',
  'storage/owned-months.ts': 'are there before they are needed: this one and the next six',
  'admin/queries/doctor/rights.ts': 'the doctor warns of an owner that serves, and finds rights that are too many',
  'admin/queries/doctor/warnings.ts': 'the doctor warns of an owner that serves, and finds rights that are too many',
  'admin/queries/drift.ts': 'shows where answers differ from the contract, and fails for none of it',
  'storage/free-space.ts': 'writes a temporary file to see whether the disk has space',
  'storage/joined-transaction.ts': 'commits the change and its entry together',
  'storage/primary-soon.ts': 'a start that may not wait ends at once',
  'admin/queries/staff-actions.ts': 'lists entries page after page, of one subject too',
  'storage/open-client.ts':
    'of several hosts the one that takes writes is found, also behind one that hangs, and remembered',
  'storage/option-row.ts': 'providers are listed by currency and type, amounts in major units',
  'storage/payment-sessions.ts':
    'a session is saved with its password and without; the end of its page stays what it was',
  'storage/processes.ts': 'the rows of processes that were killed are cleared away after a day',
  'storage/rail-references.ts': 'of several under one name the latest counts, and an order is as old as its latest id',
  'storage/reference-snapshot.ts': 'with another master key the start ends with its name, and changes nothing',
  'storage/sealed-places.ts': 'a webhook secret copied into the row of a signing key does not',
  'storage/store.ts': 'what is asked for together shares a commit, in its order; one that fails is told so alone',
  'storage/transaction-row.ts': 'the time of the end and of what the rail paid are saved and cleared',
  'storage/transfer-ids.ts': 'transfers of no transaction have ids of their own time',
  'storage/transactions.ts':
    'transactions are locked in the order of their ids, each once, and unknown ones are left out',
  'admin/queries/callback-health.ts': 'a URL that acknowledged nothing for 5 days is failing',
  'admin/queries/callbacks.ts': 'callbacks are sent again by transaction, and by time, status and merchant',
  'admin/queries/figures.ts': 'a scrape shows work that is due and its age by kind',
  'admin/queries/migration-plan.ts':
    'of what is to come it says what is locked, how strongly, what is read and how large that is; nothing is done',
  'admin/queries/ledger-marks.ts': 'an entry with a lower id than others that commits %s',
  'admin/queries/key-rotation.ts': 'a rotated secret key works within a second, the old one for the time it is kept',
  'admin/queries/rail-account-changes.ts':
    'an operator behind a VPN is connected by its own setting, which is shown with who has given it',
  'admin/queries/rail-account-figures.ts':
    'a scrape shows for each rail account what waits there, and nothing of one that is gone',
  'admin/queries/provider-settings.ts': 'a payment option is changed, for amounts of its currency only',
  'admin/queries/providers.ts':
    'a customer approves on the phone: the operator reports by itself, is asked, and the merchant has the money',
  'admin/queries/rail-accounts.ts': 'a removed one is not read any more, has no secrets left, and gives its name',
  'admin/queries/timeline.ts':
    'the events of a collection tell its life from acceptance to its money, and its entries sum to zero',
  'admin/queries/transactions.ts': 'transactions are listed newest first, by merchant, status, time and number',
  'admin/queries/wallets.ts': 'of two transfers at once that together exceed the wallet, exactly one is booked',
  'storage/rail-balances.ts': "an operator's balance is held against the book, from the first look on",
  'admin/queries/statements/bounds.ts': 'whatever the statement says, the database finds what the rules find',
  'admin/queries/statements/end-exception.ts':
    'what an operator has ended stays ended, and its money goes where they let it go',
  'admin/queries/statements/exceptions.ts':
    'what was given up and comes after all takes back what was booked for it, as a difference of its own',
  'admin/queries/statements/import.ts': 'the same file again changes nothing, and the books are sound',
  'admin/queries/statements/known-lines.ts': 'books a line of files that overlap once',
  'admin/queries/statements/staging.ts': 'books a line of files that overlap once',
  'admin/queries/statements/store-lines.ts': 'books a line of files that overlap once',
  'admin/queries/statements/matching.ts':
    'an order is found by its receipt, and by what the operator got in the place of its id',
  'admin/queries/statements/statements.ts':
    'an order that hangs, and what failed here, are told once of the line that has their money',
  'admin/queries/statements/subjects.ts': 'whatever the statement says, the database finds what the rules find',
  'admin/queries/withdraw-rsa-key.ts': 'a withdrawn key never signs again: its private half is gone',
  'admin/queries/archive/archived-tables.ts':
    'what is over goes into files, and the books, the doctor and the ledger check are right across it',
  'admin/queries/archive/month-files.ts':
    'what was stopped after the files were written goes on from them, unless they are not what they were',
  'admin/queries/archive/read-archive.ts':
    'what is over goes into files, and the books, the doctor and the ledger check are right across it',
  'admin/queries/doctor/books.ts': 'in %s the doctor finds',
  'admin/queries/doctor/callbacks.ts': 'in %s the doctor finds',
  'admin/queries/doctor/check.ts': 'in %s the doctor finds',
  'admin/queries/doctor/mode.ts': 'finds what a sandbox process left in a live database',
  'admin/queries/doctor/rails.ts': 'after an hour the doctor says it too, and no longer once it is explained',
  'admin/queries/doctor/months.ts': 'are missed by the doctor',
  'admin/queries/doctor/payments.ts': 'in %s the doctor finds',
  'admin/queries/doctor/waiting.ts': 'one of many %s that cannot be worked on is put aside with growing delays',
  'admin/queries/doctor/work.ts': 'in %s the doctor finds',
  'storage/transfer-causes.ts': 'lets one entry of a person be the cause of one deposit',
  'storage/transfer-digests.ts': 'finds %s after the triggers are on again',
  'admin/queries/doctor/causes.ts': 'finds a balanced deposit that no person has made',
  'admin/queries/doctor/chain.ts': 'finds a transfer that was kept out of the chain',
  'admin/queries/archive/archived-chain.ts': 'what is over goes into files, and the books',
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMalipo, type CollectionRequest, type Malipo } from '../../../client/index.ts'
import { depositTransfer } from '../../domain/ledger.ts'
import { walletTransfer } from '../../domain/wallet-transfer.ts'
import type { Gateway } from '../../main.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway, type FixedClock } from '../../testing/gateway.ts'
import { mobileMoneyCollection, uniqueMsisdn, uniqueReference } from '../../testing/requests.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { examine, type Finding } from './doctor.ts'
import { createMerchant, newMerchantKeys } from './merchants.ts'
import { createPool, type Pool } from '../pool.ts'
import { createSecretBox } from '../secret-box.ts'
import { bookOperatorTransfer } from './wallets.ts'

// One database with every sort of payment, made by the real gateway. The doctor finds it healthy; it is broken in one
// way after another, and exactly the check that is about it speaks.

const DAY_MS = 24 * 60 * 60_000
let database: TestDatabase
let pool: Pool
let clock: FixedClock
let receiver: Receiver

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  receiver = await startReceiver()
  const gateway = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  try {
    await liveThrough(gateway)
  } finally {
    await gateway.stop()
    await receiver.close()
  }
  pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
  await pool.query(
    `${OPEN_BOOK} ${TABLES.map((table) => `create table copy_of_${table} as select * from ${table};`).join('\n')}`,
  )
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

async function liveThrough(gateway: Gateway): Promise<void> {
  const { pool, paymentSteps } = gateway
  const random = seededRandom('doctor')
  const keys = newMerchantKeys(random)
  const silent = await createMerchant(
    pool,
    createSecretBox('a master key for tests only, nothing real', random),
    { name: 'No URLs', keys, sandboxOnly: false },
    clock.now(),
  )
  await pool.query(`update merchants set collection_callback_url = $1, payout_callback_url = $1 where sandbox_only`, [
    receiver.url,
  ])
  await pool.query(
    `update payment_options set clearing_delay_seconds = 7200, reserve_bps = 1000, reserve_seconds = 864000 where provider_code = 'airtel_ug' and transaction_type = 'COLLECTION'`,
  )
  await pool.query(
    `insert into exchange_rates (from_currency, to_currency, rate, updated_at) values ('USD', 'UGX', 3800, now())`,
  )
  await gateway.refresh()
  const malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
  const other = createMalipo({ baseUrl: gateway.url, publicKey: keys.publicKey })
  const collect = (ending: string, changes: object = {}, from: Malipo = malipo) =>
    from.collections.initialize(
      mobileMoneyCollection({ msisdn: uniqueMsisdn(ending), ...changes }) as unknown as CollectionRequest,
    )
  const airtel = (ending: string) =>
    collect(ending, { provider_code: 'airtel_ug', msisdn: uniqueMsisdn(ending).replace('25677', '25675') })
  const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
  const bank = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    currency: 'NGN',
    msisdn: undefined,
    redirect_url: 'https://shop.example/done',
  }
  const payOut = (ending: string, changes: object = {}) =>
    malipo.payouts.send({
      transaction_method: 'MOBILE_MONEY',
      merchant_reference: uniqueReference(),
      currency: 'UGX',
      amount: 20_000,
      provider_code: 'mtn_ug',
      account_number: uniqueMsisdn(ending),
      customer_name: 'Amina Nakato',
      description: 'Refund of an order',
      ...changes,
    })
  const bankPayout = {
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    currency: 'NGN',
    amount: 5000,
    account_number: '0123456123',
    extra_params: { bank_code: 'access_bank_ng' },
  }
  async function pass(ms: number): Promise<void> {
    await gateway.runDue()
    clock.advance(ms)
    await gateway.runDue()
  }

  await collect('123')
  await collect('123', { charge_customer: true })
  await collect('123', { currency: 'USD', amount: 100 })
  await collect('002')
  await collect('007')
  await collect('007', { allow_final_status_change: false })
  await collect('009')
  await collect('123', {}, other)
  await collect('004', {}, other)
  await airtel('123')
  const cancelled = await collect('123', hosted)
  await paymentSteps.cancel(cancelled.internal_reference)
  const confirmed = await collect('123', hosted)
  await paymentSteps.confirm(confirmed.internal_reference)
  const atBank = await collect('123', bank)
  await paymentSteps.confirm(atBank.internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })
  await collect('123', hosted) // its page expires
  for (const ending of ['123', '002', '007']) await payOut(ending)
  await payOut('123', bankPayout)
  await bookOperatorTransfer(
    pool,
    { transfer: depositTransfer(silent, 'UGX', 1_000_000n), note: undefined, reference: undefined },
    clock.now(),
  )
  await pass(5_000)
  await bookOperatorTransfer(
    pool,
    {
      transfer: walletTransfer(1n, 'UGX', 1_000n, { from: 'collection', to: 'payout' }),
      note: undefined,
      reference: undefined,
    },
    clock.now(),
  )
  await pass(3 * 60 * 60_000) // what was to be cleared is
  await airtel('123')
  await pass(60_000)
  // On its way: with the rail, with its customer, with its merchant.
  await collect('006')
  await collect('005')
  await collect('123', hosted)
  await collect('123', bank)
  await payOut('006')
  await pass(2_000)
  await pool.query(`update merchants set verification_url = 'http://127.0.0.1:1/' where sandbox_only`)
  await gateway.refresh()
  await payOut('123')
  await pass(1_000)
}

const TABLES = [
  'accounts',
  'transfers',
  'entries',
  'transactions',
  'transaction_references',
  'limit_usage',
  'work',
  'callbacks',
  'rules_since',
]

/** What holds the book together, taken away: a fault that it stops needs no check. */
const OPEN_BOOK = `alter table entries disable trigger user; alter table transfers disable trigger user; alter table accounts drop constraint accounts_check;
  alter table transfers drop constraint transfers_kind_transaction_id_key;`

/** The rules that are broken by this; then everything is as it was. */
async function broken(breaking: string): Promise<readonly Finding[]> {
  try {
    await pool.query(breaking)
    return (await examine(pool, clock.now())).filter(({ found }) => found > 0)
  } finally {
    await pool.query(
      TABLES.map(
        (table) => `delete from ${table}; insert into ${table} overriding system value select * from copy_of_${table};`,
      ).join('\n'),
    )
  }
}

const column = async (sql: string): Promise<string[]> =>
  (await pool.query<{ text: string }>(`select distinct ${sql}`)).rows.map(({ text }) => text).sort()

test('a database with every sort of payment is healthy', async () => {
  expect(await broken('select')).toEqual([])
  const states = await column(`type || ' ' || status as text from transactions`)
  expect(states).toEqual([
    'COLLECTION CANCELLED',
    'COLLECTION COMPLETED',
    'COLLECTION FAILED',
    'COLLECTION PENDING',
    'COLLECTION PROCESSING',
    'PAYOUT COMPLETED',
    'PAYOUT FAILED',
    'PAYOUT PENDING',
    'PAYOUT PROCESSING',
  ])
  const kinds = await column('kind as text from transfers')
  expect(kinds).toEqual([
    'clearing',
    'collection',
    'deposit',
    'payout',
    'payout_hold',
    'payout_late',
    'payout_release',
    'wallet_transfer',
  ])
})

const REBALANCE =
  'update accounts a set balance_minor = coalesce((select sum(amount_minor) from entries where account_id = a.id), 0)'
const account = (kind: string, merchantId = 0, provider = ''): string =>
  `(select id from accounts where kind = '${kind}' and currency = 'UGX' and merchant_id = ${merchantId} and provider_code = '${provider}')`
const SILENT = `(select id from merchants where name = 'No URLs')`
const silentAccount = (kind: string): string =>
  `(select id from accounts where kind = '${kind}' and currency = 'UGX' and merchant_id = ${SILENT})`
/** A balanced transfer that nothing explains. */
const transfer = (kind: string, transactionId: string, from: string, to: string): string => `
  insert into transfers (id, kind, transaction_id, created_at) values (999999, '${kind}', ${transactionId}, now());
  insert into entries (transfer_id, account_id, amount_minor) values (999999, ${from}, -700), (999999, ${to}, 700)`
const a = (type: string, status: string): string =>
  `(select min(id) from transactions where type = '${type}' and status = '${status}' and merchant_id = 1 and currency = 'UGX')`
const LATE = `(select min(c.transaction_id) from callbacks c join transactions t on t.id = c.transaction_id where t.type = 'COLLECTION' and t.status = 'COMPLETED' and c.event = 'transaction.failed')`
const entryOf = (kind: string, accountKind: string): string =>
  `(transfer_id, account_id) = (select r.id, o.id from transfers r join entries e on e.transfer_id = r.id join accounts o on o.id = e.account_id where r.kind = '${kind}' and o.kind = '${accountKind}' and o.currency = 'UGX' and o.provider_code in ('', 'mtn_ug') order by r.id limit 1)`

type Corruption = readonly [what: string, breaking: string, check: string, example: RegExp]

const inTheBook: readonly Corruption[] = [
  [
    'a second credit without a transaction',
    transfer('collection', 'null', account('rail', 0, 'mtn_ug'), account('collection_available', 1)),
    'transfers_explained',
    /^transfer 999999 \(collection without a transaction\) moves -?700 on /,
  ],
  [
    'a second credit of a kind that does not exist',
    transfer('bonus', a('COLLECTION', 'COMPLETED'), account('charges'), account('collection_available', 1)),
    'transfers_explained',
    /\(bonus of transaction \d+\)/,
  ],
  [
    'a deposit that the rail pays',
    transfer('deposit', 'null', account('rail', 0, 'mtn_ug'), account('payout_available', 1)),
    'transfers_explained',
    /moves -700 on rail UGX of mtn_ug$/,
  ],
  [
    'a deposit that goes the other way',
    transfer('deposit', 'null', account('payout_available', 1), account('operator')),
    'transfers_explained',
    /\(deposit without a transaction\) is between 2 accounts of 1 merchants$/,
  ],
  [
    "a transfer between two merchants' wallets",
    transfer('wallet_transfer', 'null', account('payout_available', 1), silentAccount('payout_available')),
    'transfers_explained',
    /is between 2 accounts of 2 merchants$/,
  ],
  [
    "a payout paid from another merchant's wallet",
    `update entries set account_id = ${silentAccount('payout_available')} where ${entryOf('payout_hold', 'payout_available')}`,
    'transfers_explained',
    /\(payout_hold of transaction \d+\) moves -20100 on payout_available UGX of merchant \d+$/,
  ],
  [
    "an entry on another provider's rail account",
    `update entries set account_id = ${account('rail', 0, 'airtel_ug')} where ${entryOf('collection', 'rail')}`,
    'transfers_explained',
    /on rail UGX of airtel_ug$/,
  ],
  [
    'a release of another amount than was uncleared',
    `update entries set amount_minor = amount_minor - sign(amount_minor) where transfer_id = (select min(id) from transfers where kind = 'clearing')`,
    'credit_released',
    /has 4455 in collection_uncleared, 4454 of it released and no work that releases it$/,
  ],
  [
    'a release of what was never uncleared',
    transfer(
      'clearing',
      a('COLLECTION', 'COMPLETED'),
      account('collection_uncleared', 1),
      account('collection_available', 1),
    ),
    'credit_released',
    /has 0 in collection_uncleared, 700 of it released/,
  ],
]

const inPayments: readonly Corruption[] = [
  [
    'a missing clearFunds',
    `delete from work where kind = 'clearFunds'`,
    'credit_released',
    /has 4455 in collection_uncleared, 0 of it released and no work that releases it$/,
  ],
  [
    'a missing releaseReserve',
    `delete from work where id = (select min(id) from work where kind = 'releaseReserve')`,
    'credit_released',
    /has 495 in collection_reserve, 0 of it released and no work that releases it$/,
  ],
  [
    'work that would release credit a second time',
    `insert into work (kind, subject_id, due_at) select 'clearFunds', transaction_id, now() from transfers where kind = 'clearing'`,
    'credit_released',
    /4455 of it released, and work that releases it$/,
  ],
  [
    'work that would release what was never there',
    `insert into work (kind, subject_id, due_at) values ('releaseReserve', ${a('COLLECTION', 'COMPLETED')}, now())`,
    'credit_released',
    /has 0 in collection_reserve, 0 of it released, and work/,
  ],
  [
    'a final state without its time',
    `update transactions set final_at = null where id = ${a('COLLECTION', 'FAILED')}`,
    'final_states_have_time',
    /FAILED\) does not know when it ended$/,
  ],
  [
    'a time without a final state',
    `update transactions set final_at = created_at where id = ${a('PAYOUT', 'PROCESSING')}`,
    'final_states_have_time',
    /PROCESSING\) has the time of an end$/,
  ],
  [
    'missing limit usage',
    `delete from limit_usage where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'limits_counted',
    /COMPLETED\) does not count toward its daily limit with 5000$/,
  ],
  [
    'limit usage of another amount',
    `update limit_usage set amount_minor = 1 where transaction_id = ${a('PAYOUT', 'PROCESSING')}`,
    'limits_counted',
    /PROCESSING\) does not count/,
  ],
  [
    'limit usage of what failed',
    `insert into limit_usage select provider_code, type, account, id, created_at, amount_minor from transactions where id = ${a('PAYOUT', 'FAILED')}`,
    'limits_counted',
    /FAILED\) counts toward a daily limit$/,
  ],
]

const inWork: readonly Corruption[] = [
  [
    'a held payout with work that verifies it',
    `update work set kind = 'verifyPayout' where subject_id = ${a('PAYOUT', 'PROCESSING')}; update transactions set status = 'PENDING' where id = ${a('PAYOUT', 'PROCESSING')}`,
    'work_fits_state',
    /\(verifyPayout\) does not fit transaction \d+ \(\S+, PENDING\), whose money is held$/,
  ],
  [
    'a payout that goes to the rail without being held',
    `update work set kind = 'submitToRail' where subject_id = ${a('PAYOUT', 'PENDING')}`,
    'work_fits_state',
    /\(submitToRail\) does not fit transaction \d+ \(\S+, PENDING\)$/,
  ],
  [
    'a collection that a rail has and whose page expires',
    `update work set kind = 'expirePage' where subject_id = ${a('COLLECTION', 'PROCESSING')}`,
    'work_fits_state',
    /\(expirePage\) does not fit/,
  ],
  [
    'an open transaction with other work only',
    `update work set kind = 'somethingElse' where subject_id = ${a('COLLECTION', 'PROCESSING')}`,
    'open_transactions_have_work',
    /PROCESSING\) has no work$/,
  ],
  [
    'an open transaction of great age',
    `update transactions set created_at = created_at - interval '8 days' where id = ${a('PAYOUT', 'PROCESSING')}`,
    'open_transactions_are_young',
    /PROCESSING\) is open since 2026-02-\d\d /,
  ],
  [
    'work in a far year',
    `update work set due_at = '9999-01-01' where kind = 'askRail' and subject_id = ${a('PAYOUT', 'PROCESSING')}`,
    'work_due_in_time',
    /\(askRail \d+\) is due 9999-01-0\d /,
  ],
  [
    'release of credit in a far year',
    `update work set due_at = due_at + interval '2 years' where kind = 'clearFunds'`,
    'work_due_in_time',
    /\(clearFunds \d+\) is due 2028-/,
  ],
  [
    'work that nobody begins',
    `update work set due_at = '2026-02-27', attempt = 0 where subject_id = ${a('PAYOUT', 'PENDING')}`,
    'work_due_in_time',
    /\(verifyPayout \d+\) is due 2026-02-2/,
  ],
  [
    'work that is begun again and again',
    `update work set attempt = 101 where kind = 'clearFunds'`,
    'work_gets_done',
    /\(clearFunds \d+\) was begun 101 times$/,
  ],
  [
    'a question that is asked again and again',
    `update work set attempt = 1501 where kind = 'askRail' and subject_id = ${a('PAYOUT', 'PROCESSING')}`,
    'work_gets_done',
    /\(askRail \d+\) was begun 1501 times$/,
  ],
]

const inCallbacks: readonly Corruption[] = [
  [
    'a missing callback',
    `delete from callbacks where transaction_id = ${a('PAYOUT', 'FAILED')}`,
    'callbacks_told',
    /FAILED\) has no callback$/,
  ],
  [
    'a missing callback of a merchant without a URL',
    `delete from callbacks where id = (select min(id) from callbacks where merchant_id = ${SILENT})`,
    'callbacks_told',
    /has no callback$/,
  ],
  [
    'a callback with the wrong event',
    `update callbacks set event = 'transaction.failed' where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 0, FAILED 0, CANCELLED 0, something else 1$/,
  ],
  [
    'a callback that tells another state',
    `update callbacks set body = replace(body, '"CANCELLED"', '"FAILED"') where transaction_id = ${a('COLLECTION', 'CANCELLED')}`,
    'callbacks_told',
    /CANCELLED\) has callbacks of which tell COMPLETED 0, FAILED 1, CANCELLED 0, something else 0$/,
  ],
  [
    'a second callback of one end',
    `insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at) select 'cb_again', transaction_id, merchant_id, event, url, body, 'DELIVERED', created_at from callbacks where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /has callbacks of which tell COMPLETED 2/,
  ],
  [
    'a callback to another merchant',
    `update callbacks set merchant_id = ${SILENT} where transaction_id = ${a('COLLECTION', 'COMPLETED')}`,
    'callbacks_told',
    /has a callback to another merchant$/,
  ],
  [
    'a late completion that is not told',
    `delete from callbacks where event = 'transaction.completed' and transaction_id = ${LATE}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 0, FAILED 1/,
  ],
  [
    'a late completion whose failure was not told',
    `delete from callbacks where event = 'transaction.failed' and transaction_id = ${LATE}`,
    'callbacks_told',
    /COMPLETED\) has callbacks of which tell COMPLETED 1, FAILED 0/,
  ],
  [
    'a callback of what has not ended',
    `update transactions set status = 'PROCESSING', final_at = null where id = ${a('COLLECTION', 'FAILED')}; insert into work (kind, subject_id, due_at) values ('askRail', ${a('COLLECTION', 'PROCESSING')}, '2026-03-02');
    insert into limit_usage select provider_code, type, account, id, created_at, amount_minor from transactions where status = 'PROCESSING' on conflict do nothing`,
    'callbacks_told',
    /PROCESSING\) has callbacks of which tell COMPLETED 0, FAILED 1/,
  ],
  [
    'a callback without its transaction',
    `update callbacks set transaction_id = 999999 where transaction_id = ${a('COLLECTION', 'CANCELLED')}`,
    'callbacks_told',
    /^transaction 999999, which does not exist, has callbacks of which/,
  ],
]

describe.each([
  ['the book', inTheBook],
  ['payments', inPayments],
  ['work', inWork],
  ['callbacks', inCallbacks],
])('in %s the doctor finds', (part, corruptions) => {
  test.each(corruptions)('%s', async (_what, breaking, check, example) => {
    const findings = await broken(part === 'the book' ? `${breaking}; ${REBALANCE}` : breaking)
    expect(findings.map(({ name }) => name)).toEqual([check])
    expect(findings.flatMap(({ examples }) => examples)).toContainEqual(expect.stringMatching(example))
  })
})

test('what ended before every end had a callback may have none, what ended later may not', async () => {
  const [since, all] = ['2026-03-01T10:00:00Z', 'delete from callbacks']
  expect(
    await broken(`update rules_since set since = '${new Date(clock.now().getTime() + DAY_MS).toISOString()}'; ${all}`),
  ).toEqual([])
  const findings = await broken(`update rules_since set since = '${since}'; ${all}`)
  expect(findings).toMatchObject([{ name: 'callbacks_told', found: 2 }])
})

import { expect } from 'vitest'
import { present } from '../../domain/present.ts'
import { LAST, manyPayments } from '../../storage/testing/many-payments.ts'
import { watchCosts } from '../../storage/testing/statement-costs.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { testNightly } from '../../verification/testing/nightly.ts'
import { failingCallbackUrls } from './callback-health.ts'
import { listCallbacks } from './callbacks.ts'
import { countDays } from './day-figures.ts'
import { listExchanges } from './exchanges.ts'
import { findMerchant, findMerchants } from './merchants.ts'
import { railAccountFigures } from './rail-account-figures.ts'
import { readBalances, readBalanceTotals, readVolumes } from './reports.ts'
import { listStuck } from './stuck-transactions.ts'
import { timelineOf } from './timeline.ts'
import { readAttention, readDays } from './today.ts'
import { findTransactions, listTransactions } from './transactions.ts'
import { merchantWallets } from './wallets.ts'

// What the console's pages read of ten times the payments.

const FEW = 50_000
const MANY = 500_000
const GROWTH_MAX = 1.2
/** An index may have a level more, in each of the months that a page asks. */
const LEVELS = 8
const LIMIT = 51
const DAY_MS = 24 * 3_600_000
const TIMEOUT_MS = 30 * 60_000
const NOW = new Date(LAST.getTime() - DAY_MS)
const before = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS)

const { pool, connection } = await databaseTest({ connectionsMax: 1 })
const costsOf = watchCosts(pool)

const one = async () => present((await listTransactions(pool, { receipt: 'R7', limit: 1 }))[0], 'a payment')

const ANY = { transactionIds: undefined, merchantId: undefined, status: undefined, limit: LIMIT }

const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'Today, what needs a person': () => readAttention(pool, undefined, NOW),
  Payments: () => listTransactions(pool, { limit: LIMIT }),
  'Payments, PROCESSING': () => listTransactions(pool, { status: 'PROCESSING', limit: LIMIT }),
  'Payments of a merchant': () => listTransactions(pool, { merchantId: 1007n, limit: LIMIT }),
  'Payments that need a person': () => listStuck(pool, { before: NOW, merchantId: undefined, limit: LIMIT }),
  async 'a payment'() {
    const [payment] = await findTransactions(pool, (await one()).internalReference, undefined)
    await timelineOf(pool, present(payment, 'the payment'))
    await listCallbacks(pool, { ...ANY, transactionIds: [(await one()).id] })
    await listExchanges(pool, { orderId: 'none', limit: LIMIT })
  },
  Callbacks: () => listCallbacks(pool, ANY),
  'Callbacks, to be tried again': () =>
    listCallbacks(pool, { ...ANY, status: 'PENDING', isAttempted: true, since: before(7) }),
  Merchants: () => findMerchants(pool, { text: undefined, after: undefined, limit: LIMIT, sandbox: true }),
  async 'a merchant'() {
    const merchant = present(await findMerchant(pool, 'pub_1007'), 'the merchant')
    await merchantWallets(pool, merchant.id)
    await failingCallbackUrls(pool, { ...merchant, collection_callback_url: 'https://shop.example' }, NOW)
  },
  Rails: () => railAccountFigures(pool, 1_000, 5_000),
  async 'Reports, Balances'() {
    await readBalanceTotals(pool, true)
    await readBalances(pool, true, { after: 0n, limit: LIMIT })
  },
  // Of a pool of their own: figures are remembered for each.
  'Today, figures of 14 days': () => readDays({ query: pool.query.bind(pool) } as typeof pool, undefined, NOW),
  'Callbacks of a merchant': () => listCallbacks(pool, { ...ANY, merchantId: 1007n }),
  'Callbacks that failed, of 7 days': () =>
    listCallbacks(pool, { ...ANY, status: 'STOPPED', isAttempted: true, since: before(7) }),
  'Reports, 30 days': () =>
    readVolumes(pool, { since: before(30), until: NOW, merchantId: undefined }, ['day', 'status']),
}

/** As if all of their days were over for the database. */
async function storeWithFigures(store: (count: number, withCourses: boolean) => Promise<void>, count: number) {
  await store(count, true)
  await pool.query('truncate day_changes')
  await pool.query(`insert into day_figures (day) select generate_series($1::date, $2::date, '1 day')`, [
    before(31),
    before(1),
  ])
  await expect
    .poll(async () => {
      await countDays(pool)
      return (await pool.query('select from day_figures where figures is null')).rowCount
    })
    .toBe(0)
  await pool.query('vacuum analyze day_figures')
}
async function buffers(): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {}
  for (const [name, show] of Object.entries(PAGES)) {
    const costs = await costsOf('force_custom_plan', show)
    read[name] = [...costs.values()].reduce((sum, cost) => sum + cost.buffers, 0)
  }
  return read
}

testNightly('a page reads as much of many payments as of few', { timeout: TIMEOUT_MS }, async () => {
  const { store } = await manyPayments(pool, connection)
  await storeWithFigures(store, FEW)
  const few = await buffers()
  await storeWithFigures(store, MANY)
  const many = await buffers()
  console.table(Object.fromEntries(Object.keys(many).map((name) => [name, { [FEW]: few[name], [MANY]: many[name] }])))
  for (const name of Object.keys(PAGES))
    expect([name, many[name]]).toEqual([
      name,
      expect.toSatisfy((pages: number) => pages <= GROWTH_MAX * (few[name] ?? 0) + LEVELS),
    ])
})

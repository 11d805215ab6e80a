import { expect } from 'vitest'
import { numberEvents } from '../../storage/merchant-events.ts'
import { LAST, manyPayments } from '../../storage/testing/many-payments.ts'
import { watchCosts } from '../../storage/testing/statement-costs.ts'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { testNightly } from '../../verification/testing/nightly.ts'
import { createMerchantLists } from './merchant-lists.ts'

// What a page reads of ten times the payments of one merchant, who has all of them.

const [FEW, MANY] = [50_000, 500_000]
const GROWTH_MAX = 1.2
/** An index may have a level more, in each of the months that a page reads. */
const LEVELS = 8
const TIMEOUT_MS = 30 * 60_000
const OWNER = 1000n
const before = (days: number): Date => new Date(LAST.getTime() - days * 24 * 3_600_000)

const { pool, connection } = await databaseTest({ connectionsMax: 1 })
const costsOf = watchCosts(pool)
const lists = createMerchantLists(pool)

const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'the newest transactions': () => lists.transactions(OWNER, { limit: 50 }),
  'transactions of a prefix that few have': () => lists.transactions(OWNER, { prefix: 'R123', limit: 50 }),
  'failed transactions, of which there are none': () => lists.transactions(OWNER, { status: 'FAILED', limit: 50 }),
  'transactions of long ago': () => lists.transactions(OWNER, { to: before(300), limit: 50 }),
  'the first events': () => lists.events(OWNER, { limit: 100 }),
  'events after a number': () => lists.events(OWNER, { after: 40_000n, limit: 100 }),
  'events from a time on': () => lists.events(OWNER, { from: before(100), limit: 100 }),
}

async function buffers(): Promise<Readonly<Record<string, number>>> {
  const read: Record<string, number> = {}
  for (const [name, show] of Object.entries(PAGES)) {
    const costs = await costsOf('force_custom_plan', show)
    read[name] = [...costs.values()].reduce((sum, cost) => sum + cost.buffers, 0)
  }
  return read
}

testNightly('a page of many payments reads as much as one of few', { timeout: TIMEOUT_MS }, async () => {
  const { store } = await manyPayments(pool, connection)
  const costs: Readonly<Record<string, number>>[] = []
  for (const count of [FEW, MANY]) {
    await store(count, true, 1)
    do await numberEvents(pool)
    while ((await pool.query('select from unnumbered_callbacks limit 1')).rowCount === 1)
    await pool.query('analyze merchant_events')
    costs.push(await buffers())
  }
  const [few = {}, many = {}] = costs
  console.table(Object.fromEntries(Object.keys(many).map((name) => [name, { [FEW]: few[name], [MANY]: many[name] }])))
  for (const name of Object.keys(PAGES))
    expect([name, many[name]]).toEqual([
      name,
      expect.toSatisfy((pages: number) => pages <= GROWTH_MAX * (few[name] ?? 0) + LEVELS),
    ])
})

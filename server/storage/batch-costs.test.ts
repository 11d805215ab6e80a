import { expect, test } from 'vitest'
import type { NewTransaction } from '../actions/ports/acceptance.ts'
import type { Claim, Job, JobKind } from '../actions/ports/jobs.ts'
import { waitOf } from '../actions/ports/payout-waits.ts'
import type { UnitOfWork } from '../actions/ports/store.ts'
import { collectionTransfer } from '../domain/ledger.ts'
import { newCallbackId, newInternalReference } from '../domain/references.ts'
import { STATUS_MESSAGES, type Transaction } from '../domain/transaction.ts'
import { createSimulatorBook } from '../local/sandbox/simulator-book.ts'
import { storePayments } from '../verification/bench/stored-payments.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { seededRandom } from '../verification/testing/gateway.ts'
import { at, newTransaction, uniqueToken } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import { createCallbackStore } from './callbacks.ts'
import { createJobStore } from './jobs.ts'
import { extendChain } from './ledger-chain.ts'
import { ensureMonths, monthsAhead } from './months.ts'
import { inTransaction } from './pool.ts'
import { recordDeliveries } from './record-deliveries.ts'
import { createIndexing } from './search.ts'
import { createStore } from './store.ts'
import { watchCosts, type PlanCacheMode, type StatementCost } from './testing/statement-costs.ts'

// A batch costs each of its items the same, however large it is. Counted, not timed: pages, rows and elements of arrays
// that PostgreSQL goes through, under both kinds of plan. A gateway uses a generic plan from the sixth execution on.

const { pool } = await databaseTest({ connectionsMax: 1 })
const costsOf = watchCosts(pool)

const random = seededRandom('batch costs')
const acceptance = createAcceptance(pool)
const store = createStore(pool)
const queue = createJobStore(pool)
const callbacks = createCallbackStore(pool)
const simulator = createSimulatorBook(pool)

const SIZES = [25, 100, 500]
const GROWTH_MAX = 1.2
/** A small batch lies on few pages: a leaf of the index, and those of the old row and the new one. */
const PAGES_SHARED = 3
/** A statement that reads a whole table or index reads hundreds for each item. */
const ROWS_MAX = 40
const COUNTED = ['buffers', 'rows', 'elements'] as const
const FIRST_MERCHANT = 1_000
const MERCHANTS = 40
/** How many payments of a month are stored already. */
const PAST = 8_000
const NOW = at(0)
const LATER = at(3_600)

let accounts = 0
function collection(createdAt: Date): NewTransaction {
  accounts += 1
  const account = `2567${String(accounts).padStart(8, '0')}`
  return newTransaction({
    createdAt,
    merchantId: BigInt(FIRST_MERCHANT + (accounts % MERCHANTS)),
    account,
    internalReference: newInternalReference(random, createdAt),
    uses: [{ kind: 'prompt', number: 1, countsUntil: LATER, bounds: [] }],
    idempotency: { merchantId: 1n, key: account, digest: new Uint8Array([1]) },
  })
}

const accept = (count: number, createdAt: Date): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, () => acceptance.accept(collection(createdAt))))

const claimNew = (): Claim => ({ token: uniqueToken(), now: NOW, leaseUntil: at(30) })
const claim = (kind: JobKind, count: number): Promise<readonly Job[]> => queue.claim(kind, claimNew(), count)
const inUnit = <T>(run: (unit: UnitOfWork) => Promise<T>): Promise<T> => store.transaction(run)
const idsOf = (items: readonly Job[]): bigint[] => items.map(({ subjectId }) => subjectId)

async function submit(count: number): Promise<readonly Transaction[]> {
  const items = await claim('submitToRail', count)
  await queue.renew(items, NOW, at(60))
  return inUnit(async (unit) => {
    await unit.holdJobs(items)
    const transactions = await unit.lockTransactions({ ids: idsOf(items) })
    const sent = transactions.map((one) => ({ ...one, status: 'PROCESSING' as const, railOrderId: String(one.id) }))
    await unit.saveStates(sent)
    await unit.addEvents(
      sent.map(({ id }) => ({ transactionId: id, kind: 'submitted', detail: 'sent' })),
      NOW,
    )
    const order = { railAccount: 'mtn', name: 'order', origin: 'own' as const }
    await unit.addRailReferences(
      sent.map(({ id }) => ({ ...order, transactionId: id, reference: String(id) })),
      NOW,
    )
    const reservation = { scope: 'till', reservedUntil: LATER }
    const reserved = sent.map(({ id }) => ({ ...reservation, transactionId: id, reference: String(id) }))
    await unit.reservePayerReferences(reserved, NOW)
    await wait(unit, sent)
    await unit.replaceJobs(items, 'pollRail', NOW)
    return sent
  })
}

/** As payouts that their operator has no float for. */
async function wait(unit: UnitOfWork, sent: readonly Transaction[]): Promise<void> {
  await unit.saveStates(sent.map((one) => ({ ...one, statusMessage: STATUS_MESSAGES.awaitingFloat })))
  await unit.handOver(new Map([['mtn', 1n]]), NOW)
  await unit.lockFloats(['mtn'], NOW)
  await unit.takeFloats(new Map([['mtn', 1n]]))
  await unit.savePayoutWaits(sent.map((one) => waitOf(one, 'mtn', 'float', NOW)))
  await unit.payoutWaits(
    [],
    sent.map(({ id }) => id),
  )
  await unit.endPayoutWaits(sent.map(({ id }) => id))
}

async function poll(count: number): Promise<void> {
  await queue.release(await claim('pollRail', count), NOW)
  const items = await claim('pollRail', count)
  await inUnit(async (unit) => {
    await unit.railReferences(idsOf(items))
    await unit.eventDetails('submitted', idsOf(items))
    await unit.rescheduleJobs(items.map((item) => ({ item, dueAt: NOW })))
  })
}

async function simulate(transactions: readonly Transaction[]): Promise<void> {
  const plan = { unreachableTries: 1, reports: [{ afterMs: 0, outcome: { status: 'COMPLETED' as const } }] }
  const orders = transactions.map((one) => ({
    ...one,
    type: 'PAYOUT' as const,
    orderId: String(one.id),
    externalIds: {},
  }))
  await simulator.submit(orders, () => plan, NOW)
  await simulator.submit(orders, () => plan, NOW)
  await simulator.find(
    orders.map(({ internalReference }) => internalReference),
    NOW,
  )
  await simulator.reportDue(
    NOW,
    orders.length,
    async () => undefined,
    () => 0,
  )
}

const settle = (sent: readonly Transaction[]): Promise<unknown> =>
  inUnit(async (unit) => {
    const locked = await unit.lockTransactions({ internalReferences: sent.map((one) => one.internalReference) })
    const settled = locked.map((one) => ({ ...one, status: 'COMPLETED' as const, finalAt: NOW }))
    await unit.saveStates(settled)
    await unit.releaseDailyLimit(settled)
    await unit.countTowardDailyLimit(settled)
    await unit.addPromptDeclines(settled, LATER)
    await unit.endPromptDeclines(settled.map(({ account }) => account))
    await unit.finishPaymentJobs(settled.map(({ id }) => id))
    await unit.addCallbacks(
      settled.map(({ id, merchantId, type }) => ({
        webhookId: newCallbackId(random, id),
        transactionId: id,
        merchantId,
        type,
        event: 'transaction.completed',
        body: '{}',
        destination: `${merchantId}/collection`,
      })),
      NOW,
    )
    await unit.addJobs(settled.map(({ id }) => ({ kind: 'clearFunds', subjectId: id, dueAt: NOW })))
    const clearing = { clearingDelaySeconds: 60, reserveBps: 0, reserveSeconds: 0 }
    const transfers = settled.map((one) => collectionTransfer(one, clearing))
    await unit.balances(transfers.flatMap(({ entries }) => entries.map(({ account }) => account)))
    await unit.book(transfers, NOW)
  })

async function clear(count: number): Promise<void> {
  const items = await claim('clearFunds', count)
  await inUnit(async (unit) => {
    await unit.bookedInto('collection_uncleared', idsOf(items))
    await unit.finishJobs(items)
  })
  await extendChain(pool, () => NOW)
}

async function deliver(count: number): Promise<void> {
  const quota = { of: new Map<string, number>(), each: Math.ceil((2 * count) / MERCHANTS) }
  const loaded = async () => {
    const items = await queue.claimFairly('deliverCallback', claimNew(), count, quota)
    const due = new Map((await callbacks.load(items)).map((one) => [one.id, one]))
    return items.flatMap((item) => {
      const callback = due.get(item.subjectId)
      return callback ? [{ item, callback }] : []
    })
  }
  const attempt = { at: NOW, url: 'https://shop.example', durationMs: 20, httpStatus: 500 }
  const record = async (next: { step: 'retry'; afterMs: number } | { step: 'delivered' }) => {
    const deliveries = (await loaded()).map((one) => ({ ...one, attempt, next }))
    await inTransaction(pool, (client) => recordDeliveries(client, deliveries))
  }
  await record({ step: 'retry', afterMs: -1_000 })
  await Promise.all((await loaded()).map(({ item, callback }) => callbacks.withhold(item, callback, NOW)))
}

const indexing = createIndexing(
  pool,
  (_purpose, text) => Buffer.from(text.padEnd(8)),
  () => at(120),
)

/** All payments have the same time here, so the mark is put before the newest. */
async function index(count: number): Promise<void> {
  await pool.query({
    name: 'set-mark',
    text: `update search_mark set upto = id, next_upto = id
           from (select id from transactions order by id desc offset $1 limit 1) newest`,
    values: [count],
  })
  await indexing.run()
  await indexing.run()
}

async function live(count: number): Promise<void> {
  await accept(count, NOW)
  await index(count)
  const sent = await submit(count)
  await poll(count)
  await simulate(sent)
  await settle(sent)
  await clear(count)
  await deliver(count)
}

/** A backlog of more than all batches, due in an order of its own: each batch lies scattered over the pages. */
async function storeBacklog(): Promise<void> {
  await accept(1_400, NOW)
  const sent = await submit(600)
  await simulate(sent)
  await settle(sent)
  await extendChain(pool, () => NOW)
  await pool.query(`update jobs set due_at = due_at - (hashint8(subject_id) & 65535) * interval '1 millisecond'`)
}

/** Completed payments of three months: enough that a plan which reads a whole table, index or partition shows. */
async function storePast(): Promise<void> {
  await pool.query(
    `insert into merchants (id, public_key, name, collection_callback_url, created_at) overriding system value
     select id, 'pub_' || id, 'A shop', 'https://shop.example', now() from generate_series($1::int, $1 + $2 - 1) id`,
    [FIRST_MERCHANT, MERCHANTS],
  )
  const days = ['2026-01-10', '2026-02-10', '2026-02-20'].map((day) => new Date(`${day}T08:00:00Z`))
  await ensureMonths(pool, monthsAhead(days[0] ?? NOW, 3), NOW)
  const client = await pool.connect()
  for (const [n, day] of days.entries())
    await storePayments(client, { from: n * PAST, to: (n + 1) * PAST, at: day, everyMs: 1_000 })
  client.release()
}

await pool.query('vacuum analyze')
await storePast()
await storeBacklog()

const MODES: readonly PlanCacheMode[] = ['force_custom_plan', 'force_generic_plan']
/** A plan may be older than the rows. */
const BELIEFS = [
  ['statistics of empty tables', async () => undefined],
  ['true statistics', () => pool.query('vacuum analyze')],
] as const

test.each(BELIEFS.flatMap(([belief, comeAbout]) => MODES.map((mode) => [belief, mode, comeAbout] as const)))(
  'a larger batch costs an item no more: %s, %s',
  async (_belief, mode, comeAbout) => {
    await comeAbout()
    const measured = async (): Promise<ReadonlyMap<string, string>> => {
      const costs = new Map<number, ReadonlyMap<string, StatementCost>>()
      for (const size of SIZES) costs.set(size, await costsOf(mode, () => live(size)))
      return excesses(costs)
    }
    let growing = await measured()
    // Entries of dead rows cost some pages until every transaction that may see them has ended: what grows, grows each
    // time.
    for (let again = 0; again < 4 && growing.size > 0; again += 1) {
      await openTransactionsEnd()
      const next = await measured()
      growing = new Map([...growing].filter(([statement]) => next.has(statement)))
    }
    expect([...growing]).toEqual([])
  },
)

/** Until whatever transaction of this database is open now has ended. */
async function openTransactionsEnd(): Promise<void> {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::xid::text as now')
  const older = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and age(backend_xmin) >= age($1::xid)`,
      [rows[0]?.now],
    )
    return rowCount
  }
  await expect.poll(older).toBe(0)
}

/** Statements whose cost of an item grows with the size of the batch, or that read far more rows than it has items. */
function excesses(costs: ReadonlyMap<number, ReadonlyMap<string, StatementCost>>): ReadonlyMap<string, string> {
  const [small = 0] = SIZES
  const of = (size: number, name: string, counted: keyof StatementCost): number =>
    (costs.get(size)?.get(name)?.[counted] ?? 0) / size
  const isExcessive = (name: string, counted: keyof StatementCost): boolean => {
    const limit = GROWTH_MAX * of(small, name, counted) + (counted === 'buffers' ? PAGES_SHARED : 1)
    return SIZES.some((size) => of(size, name, counted) > (counted === 'rows' ? Math.min(limit, ROWS_MAX) : limit))
  }
  const found = [...(costs.get(small)?.keys() ?? [])].flatMap((name) =>
    COUNTED.filter((counted) => isExcessive(name, counted)).map(
      (counted) => [`${name}: ${counted}`, SIZES.map((size) => of(size, name, counted).toFixed(1)).join(', ')] as const,
    ),
  )
  return new Map(found)
}

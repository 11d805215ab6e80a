import { expect, test } from 'vitest'
import { collectionTransfer } from '../domain/ledger.ts'
import { newCallbackId, newInternalReference } from '../domain/references.ts'
import { present } from '../domain/present.ts'
import type { Transaction } from '../domain/transaction.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { seededRandom } from '../verification/testing/gateway.ts'
import { newTransaction } from '../verification/testing/transactions.ts'
import { createAcceptance } from './accept-transactions.ts'
import { createCallbackStore } from './callbacks.ts'
import { createLookups } from './lookups.ts'
import { HISTORY } from './months.ts'
import {
  callbackAttempts,
  callbacksToResend,
  findCallback,
  listCallbacks,
  resendCallbacks,
} from '../admin/queries/callbacks.ts'
import { bookedEntries, transactionEvents } from '../admin/queries/transactions.ts'
import { createStore } from './store.ts'
import { createJobStore } from './jobs.ts'
import { watchStatements, type PlanNode } from './testing/statement-costs.ts'

// Explains every statement in the lifecycle of a payment as it is sent, with its own values: the plan that PostgreSQL
// executed shows which partitions it read or wrote.

const { pool } = await databaseTest({ connectionsMax: 1 })
watchStatements(pool, () => ({ text, values, before }) => {
  if (!OF_HISTORY.test(text)) return
  const explained = before((run) => run({ text: `explain (analyze, format json) ${text}`, values }))
  seen.push(explained.then(({ rows }) => seenIn(text, present(rows[0], 'a plan')['QUERY PLAN'][0].Plan)))
})

interface ScannedPartitions {
  readonly statement: string
  /** The partitions that were touched, for each table of the history. */
  readonly partitions: ReadonlyMap<string, ReadonlySet<string>>
}
let seen: Promise<ScannedPartitions | undefined>[] = []

const OF_HISTORY = new RegExp(`\\b(${HISTORY.map(({ name }) => name).join('|')})\\b`)
const PARTITION = new RegExp(`^(${HISTORY.map(({ name }) => name).join('|')})_(before|\\d{4}_\\d\\d)$`)

function seenIn(statement: string, plan: PlanNode): ScannedPartitions {
  const partitions = new Map<string, Set<string>>()
  const poll = (node: PlanNode): void => {
    const [partition, table] = PARTITION.exec(node['Relation Name'] ?? '') ?? []
    if (partition && table && node['Actual Loops'] > 0)
      partitions.set(table, (partitions.get(table) ?? new Set()).add(partition))
    node.Plans?.forEach(poll)
  }
  poll(plan)
  return { statement: statement.replaceAll(/\s+/g, ' ').trim(), partitions }
}

/**
 * Checks that no statement of the action touches more than one partition of a table.
 * @returns the months of those partitions
 */
async function monthsTouchedBy(action: () => Promise<unknown>): Promise<string[]> {
  seen = []
  await action()
  const plans = (await Promise.all(seen)).filter((one) => one !== undefined)
  expect(plans.length).toBeGreaterThan(0)
  for (const { statement, partitions } of plans)
    for (const [, touched] of partitions) expect([...touched], statement).toHaveLength(1)
  const names = plans.flatMap(({ partitions }) => [...partitions.values()].flatMap((touched) => [...touched]))
  return [...new Set(names.map((name) => name.replace(PARTITION, '$2')))]
}

const acceptance = createAcceptance(pool)
const store = createStore(pool)
const lookups = createLookups(pool)
const queue = createJobStore(pool)
const callbacks = createCallbackStore(pool)
const random = seededRandom('pruning')

const MARCH = new Date('2026-03-10T12:00:00Z')
const months = ['2026-02-10', '2026-04-10', '2026-05-10', '2025-01-01'].map((day) => new Date(`${day}T12:00:00Z`))
const merchantId = present(
  (await pool.query<{ id: bigint }>('select id from merchants limit 1')).rows[0],
  'a merchant',
).id

async function accept(createdAt: Date): Promise<Transaction> {
  const { internalReference: _, ...fields } = newTransaction({ createdAt, merchantId })
  const transaction = { ...fields, internalReference: newInternalReference(random, createdAt) }
  expect(await acceptance.accept(transaction)).toBe('accepted')
  return present(await lookups.transactionByMerchantReference(merchantId, transaction.merchantReference), 'the payment')
}
for (const month of months) for (let n = 0; n < 20; n += 1) await accept(month)
const payment = await accept(MARCH)
await pool.query('analyze')

const complete = (): Promise<unknown> =>
  store.transaction(async (unit) => {
    const [one] = await unit.lockTransactions({ internalReferences: [payment.internalReference] })
    const completed = { ...present(one, 'the payment'), status: 'COMPLETED' as const, finalAt: MARCH }
    await unit.lockTransactions({ ids: [completed.id] })
    await unit.saveStates([completed])
    await unit.addEvents([{ transactionId: completed.id, kind: 'settled', detail: 'COMPLETED: done' }], MARCH)
    const callback = { merchantId, type: 'COLLECTION' as const, body: '{}', destination: '1/collection' }
    const webhookId = newCallbackId(random, completed.id)
    await unit.addCallbacks(
      [{ ...callback, webhookId, transactionId: completed.id, event: 'transaction.completed' }],
      MARCH,
    )
    const clearing = { clearingDelaySeconds: 60, reserveBps: 0, reserveSeconds: 0 }
    await unit.book([collectionTransfer(completed, clearing)], MARCH)
  })

const deliver = async (): Promise<unknown> => {
  const claim = { token: '0'.repeat(32), now: MARCH, leaseUntil: new Date(MARCH.getTime() + 30_000) }
  const items = await queue.claim('deliverCallback', claim, 10)
  const [callback] = await callbacks.load(items)
  return callbacks.record({
    item: present(items[0], 'the work'),
    callback: present(callback, 'the callback'),
    next: { step: 'delivered' },
    attempt: { at: MARCH, url: 'https://shop.example', durationMs: 20, httpStatus: 200 },
  })
}

const callbackOf = async () =>
  present(
    (
      await listCallbacks(pool, { transactionIds: [payment.id], merchantId: undefined, status: undefined, limit: 9 })
    )[0],
    'it',
  )

test.each<[what: string, action: () => Promise<unknown>]>([
  ['verify', () => lookups.transactionByMerchantReference(merchantId, payment.merchantReference)],
  ['the payment page', () => lookups.payment(payment.internalReference)],
  ['settling', complete],
  ['what was booked for it', () => store.transaction((unit) => unit.bookedInto('collection_uncleared', [payment.id]))],
  ['its delivery', deliver],
  ['its history', () => transactionEvents(pool, payment.id)],
  ['its entries', () => bookedEntries(pool, payment.id)],
  ['its callbacks', callbackOf],
  ['its attempts', async () => callbackAttempts(pool, [(await callbackOf()).id])],
  ['a callback that is sent again', async () => resendCallbacks(pool, [(await callbackOf()).id], MARCH, MARCH)],
  ['the callbacks to send again', () => callbacksToResend(pool, { transactionId: payment.id })],
])('%s touches the month of the payment, and no other', async (_what, action) => {
  expect(await monthsTouchedBy(action)).toEqual(['2026_03'])
})

test('finds a callback by its webhook-id in its month, with index reads before it', async () => {
  const { webhook_id: name, id } = await callbackOf()
  expect(await findCallback(pool, name)).toMatchObject({ id })
})

test('finds an older payment by its reference, which contains no time', async () => {
  const old = present(
    (await pool.query<{ internal_reference: string }>('select internal_reference from transactions_before limit 1'))
      .rows[0],
    'one of before',
  ).internal_reference
  expect(await lookups.payment(old)).toMatchObject({ transaction: { internalReference: old } })
  await pool.query(
    `update transactions set internal_reference = 'MLPZZZZZZZZZZZZZZZZZZZZZZZ' where internal_reference = $1`,
    [old],
  )
  expect(await lookups.payment('MLPZZZZZZZZZZZZZZZZZZZZZZZ')).toBeDefined()
  const locked = await store.transaction((unit) =>
    unit.lockTransactions({ internalReferences: [payment.internalReference, 'MLPZZZZZZZZZZZZZZZZZZZZZZZ'] }),
  )
  expect(locked).toHaveLength(2)
})

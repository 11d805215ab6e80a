import {
  jobsOfBatch,
  type BatchAcceptance,
  type NewPayoutBatch,
  type PayoutBatches,
  type PayoutBatchWrites,
} from '../../../actions/ports/payout-batches.ts'
import { wakeForAccepted, type Wake } from '../../../actions/ports/wake.ts'
import { accepted, candidatesOf, idOf } from '../../../domain/acceptance.ts'
import { idempotencyWindowStart } from '../../../domain/idempotency.ts'
import { isFinal, isPaidNotBooked } from '../../../domain/transaction.ts'
import { decideTransactions, insertTransactions } from './accept-transactions.ts'
import type { Connection } from './connection.ts'
import { insertKey } from './idempotency.ts'
import { insertJobs } from './jobs.ts'
import { ascending } from './table.ts'
import { transactionStatements } from './transactions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import type { MemoryWorld } from './world.ts'

class NotAccepted extends Error {
  readonly result: BatchAcceptance

  constructor(result: BatchAcceptance) {
    super('the batch is not accepted')
    this.result = result
  }
}

const nameOf = ({ merchantId, reference }: Pick<NewPayoutBatch, 'merchantId' | 'reference'>): string =>
  `${merchantId}:${reference}`

/** As storage/payout-batches.ts. */
export const createPayoutBatches = (connection: Connection, wake: Wake): PayoutBatches => ({
  async accept(batch, isTrial) {
    try {
      await connection.transaction((unit) => acceptBatch(unit, batch, isTrial))
    } catch (error) {
      if (error instanceof NotAccepted) return error.result
      throw error
    }
    const payouts = batch.rows.map(({ payout }) => payout)
    wakeForAccepted(
      wake,
      payouts,
      payouts.map(() => 'accepted'),
    )
    wake.wake('finishBatch', batch.finishAt)
    if (batch.handshake) wake.wake('verifyBatch', batch.createdAt)
    return 'accepted'
  },

  async find(merchantId, reference) {
    const { tables } = connection
    const id = tables.batchNames.get(nameOf({ merchantId, reference }))
    if (id === undefined) return undefined
    const { batch } = tables.batches.existing(id)
    return { ...batch, payouts: payoutsIn(tables, id) }
  },
})

async function acceptBatch(unit: MemoryUnitOfWork, batch: NewPayoutBatch, isTrial: boolean): Promise<void> {
  const { idempotency: claim, merchantId, reference, createdAt, handshake, rows } = batch
  const candidates = candidatesOf(rows.map(({ payout }) => payout))
  const id = unit.tables.nextId()
  await unit.statement('lock', 'claim a batch', async () => {
    const first = {
      result: 'accepted' as const,
      accepted: { internalReference: '', merchantReference: reference, onPaymentPage: false },
    }
    if (claim && !(await insertKey(unit, claim, first, createdAt, idempotencyWindowStart(createdAt))))
      throw new NotAccepted('idempotency_key_taken')
    if (!(await unit.batchNames.claim(nameOf(batch), id))) throw new NotAccepted('duplicate_batch')
  })
  await lockFailed(unit, batch)
  await decideTransactions(unit, candidates)
  const results = candidates.map(({ result }) => result)
  if (isTrial || results.some((result) => result !== 'accepted')) throw new NotAccepted(results)
  await unit.statement('write', 'insert a batch', async () => {
    await unit.batches.write(id, {
      batch: { id, merchantId, reference, createdAt, ...(handshake && { handshake }) },
      rows: rows.map(({ line, retryOf }, index) => ({
        line,
        transactionId: candidates[index] ? idOf(candidates[index]) : 0n,
        retryOf,
      })),
    })
    for (const job of jobsOfBatch(id, batch)) await insertJobs(unit, job)
  })
  await insertTransactions(unit, accepted(candidates))
}

async function lockFailed(unit: MemoryUnitOfWork, { rows }: NewPayoutBatch): Promise<void> {
  const ids = rows.flatMap(({ retryOf }) => retryOf ?? [])
  if (ids.length === 0) return
  const locked = await transactionStatements(unit).lockTransactions({ ids })
  const tried = new Set([...unit.tables.batches.values()].flatMap((batch) => batch.rows.map(({ retryOf }) => retryOf)))
  const failed = locked.filter((one) => one.status === 'FAILED' && !isPaidNotBooked(one) && !tried.has(one.id))
  if (failed.length !== ids.length) throw new NotAccepted('not_retryable')
}

const payoutsIn = ({ batches, transactions }: MemoryWorld, id: bigint) => {
  const retried = new Set([...batches.values()].flatMap(({ rows }) => rows.map(({ retryOf }) => retryOf)))
  return batches.existing(id).rows.map(({ line, transactionId }) => ({
    line,
    payout: transactions.existing(transactionId).transaction,
    isRetried: retried.has(transactionId),
  }))
}

export const payoutBatchStatements = (unit: MemoryUnitOfWork): PayoutBatchWrites => ({
  lockBatches: (ids) =>
    unit.statement('lock', 'lockBatches', async () => {
      const sorted = [...ids].sort(ascending)
      await unit.batches.lockAll(sorted)
      return sorted.map((id) => unit.batches.existing(id).batch).filter(({ finishedAt }) => finishedAt === undefined)
    }),

  openBatches: (ids) =>
    unit.statement('read', 'openBatches', () => {
      const isOpen = (id: bigint): boolean => payoutsIn(unit.tables, id).some(({ payout }) => !isFinal(payout.status))
      return new Set(ids.filter(isOpen))
    }),

  batchPayouts: (id) => unit.statement('read', 'batchPayouts', () => payoutsIn(unit.tables, id)),

  batchHandshakesOf: (transactionIds) =>
    unit.statement('read', 'batchHandshakesOf', () => {
      const all = [...unit.tables.batches.values()].flatMap(({ batch: { handshake }, rows }) =>
        handshake ? rows.map(({ transactionId }) => [transactionId, handshake] as const) : [],
      )
      return new Map(all.filter(([id]) => transactionIds.includes(id)))
    }),

  setBatchHandshake: (id, handshake) =>
    unit.statement('write', 'setBatchHandshake', () => {
      const row = unit.batches.existing(id)
      unit.batches.put(id, { ...row, batch: { ...row.batch, handshake } })
    }),

  finishBatches: (ids, now) =>
    unit.statement('write', 'finishBatches', () => {
      for (const id of ids) {
        const row = unit.batches.existing(id)
        unit.batches.put(id, { ...row, batch: { ...row.batch, finishedAt: now } })
      }
    }),
})

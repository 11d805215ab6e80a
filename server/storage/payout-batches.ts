import {
  jobsOfBatch,
  type BatchAcceptance,
  type NewPayoutBatch,
  type PayoutBatches,
  type PayoutBatchWrites,
} from '../actions/ports/payout-batches.ts'
import { NOBODY, wakeForAccepted, type Wake } from '../actions/ports/wake.ts'
import { accepted, candidatesOf, idOf } from '../domain/acceptance.ts'
import type { BatchHandshake } from '../domain/handshake.ts'
import type { BatchPayout, PayoutBatch } from '../domain/payout-batch.ts'
import { decideTransactions, storing } from './accept-transactions.ts'
import { idempotencyStatements } from './idempotency.ts'
import { jobRows } from './jobs.ts'
import { createMonths, ensureMonths, type MakeMonths } from './months.ts'
import { available, inTransaction, runAll, type Pool, type Queryable } from './pool.ts'
import { columns, type Row } from './rows.ts'
import { SHOWN, toShown, type TransactionViewRow } from './transaction-row.ts'

const BATCH = columns<PayoutBatch>({
  id: 'bigint',
  merchantId: 'bigint',
  reference: 'text',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz',
  handshake: 'text',
})

/** Rolls back what a batch has claimed. */
class NotAccepted extends Error {
  readonly result: BatchAcceptance

  constructor(result: BatchAcceptance) {
    super('the batch is not accepted')
    this.result = result
  }
}

/** Accepts batches of payouts, one commit each, and finds them. Rejects with StorageUnavailable. */
export function createPayoutBatches(
  pool: Pool,
  wake: Wake = NOBODY,
  makeMonths: MakeMonths = (months, now) => ensureMonths(pool, months, now),
): PayoutBatches {
  const monthsAreThere = createMonths(makeMonths)
  return {
    async accept(batch, isTrial) {
      await monthsAreThere([batch.createdAt])
      try {
        await acceptBatch(pool, batch, isTrial)
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

    find: (merchantId, reference) =>
      available(async () => {
        const { rows } = await pool.query<Row<PayoutBatch>>(
          `select ${BATCH.names()} from payout_batches where merchant_id = $1 and reference = $2`,
          [merchantId, reference],
        )
        const batch = rows[0] && BATCH.toFields(rows[0])
        const payouts = batch ? await payoutsOf(pool, batch.id) : []
        return batch && payouts.length > 0 ? { ...batch, payouts } : undefined
      }),
  }
}

/**
 * The same steps as for single payments, in one commit: a key and a reference of the batch first, so that of two equal
 * batches at once the second waits here.
 */
async function acceptBatch(pool: Pool, batch: NewPayoutBatch, isTrial: boolean): Promise<void> {
  const candidates = candidatesOf(batch.rows.map(({ payout }) => payout))
  await inTransaction(
    pool,
    async (client) => {
      const { idempotency, reference, createdAt } = batch
      const outcome = {
        result: 'accepted' as const,
        accepted: { internalReference: '', merchantReference: reference, onPaymentPage: false },
      }
      if (idempotency && !(await idempotencyStatements(client).rememberOutcome(idempotency, outcome, createdAt)))
        throw new NotAccepted('idempotency_key_taken')
      const id = await insertBatch(client, batch)
      await lockFailed(client, batch)
      if (candidates.length > 0) await decideTransactions(client, candidates)
      const results = candidates.map(({ result }) => result)
      if (isTrial || results.some((result) => result !== 'accepted')) throw new NotAccepted(results)
      const { rowCount } = await client.query(
        `insert into payout_batch_rows (batch_id, line, transaction_id, retry_of)
         select $1, * from unnest($2::int[], $3::bigint[], $4::bigint[]) on conflict (retry_of) do nothing`,
        [id, batch.rows.map(({ line }) => line), candidates.map(idOf), batch.rows.map(({ retryOf }) => retryOf)],
      )
      // Another batch has tried one of them again meanwhile.
      if (rowCount !== batch.rows.length) throw new NotAccepted('not_retryable')
      await runAll(client, jobRows(jobsOfBatch(id, batch)))
    },
    async () => storing(accepted(candidates)),
  )
}

async function insertBatch(
  client: Queryable,
  { merchantId, reference, createdAt, retryOf, handshake }: NewPayoutBatch,
): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(
    `insert into payout_batches (merchant_id, reference, created_at, retry_of, handshake)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning id`,
    [merchantId, reference, createdAt, retryOf, handshake],
  )
  if (!rows[0]) throw new NotAccepted('duplicate_batch')
  return rows[0].id
}

/** What a batch tries again is still failed at its commit, and nothing says that it was paid all the same. */
async function lockFailed(client: Queryable, { rows }: NewPayoutBatch): Promise<void> {
  const ids = rows.flatMap(({ retryOf }) => retryOf ?? [])
  if (ids.length === 0) return
  const { rowCount } = await client.query(
    `select from transactions where id = any($1) and status = 'FAILED' and rail_paid_at is null
       and not exists (select from payout_batch_rows a where a.retry_of = id)
     order by id for update`,
    [ids],
  )
  if (rowCount !== ids.length) throw new NotAccepted('not_retryable')
}

async function payoutsOf(client: Pick<Queryable, 'query'>, batchId: bigint): Promise<readonly BatchPayout[]> {
  const { rows } = await client.query<TransactionViewRow & { readonly line: number; readonly is_retried: boolean }>(
    `select r.line, exists (select from payout_batch_rows a where a.retry_of = t.id) as is_retried, ${SHOWN}
     from payout_batch_rows r join transactions t on t.id = r.transaction_id where r.batch_id = $1 order by r.line`,
    [batchId],
  )
  return rows.map((row) => ({ line: row.line, isRetried: row.is_retried, payout: toShown(row) }))
}

export const payoutBatchStatements = (client: Queryable): PayoutBatchWrites => ({
  async lockBatches(ids) {
    if (ids.length === 0) return []
    const { rows } = await client.query<Row<PayoutBatch>>({
      name: 'lock-batches',
      text: `select ${BATCH.names()} from payout_batches where id = any($1) and finished_at is null
             order by id for update`,
      values: [ids],
    })
    return rows.map(BATCH.toFields)
  },

  async openBatches(ids) {
    if (ids.length === 0) return new Set()
    const { rows } = await client.query<{ id: bigint }>({
      name: 'open-batches',
      text: `select b.id from unnest($1::bigint[]) as b(id) where exists (
               select from payout_batch_rows r join transactions t on t.id = r.transaction_id
               where r.batch_id = b.id and t.final_at is null)`,
      values: [ids],
    })
    return new Set(rows.map(({ id }) => id))
  },

  batchPayouts: (id) => payoutsOf(client, id),

  async batchHandshakesOf(transactionIds) {
    if (transactionIds.length === 0) return new Map()
    const { rows } = await client.query<{ id: bigint; handshake: BatchHandshake }>({
      name: 'batch-handshakes-of',
      text: `select r.transaction_id as id, b.handshake from payout_batch_rows r join payout_batches b on b.id = r.batch_id
             where r.transaction_id = any($1) and b.handshake is not null`,
      values: [transactionIds],
    })
    return new Map(rows.map(({ id, handshake }) => [id, handshake]))
  },

  async setBatchHandshake(id, handshake) {
    await client.query('update payout_batches set handshake = $2 where id = $1', [id, handshake])
  },

  async finishBatches(ids, now) {
    if (ids.length === 0) return
    await client.query('update payout_batches set finished_at = $2 where id = any($1)', [ids, now])
  },
})

import { handshakeId, nextHandshakeStep } from '../domain/handshake.ts'
import type { BatchPayout, PayoutBatch } from '../domain/payout-batch.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { answerText, askVerificationUrl, attemptOf } from './ask-verification-url.ts'
import { endWaiting } from './decide-approvals.ts'
import { heldJobs } from './held-jobs.ts'
import { endWithin } from './settle-results.ts'
import type { Delivery } from './ports/delivery.ts'
import type { Job } from './ports/jobs.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { VerifyPayoutDeps } from './verify-payout.ts'

export type VerifyBatchDeps = VerifyPayoutDeps & {
  /** The JSON text of the question about a batch. */
  readonly batchHandshakeBody: (batch: PayoutBatch, payouts: readonly BatchPayout[]) => string
}

/**
 * Asks merchants about their batches, one handshake for all payouts of each, while any of them waits. Its attempts are
 * stored as those of the batch's first payout, which has none of its own.
 */
export const createBatchVerification =
  (deps: VerifyBatchDeps): ((items: readonly Job[]) => readonly Promise<void>[]) =>
  (items) =>
    items.map((item) => verify(deps, item))

async function verify(deps: VerifyBatchDeps, item: Job): Promise<void> {
  const asked = await deps.store.transaction(async (unit) => {
    const [batch] = await unit.lockBatches([item.subjectId])
    const payouts = batch?.handshake === 'waiting' ? await unit.batchPayouts(batch.id) : []
    const [first] = payouts
    if (batch && first && payouts.some(({ payout }) => payout.status === 'PENDING'))
      return { batch, payouts, first: first.payout }
    await unit.finishJobs([item])
    return undefined
  })
  if (!asked) return
  const { batch, payouts, first } = asked
  const { answered, later } = await askVerificationUrl(deps, {
    transactionId: first.id,
    merchantId: batch.merchantId,
    merchantReference: batch.reference,
    webhookId: handshakeId(first.internalReference),
    body: deps.batchHandshakeBody(batch, payouts),
  })
  const ids = payouts.map(({ payout }) => payout.id)
  if (answered)
    await deps.store.transaction((unit) => record(unit, deps, { item, ids, firstId: first.id, ...answered }))
  const { clock, store } = deps
  if (later)
    await store.transaction((unit) =>
      unit.rescheduleJobs([{ item, dueAt: new Date(clock.now().getTime() + later.afterMs) }]),
    )
}

interface BatchAnswer {
  readonly item: Job
  readonly ids: readonly bigint[]
  readonly firstId: bigint
  readonly at: Date
  readonly answer: Delivery
}

async function record(unit: UnitOfWork, deps: VerifyBatchDeps, asked: BatchAnswer): Promise<void> {
  const { item, ids, firstId, at, answer } = asked
  const [batch] = await unit.lockBatches([item.subjectId])
  const pending = (await unit.lockTransactions({ ids })).filter(({ status }) => status === 'PENDING')
  const isHeld = await heldJobs(unit, [item])
  if (batch?.handshake !== 'waiting' || !isHeld(item)) return
  const attempts = await unit.recordHandshakes([{ transactionId: firstId, ...attemptOf(answer, at) }])
  const attempt = attempts.get(firstId) ?? 1
  const next = nextHandshakeStep(answer.httpStatus, attempt)
  const now = deps.clock.now()
  const told = next.step === 'retry' ? [firstId] : pending.map(({ id }) => id)
  await unit.addEvents(
    told.map((transactionId) => ({
      transactionId,
      kind: `handshake_${next.step}` as const,
      detail: `${answerText(attempt, answer)}, about batch ${batch.reference}`,
    })),
    now,
  )
  if (next.step === 'retry') {
    await unit.replaceJobs([item], 'verifyBatch', new Date(now.getTime() + next.afterMs))
    return
  }
  await unit.setBatchHandshake(batch.id, next.step === 'confirmed' ? 'confirmed' : 'refused')
  await unit.finishJobs([item])
  if (next.step === 'confirmed') return goOn(unit, pending, now)
  await endWaiting(unit, pending, now)
  const failed = pending.map((payout) => endPending(payout, 'FAILED', next.failure, now))
  await endWithin(unit, deps, 'PENDING', failed)
}

/** Those that wait for an approver go on when they are approved, and not when their request has lapsed. */
async function goOn(unit: UnitOfWork, pending: readonly Transaction[], now: Date): Promise<void> {
  const approvals = await unit.lockApprovals(pending.map(({ id }) => id))
  const waiting = new Set(
    approvals.flatMap(({ state, transactionId }) => (state === 'approved' ? [] : [transactionId])),
  )
  const ids = pending.flatMap(({ id }) => (waiting.has(id) ? [] : [id]))
  await unit.finishPaymentJobs(ids)
  await unit.addJobs(ids.map((subjectId) => ({ kind: 'holdFunds', subjectId, dueAt: now })))
}

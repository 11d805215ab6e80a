import { handshakeId, lookAgainAt, nextHandshakeStep } from '../domain/handshake.ts'
import { present } from '../domain/present.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { answerText, askVerificationUrl, attemptOf } from './ask-verification-url.ts'
import { heldJobs } from './held-jobs.ts'
import { endWithin, type SettleDeps } from './settle-results.ts'
import type { Delivery } from './ports/delivery.ts'
import type { HandshakeSender } from './ports/handshakes.ts'
import type { RetryLater, ConcurrencyLimiter } from './ports/concurrency-limiter.ts'
import type { TransactionEvent } from './ports/transactions.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { Job } from './ports/jobs.ts'

export type VerifyPayoutDeps = SettleDeps & {
  readonly handshakes: HandshakeSender
  readonly limiter: ConcurrencyLimiter
}

const BATCH_MAX = 64

interface VerificationAttempt {
  readonly item: Job
  readonly payout: Transaction
  readonly at: Date
  readonly answer: Delivery
}

/**
 * Calls the merchants' verification URLs, independently of each other: an unresponsive URL delays no other merchant's
 * payouts. The replies are stored together.
 */
export function createPayoutVerification(deps: VerifyPayoutDeps): (items: readonly Job[]) => readonly Promise<void>[] {
  const record = deps.store.together<VerificationAttempt, undefined>(BATCH_MAX, async (unit, queried) => {
    await recordAnswers(unit, deps, queried)
    return queried.map(() => undefined)
  })
  const reschedule = deps.store.together<RetryLater & { readonly item: Job }, undefined>(
    BATCH_MAX,
    async (unit, rescheduled) => {
      const now = deps.clock.now().getTime()
      await unit.rescheduleJobs(rescheduled.map(({ item, afterMs }) => ({ item, dueAt: new Date(now + afterMs) })))
      return rescheduled.map(() => undefined)
    },
  )

  async function verify(item: Job, payout: Transaction): Promise<void> {
    const { id, internalReference, merchantReference, merchantId } = payout
    const { answered, later } = await askVerificationUrl(deps, {
      transactionId: id,
      merchantId,
      merchantReference,
      webhookId: handshakeId(internalReference),
    })
    if (answered) await record({ item, payout, ...answered })
    if (later) await reschedule({ item: { ...item, destination: later.destination }, ...later })
  }

  return (items) => {
    const pending = pendingPayouts(deps, items)
    return items.map(async (item) => {
      const payout = (await pending).get(item.subjectId)
      if (payout) await verify(item, payout)
    })
  }
}

/**
 * By id; jobs whose payout needs no verification any more are finished. A payout of a batch that one handshake confirms
 * goes on with its batch: its own job is for one that is approved after that.
 */
const pendingPayouts = (
  { store, clock }: VerifyPayoutDeps,
  items: readonly Job[],
): Promise<ReadonlyMap<bigint, Transaction>> =>
  store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const pending = new Map(locked.filter(({ status }) => status === 'PENDING').map((payout) => [payout.id, payout]))
    await unit.finishJobs(items.filter(({ subjectId }) => !pending.has(subjectId)))
    const batched = await unit.batchHandshakesOf([...pending.keys()])
    const [now, open] = [clock.now(), items.filter(({ subjectId }) => pending.has(subjectId))]
    const confirmed = open.filter(({ subjectId }) => batched.get(subjectId) === 'confirmed')
    const waiting = open.filter(({ subjectId }) => batched.get(subjectId) === 'waiting')
    await unit.replaceJobs(confirmed, 'holdFunds', now)
    await unit.rescheduleJobs(waiting.map((item) => ({ item, dueAt: lookAgainAt(now) })))
    for (const id of batched.keys()) pending.delete(id)
    return pending
  })

async function recordAnswers(
  unit: UnitOfWork,
  deps: VerifyPayoutDeps,
  queried: readonly VerificationAttempt[],
): Promise<void> {
  const locked = new Map(
    (await unit.lockTransactions({ ids: queried.map(({ payout }) => payout.id) })).map((payout) => [payout.id, payout]),
  )
  const isHeld = await heldJobs(
    unit,
    queried.map(({ item }) => item),
  )
  const current = queried.filter(({ item, payout }) => isHeld(item) && locked.get(payout.id)?.status === 'PENDING')
  const attempts = await unit.recordHandshakes(
    current.map(({ payout, answer, at }) => ({ transactionId: payout.id, ...attemptOf(answer, at) })),
  )
  const now = deps.clock.now()
  const judged = current.map((one) => {
    const attempt = present(attempts.get(one.payout.id), 'the number of a question')
    return { ...one, attempt, next: nextHandshakeStep(one.answer.httpStatus, attempt) }
  })
  const events = judged.map(({ payout, answer, attempt, next }): TransactionEvent => ({
    transactionId: payout.id,
    kind: `handshake_${next.step}`,
    detail: answerText(attempt, answer),
  }))
  await unit.addEvents(events, now)
  const confirmed = judged.filter(({ next }) => next.step === 'confirmed').map(({ item }) => item)
  await unit.replaceJobs(confirmed, 'holdFunds', now)
  for (const { item, next } of judged)
    if (next.step === 'retry') await unit.replaceJobs([item], 'verifyPayout', new Date(now.getTime() + next.afterMs))
  const refused = judged.flatMap(({ payout, next }) =>
    next.step === 'failed' ? [endPending(present(locked.get(payout.id), 'a payout'), 'FAILED', next.failure, now)] : [],
  )
  if (refused.length > 0) await endWithin(unit, deps, 'PENDING', refused)
}

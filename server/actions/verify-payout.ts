import { destinationOf } from '../domain/destination.ts'
import { handshakeId, nextHandshakeStep } from '../domain/handshake.ts'
import { present } from '../domain/present.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { wasPrompt } from './deliver-callback.ts'
import { heldJobs } from './held-jobs.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
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
    const { internalReference, merchantReference, merchantId } = payout
    const url = (await deps.reference.merchantById(merchantId))?.verificationUrl ?? ''
    let queried: VerificationAttempt | undefined
    const destination = destinationOf(merchantId, 'VERIFICATION')
    const rescheduled = await deps.limiter(
      { host: URL.parse(url)?.host ?? '', merchantId, destination },
      async () => async () => {
        const at = deps.clock.now()
        const answer = await deps.handshakes.request({
          url,
          transactionId: payout.id,
          merchantId,
          merchantReference,
          webhookId: handshakeId(internalReference),
        })
        queried = { item, payout, at, answer }
        return wasPrompt(answer)
      },
    )
    if (queried) await record(queried)
    if (rescheduled) await reschedule({ item: { ...item, destination }, ...rescheduled })
  }

  return (items) => {
    const pending = pendingPayouts(deps, items)
    return items.map(async (item) => {
      const payout = (await pending).get(item.subjectId)
      if (payout) await verify(item, payout)
    })
  }
}

/** By id; jobs whose payout needs no verification any more are finished. */
const pendingPayouts = (
  { store }: VerifyPayoutDeps,
  items: readonly Job[],
): Promise<ReadonlyMap<bigint, Transaction>> =>
  store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const pending = new Map(locked.filter(({ status }) => status === 'PENDING').map((payout) => [payout.id, payout]))
    await unit.finishJobs(items.filter(({ subjectId }) => !pending.has(subjectId)))
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
    detail: `Question ${attempt} to the verification URL: ${answer.httpStatus === undefined ? (answer.error ?? 'no reply') : `HTTP ${answer.httpStatus}`}`,
  }))
  await unit.addEvents(events, now)
  const confirmed = judged.filter(({ next }) => next.step === 'confirmed').map(({ item }) => item)
  await unit.replaceJobs(confirmed, 'holdFunds', now)
  for (const { item, next } of judged)
    if (next.step === 'retry') await unit.replaceJobs([item], 'verifyPayout', new Date(now.getTime() + next.afterMs))
  const refused = judged.flatMap(({ payout, next }) =>
    next.step === 'failed' ? [endPending(present(locked.get(payout.id), 'a payout'), 'FAILED', next.failure, now)] : [],
  )
  if (refused.length > 0)
    await concludeWithin(unit, deps, {
      steps: refused.map((to) => ({ from: 'PENDING', to })),
      notBooked: [],
      events: refused.map(({ id, statusMessage }) => ({
        transactionId: id,
        kind: 'settled',
        detail: `FAILED: ${statusMessage}`,
      })),
    })
}

const attemptOf = ({ durationMs, httpStatus, error }: Delivery, at: Date) => ({
  at,
  durationMs,
  ...(httpStatus !== undefined && { httpStatus }),
  ...(error !== undefined && { error }),
})

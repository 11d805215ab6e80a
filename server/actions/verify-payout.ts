import { addresseeOf } from '../domain/addressee.ts'
import { handshakeId, nextHandshakeStep } from '../domain/handshake.ts'
import { present } from '../domain/present.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import { wasPrompt } from './deliver-callback.ts'
import { heldWork } from './held-work.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
import type { Delivery } from './ports/delivery.ts'
import type { HandshakeSender } from './ports/handshakes.ts'
import type { PutOff, Turns } from './ports/turns.ts'
import type { TransactionEvent, Unit } from './ports/unit.ts'
import type { WorkItem } from './ports/work.ts'

export type VerifyPayoutDeps = SettleDeps & { readonly handshakes: HandshakeSender; readonly turns: Turns }

const BATCH_MAX = 64

interface Asked {
  readonly item: WorkItem
  readonly payout: Transaction
  readonly at: Date
  readonly answer: Delivery
}

/**
 * Asks merchants whether payouts are theirs, each on its own: a verification URL that hangs holds up no other
 * merchant's payouts. What they answer is stored together.
 */
export function createPayoutVerification(
  deps: VerifyPayoutDeps,
): (items: readonly WorkItem[]) => readonly Promise<void>[] {
  const record = deps.store.together<Asked, undefined>(BATCH_MAX, async (unit, asked) => {
    await recordAnswers(unit, deps, asked)
    return asked.map(() => undefined)
  })
  const postpone = deps.store.together<PutOff & { readonly item: WorkItem }, undefined>(
    BATCH_MAX,
    async (unit, putOffs) => {
      const now = deps.clock.now().getTime()
      await unit.postponeWork(putOffs.map(({ item, afterMs }) => ({ item, dueAt: new Date(now + afterMs) })))
      return putOffs.map(() => undefined)
    },
  )

  async function verify(item: WorkItem, payout: Transaction): Promise<void> {
    const { internalReference, merchantReference, merchantId } = payout
    const url = (await deps.reference.merchantById(merchantId))?.verificationUrl ?? ''
    let asked: Asked | undefined
    const addressee = addresseeOf(merchantId, 'VERIFICATION')
    const putOff = await deps.turns(
      { host: URL.parse(url)?.host ?? '', merchantId, addressee },
      async () => async () => {
        const at = deps.clock.now()
        const answer = await deps.handshakes.ask({
          url,
          transactionId: payout.id,
          merchantId,
          merchantReference,
          webhookId: handshakeId(internalReference),
        })
        asked = { item, payout, at, answer }
        return wasPrompt(answer)
      },
    )
    if (asked) await record(asked)
    if (putOff) await postpone({ item: { ...item, addressee }, ...putOff })
  }

  return (items) => {
    const pending = pendingPayouts(deps, items)
    return items.map(async (item) => {
      const payout = (await pending).get(item.subjectId)
      if (payout) await verify(item, payout)
    })
  }
}

/** By their id; work whose payout needs no question any more is finished. */
const pendingPayouts = (
  { store }: VerifyPayoutDeps,
  items: readonly WorkItem[],
): Promise<ReadonlyMap<bigint, Transaction>> =>
  store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const pending = new Map(locked.filter(({ status }) => status === 'PENDING').map((payout) => [payout.id, payout]))
    await unit.finishWork(items.filter(({ subjectId }) => !pending.has(subjectId)))
    return pending
  })

async function recordAnswers(unit: Unit, deps: VerifyPayoutDeps, asked: readonly Asked[]): Promise<void> {
  const locked = new Map(
    (await unit.lockTransactions({ ids: asked.map(({ payout }) => payout.id) })).map((payout) => [payout.id, payout]),
  )
  const isHeld = await heldWork(
    unit,
    asked.map(({ item }) => item),
  )
  const ours = asked.filter(({ item, payout }) => isHeld(item) && locked.get(payout.id)?.status === 'PENDING')
  const attempts = await unit.recordHandshakes(
    ours.map(({ payout, answer, at }) => ({ transactionId: payout.id, ...attemptOf(answer, at) })),
  )
  const now = deps.clock.now()
  const judged = ours.map((one) => {
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
  await unit.replaceWork(confirmed, 'holdFunds', now)
  for (const { item, next } of judged)
    if (next.step === 'retry') await unit.replaceWork([item], 'verifyPayout', new Date(now.getTime() + next.afterMs))
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

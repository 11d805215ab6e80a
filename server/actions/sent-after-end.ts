import { claimedAsPaid, NEVER_SENT, TIMED_OUT, type Transaction } from '../domain/transaction.ts'
import { concludeWithin, type ConcludeDeps } from './settle-results.ts'
import type { RepliedOrder } from './submission-rules.ts'
import type { UnitOfWork } from './ports/store.ts'

/**
 * Whether an order went out, or may have, that we had failed before: what its operator has failed is at an end.
 * @param isResolved staff has failed it
 */
const isSentAfterEnd = ({ answer, isSent }: RepliedOrder, ended: Transaction, isResolved: boolean): boolean =>
  isSent === true &&
  (answer.answer === 'accepted' || answer.answer === 'unreachable') &&
  ended.status === 'FAILED' &&
  (isResolved || OURS.has(ended.statusMessage))

const OURS: ReadonlySet<string> = new Set([TIMED_OUT.reason, NEVER_SENT.reason])

/**
 * The payouts and refunds among these that went out after they had failed: the money may be gone, and nobody
 * polls them.
 */
export async function raiseSentAfterEnd(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  locked: readonly Transaction[],
  late: readonly RepliedOrder[],
): Promise<readonly Transaction[]> {
  if (late.length === 0) return []
  const [now, byId] = [deps.clock.now(), new Map(locked.map((transaction) => [transaction.id, transaction]))]
  const resolved = await unit.eventDetails('resolved', [...byId.keys()])
  const claims = late.flatMap((one) => {
    const ended = byId.get(one.order.transaction.id)
    const claim =
      ended && isSentAfterEnd(one, ended, resolved.has(ended.id)) && claimedAsPaid(ended, SENT_AFTER_END, now)
    return claim ? [claim] : []
  })
  return concludeWithin(unit, deps, {
    steps: [],
    notBooked: claims.map(({ transaction }) => transaction),
    events: claims.map(({ transaction: { id }, why }) => ({ transactionId: id, kind: 'paid_not_booked', detail: why })),
  })
}

export const SENT_AFTER_END =
  'It went to its operator after it had failed here. The money may have moved: staff must settle it'

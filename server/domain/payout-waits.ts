import type { Failure } from './failure-code.ts'
import { STATUS_MESSAGES } from './transaction.ts'

// Payouts that their operator could not pay now: it has no float for them, or it does not answer. They wait here, with
// their money held, instead of failing there.

/** `float`: the operator does not hold enough for us. `operator`: it does not answer. */
export type WaitReason = 'float' | 'operator'

/** What payouts through a rail account depend on now. */
export interface PayoutTerms {
  readonly railAccount: string
  /** How long a payout waits before it fails; zero: it does not wait. */
  readonly waitMs: number
  /** `trying`: it did not answer lately, and one order may find out whether it does again. */
  readonly operator: 'there' | 'trying' | 'away'
  /** Whether the operator reports the balance that it pays from. */
  readonly hasFloat: boolean
}

/** A payout that was never sent, in the queue of its rail account. */
export interface QueuedPayout {
  readonly id: bigint
  readonly merchantId: bigint
  readonly amountMinor: bigint
  readonly createdAt: Date
  /** Since when it has waited. */
  readonly since: Date
  /** It is too old to be sent: it goes now or fails. */
  readonly isTooOld?: boolean
}

export type PayoutDecision =
  | { readonly step: 'go' }
  | { readonly step: 'wait'; readonly reason: WaitReason }
  | { readonly step: 'fail'; readonly failure: Failure }

export const WAIT_MESSAGES = {
  float: STATUS_MESSAGES.awaitingFloat,
  operator: STATUS_MESSAGES.awaitingOperator,
} as const satisfies Record<WaitReason, string>

/** Nothing was handed over, so the hold is released. */
export const WAITED_IN_VAIN = {
  float: { reason: 'The operator has no float for this payout', code: 'no_float' },
  operator: { reason: 'The operator could not be reached', code: 'operator_unreachable' },
} as const satisfies Record<WaitReason, Failure>

/** Whether a transaction with this message waits for its operator. */
export const isWaitMessage = (message: string): boolean => Object.values<string>(WAIT_MESSAGES).includes(message)

/** How long a payout waits before it is looked at again. A new balance and an operator that is back wake it at once. */
export const WAIT_RETRY_MS = 60_000
/** Smaller payouts may overtake one that the float does not cover, until it has waited for this long. */
export const OVERTAKEN_MS_MAX = 10 * 60_000

/**
 * Decides about payouts as if everything that waits at their rail account were decided now.
 * @param here those to decide about
 * @param elsewhere the others that wait: what they get is not there for these
 * @param floatMinor undefined: it is not known, and limits nothing
 */
export function decidePayouts(
  here: readonly QueuedPayout[],
  elsewhere: readonly QueuedPayout[],
  { waitMs, operator, floatMinor }: Pick<PayoutTerms, 'waitMs' | 'operator'> & { readonly floatMinor?: bigint },
  now: Date,
): ReadonlyMap<bigint, PayoutDecision> {
  const covered = coveredBy(floatMinor, [...here, ...elsewhere].toSorted(byTime), now)
  const [first] = here.filter(({ id }) => covered.has(id)).toSorted(byTime)
  const isSent = ({ id }: QueuedPayout): boolean =>
    covered.has(id) && (operator === 'there' || (operator === 'trying' && id === first?.id))
  return new Map(
    here.map((payout): [bigint, PayoutDecision] => {
      if (isSent(payout) || waitMs === 0) return [payout.id, { step: 'go' }]
      const reason = operator === 'away' || covered.has(payout.id) ? 'operator' : 'float'
      const isOver = payout.isTooOld === true || now.getTime() - payout.since.getTime() >= waitMs
      return [payout.id, isOver ? { step: 'fail', failure: WAITED_IN_VAIN[reason] } : { step: 'wait', reason }]
    }),
  )
}

const byTime = (a: QueuedPayout, b: QueuedPayout): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || Number(a.id - b.id)

/**
 * What the float covers. First come those that have waited too long to be overtaken: the first of them that is not
 * covered keeps all later payouts back, which ends when it fails. Then the merchant that has got least is next
 * (max-min fairness), each with its oldest payout; what is not covered is overtaken.
 */
function coveredBy(floatMinor: bigint | undefined, queue: readonly QueuedPayout[], now: Date): ReadonlySet<bigint> {
  const wantedMinor = queue.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  if (floatMinor === undefined || wantedMinor <= floatMinor) return new Set(queue.map(({ id }) => id))
  let leftMinor = floatMinor
  const covered = new Set<bigint>()
  const takenMinor = new Map<bigint, bigint>()
  const takenBy = (merchantId: bigint): bigint => takenMinor.get(merchantId) ?? 0n
  function take({ id, merchantId, amountMinor }: QueuedPayout): boolean {
    if (amountMinor > leftMinor) return false
    leftMinor -= amountMinor
    takenMinor.set(merchantId, takenBy(merchantId) + amountMinor)
    covered.add(id)
    return true
  }
  const isOverdue = ({ since }: QueuedPayout): boolean => now.getTime() - since.getTime() >= OVERTAKEN_MS_MAX
  for (const payout of queue) if (isOverdue(payout) && !take(payout)) return covered
  const queues = Map.groupBy(
    queue.filter((payout) => !isOverdue(payout)),
    ({ merchantId }) => merchantId,
  )
  while (queues.size > 0) {
    const [merchantId, own] = [...queues].reduce((least, one) => (takenBy(one[0]) < takenBy(least[0]) ? one : least))
    const next = own.shift()
    if (next) take(next)
    else queues.delete(merchantId)
  }
  return covered
}

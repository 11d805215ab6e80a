import { BoundedMap } from './bounded-map.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'
import { claimsIn, isAfter, nameOf, valueIn, type Claim } from './payments/claims.ts'
import type { Rule } from './rule.ts'

/** What the record of a cancelled payout has. */
const ENDED: readonly (readonly [name: string, value: unknown])[] = [
  ['transaction_status', 'FAILED'],
  ['status_message', 'Payout cancelled by the merchant'],
  ['failure_code', 'merchant_cancelled'],
]

/** A payout that was cancelled stays so, and is cancelled once. */
function cancelledPayoutJudge(): Judge {
  const cancelled = new BoundedMap<string, Claim['ended']>()
  const stateFaults = (claim: Claim): readonly Fault[] => {
    const ended = cancelled.get(claim.internalReference)
    if (ended === undefined || !isAfter(claim, { ended, source: 'its acceptance' })) return []
    return ENDED.flatMap(([name, value]) =>
      faultIf(
        name in claim.fields && claim.fields[name] !== value,
        `${name} of a cancelled payout`,
        `${name} of ${nameOf(claim)} is ${valueIn(claim, name)} in ${claim.source}, after its cancellation was answered 202: it is ${JSON.stringify(value)} from then on`,
        claim.about,
      ),
    )
  }
  return (seen) => {
    const reference = cancelledIn(seen)
    const states = claimsIn(seen).flatMap(stateFaults)
    if (reference === undefined) return states
    const before = cancelled.get(reference)
    cancelled.set(reference, before ?? seen.ended)
    const twice = `the payout ${reference} was cancelled twice: its second cancellation was answered 202, not 409`
    return [...states, ...faultIf(before !== undefined && seen.began > before, 'cancelled twice', twice)]
  }
}

/** The payout that a reply says is cancelled; a replay says it again. */
function cancelledIn({ operation, exchange: { reply }, data, isReplay }: ObservedExchange): string | undefined {
  if (operation?.id !== 'cancelPayout' || reply.status !== 202 || isReplay) return undefined
  return typeof data.internal_reference === 'string' ? data.internal_reference : undefined
}

export const cancelledPayoutsRule: Rule = {
  name: 'cancelled payouts',
  reason: 'Of paying and cancelling exactly one happens: a cancelled payout is FAILED from then on.',
  plantedFault: 'cancel-without-effect',
  judging: () => ({ each: cancelledPayoutJudge() }),
}

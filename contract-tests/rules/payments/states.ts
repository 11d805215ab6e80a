import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, isAfter, isFinal, nameOf, type Claim } from './claims.ts'

interface History {
  /** The earliest message with each status. */
  readonly statuses: Map<string, Claim>
  mayChange: boolean
}

/** PENDING, PROCESSING, a final state; then only FAILED may become COMPLETED, where the request allows it. */
function stateJudge(): Judge {
  const known = new BoundedMap<string, History>()
  return (seen) =>
    claimsIn(seen).flatMap((claim) => {
      const history = known.of(claim.internalReference, () => ({ statuses: new Map(), mayChange: true }))
      if (forbidsChange(seen)) history.mayChange = false
      const { transaction_status: status } = claim.fields
      if (typeof status !== 'string') return []
      const faults = [...history.statuses].flatMap(([before, earlier]) =>
        contradictions(status, claim, before, earlier, history.mayChange),
      )
      if (!history.statuses.has(status)) history.statuses.set(status, claim)
      return faults
    })
}

function contradictions(status: string, now: Claim, before: string, then: Claim, mayChange: boolean): readonly Fault[] {
  const isLate = [before, status].toSorted().join() === 'COMPLETED,FAILED'
  const isTwoEnds = isFinal(before) && isFinal(status) && before !== status && !(isLate && mayChange)
  // A callback that is sent again says what was.
  const goesBack = now.source !== 'a callback' && isAfter(now, then) && rankOf(status) < rankOf(before)
  const isAgain = [now, then].every(({ about }) => about === 'cancelPayout') && isAfter(now, then)
  const why = isLate && !mayChange ? 'its request forbids that, or it was cancelled' : 'a status never goes back'
  const rule = isTwoEnds ? [before, status].toSorted().join(' and ') : `${status} after ${before}`
  const what = `${nameOf(now)} is ${status} in ${now.source}, and was ${before} in ${then.source} before: ${why}`
  return [
    ...faultIf(isTwoEnds || goesBack, `state ${rule}`, what, now.about),
    ...faultIf(isAgain, 'cancelled twice', `${nameOf(now)} was cancelled twice, by two replies 202`),
  ]
}

/** `allow_final_status_change: false`, or a cancellation. */
const forbidsChange = ({ operation, sent, exchange }: ObservedExchange): boolean =>
  (operation?.id === 'initializeCollection' && sent.allow_final_status_change === false) ||
  (operation?.id === 'cancelPayout' && exchange.reply.status === 202)

/** COMPLETED stands above the other ends: it stays after a late result. */
const rankOf = (status: string): number =>
  ['PENDING', 'PROCESSING', 'FAILED', 'COMPLETED'].indexOf(status.replace('CANCELLED', 'FAILED'))

export const statesRule: Rule = {
  name: 'states',
  reason: 'A status never goes back, a final state stays but for a late success, and a payout is cancelled once.',
  plantedFault: 'late-success-where-a-name-was-sent',
  judging: () => ({ each: stateJudge() }),
}

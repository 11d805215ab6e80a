import { BoundedMap } from '../bounded-map.ts'
import { claimsIn, isAfter, isFinal, type Claim } from './claims.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { pageIn } from '../pages.ts'

interface FinalOutcome {
  /** Every final status that a message reported. */
  readonly statuses: Set<string>
  /** The first of these messages. */
  readonly first: Claim
  /** When the last of them was begun. */
  last: number
}

/** Which transactions are final, and since when. */
export function createFinalOutcomes() {
  const outcomes = new BoundedMap<string, FinalOutcome>()
  return {
    note(seen: ObservedExchange): void {
      for (const claim of claimsIn(seen)) {
        const { internalReference, fields } = claim
        if (!isFinal(fields.transaction_status)) continue
        const outcome = outcomes.of(internalReference, () => ({ statuses: new Set(), first: claim, last: 0 }))
        outcome.statuses.add(String(fields.transaction_status))
        if (claim.source === 'verify') outcome.last = Math.max(outcome.last, claim.began)
      }
    },
    /** The payment page in a reply that was requested when its transaction was final for certain. */
    pageIn(seen: ObservedExchange) {
      const page = pageIn(seen)
      const { first } = (page && outcomes.get(page.reference)) ?? {}
      const isFinalPage = first && isAfter({ began: seen.began, source: 'a redirect' }, first)
      return isFinalPage && seen.exchange.reply.status === 200 ? page : undefined
    },
    /** The only final status of a transaction, if verify still had it at a time; else it may have changed by then. */
    statusAfter(reference: string, time: number): string | undefined {
      const { statuses = [], last = 0 } = outcomes.get(reference) ?? {}
      const [status, ...others] = statuses
      return others.length === 0 && last >= time ? status : undefined
    },
  }
}

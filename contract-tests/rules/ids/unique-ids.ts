import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { namedIn } from './named-things.ts'

/** Bound above a nightly run's ids; later ones are compared with these. */
const REMEMBERED_MAX = 500_000

/** An id names one thing: two of them never share one. */
function uniqueIdsJudge(): Judge {
  const known = new Map<string, string>()
  return (seen) =>
    namedIn(seen).flatMap(([what, id, thing]): readonly Fault[] => {
      // Gateways of our own, which draw their ids from one seed, differ in their address.
      const key = `${seen.direction === 'asked' ? seen.exchange.request.headers.host?.[0] : ''} ${what} ${id}`
      const before = known.get(key) ?? thing
      if (known.size < REMEMBERED_MAX) known.set(key, before)
      return faultIf(
        before !== thing,
        `${what} twice`,
        `the ${what} ${id.slice(0, 64)} is that of ${before}, and now that of ${thing}: each has its own by the contract`,
      )
    })
}

export const uniqueIdsRule: Rule = {
  name: 'unique ids',
  reason: 'An id, a reference that the server made and a webhook-id each name one thing.',
  plantedFault: 'internal-reference-repeated',
  judging: () => ({ each: uniqueIdsJudge() }),
}

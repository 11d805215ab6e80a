import { acceptedPayment } from '../accepted-payment.ts'
import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'

/** Bound above a nightly run's ids; later ones are compared with these. */
const IDS_MAX = 500_000

/** An id names one thing: two of them never share one. */
function uniqueIdsJudge(): Judge {
  const known = new BoundedMap<string, string>(IDS_MAX)
  return (seen) =>
    namedIn(seen).flatMap(([what, id, thing]): readonly Fault[] => {
      // Callbacks are compared with each other only: their host is the merchant's.
      const before = known.of(`${seen.direction === 'asked' ? seen.host : ''} ${what} ${id}`, () => thing)
      return faultIf(
        before !== thing,
        `${what} twice`,
        `the ${what} ${id.slice(0, 64)} is that of ${before}, and now that of ${thing}: each has its own by the contract`,
      )
    })
}

/** What the ids of an exchange name; that of a message, `webhook-id`, is a rule of its own. */
function namedIn(seen: ObservedExchange): readonly (readonly [what: string, id: string, thing: string])[] {
  const accepted = seen.isReplay ? undefined : acceptedPayment(seen)
  const whatOf = (type: unknown): string => (type === 'REFUND' ? 'refund' : 'payment')
  if (accepted) {
    const { internalReference, merchantReference, type, isAuto } = accepted
    return [
      ['internal_reference', internalReference, `the ${whatOf(type)} ${merchantReference}`],
      ...(isAuto ? [['merchant_reference', merchantReference, `the payment ${internalReference}`] as const] : []),
    ]
  }
  const { id, internal_reference: reference, merchant_reference, transaction_type: type } = seen.record
  if (typeof reference !== 'string') return []
  return [
    ['id', String(id), `the ${whatOf(type)} ${reference}`],
    ['internal_reference', reference, `the ${whatOf(type)} ${String(merchant_reference)}`],
  ]
}

export const uniqueIdsRule: Rule = {
  name: 'unique ids',
  reason: 'An id and a reference that the server made each name one thing.',
  plantedFault: 'internal-reference-repeated',
  judging: () => ({ each: uniqueIdsJudge() }),
}

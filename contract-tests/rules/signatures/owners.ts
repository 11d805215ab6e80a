import { acceptedPayment } from '../accepted-payment.ts'
import { BoundedMap } from '../bounded-map.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import type { Account } from '../secrets/known-secrets.ts'
import type { SignedMessage } from './signed-messages.ts'

/** Finds whose keys a message must be signed with. */
export function createOwners(given: readonly Account[]) {
  const requestedBy = new BoundedMap<string, string>()
  const at = (path: string | undefined): readonly Account[] =>
    given.filter(({ paths = [] }) => path !== undefined && paths.includes(path))
  return {
    /** Remembers whose keys a payment was requested with. */
    note(seen: ObservedExchange): void {
      const accepted = acceptedPayment(seen)
      if (accepted && seen.merchant !== '') requestedBy.set(accepted.internalReference, seen.merchant)
    },
    /** The account at whose URL it arrived, else the one that requested the payment, else any. Empty: an unknown one. */
    of({ path, internalReference = '' }: SignedMessage): readonly Account[] {
      const atUrl = at(path)
      if (atUrl.length > 0) return atUrl
      const key = requestedBy.get(internalReference)
      return key === undefined ? given : given.filter(({ publicKey }) => publicKey === key)
    },
    /** Whether another account requested its payment than the one at whose URL it arrived. */
    isAstray({ path, internalReference = '' }: SignedMessage): boolean {
      const [key, atUrl] = [requestedBy.get(internalReference), at(path)]
      return key !== undefined && atUrl.length > 0 && atUrl.every(({ publicKey }) => publicKey !== key)
    },
  }
}

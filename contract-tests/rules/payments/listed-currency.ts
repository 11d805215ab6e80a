import { listOf } from '../../harness/json.ts'
import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Fault } from '../observed-exchange.ts'
import type { Judging, Rule } from '../rule.ts'
import { claimsIn, nameOf, type Claim } from './claims.ts'

/** A transaction is in a currency in which its provider is listed. A list may come before or after it. */
function listedCurrencyJudging(): Judging {
  const listed = new BoundedMap<string, Set<string>>()
  /** One transaction of each provider and currency. */
  const waiting = new BoundedMap<string, Claim>()
  return {
    each: (seen) => {
      for (const { provider_code: code, transaction_currency: currency } of listOf(seen.data.payment_providers))
        listed.of(String(code), () => new Set()).add(String(currency))
      for (const claim of claimsIn(seen)) {
        const { provider_code: code, transaction_currency: currency } = claim.fields
        if (claim.isWhole) waiting.set(`${String(code)} ${String(currency)}`, claim)
      }
      return []
    },
    end: () =>
      [...waiting.values()].flatMap((claim): readonly Fault[] => {
        const { provider_code: code, transaction_currency: currency } = claim.fields
        const currencies = listed.get(String(code))
        return faultIf(
          currencies !== undefined && !currencies.has(String(currency)),
          'currency of no list',
          `transaction_currency of ${nameOf(claim)} is ${String(currency)}; ${String(code)} is listed for ${[...(currencies ?? [])].join(', ')}`,
          claim.about,
        )
      }),
  }
}

export const listedCurrencyRule: Rule = {
  name: 'listed currencies',
  reason: 'A transaction is in a currency in which its provider is listed.',
  plantedFault: 'transaction-in-another-currency',
  judging: listedCurrencyJudging,
}

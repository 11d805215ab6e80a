import { listOf, type Fields } from '../harness/json.ts'
import { claimIn, type Claim } from './listed-providers/claims.ts'
import type { Fault } from './observed-exchange.ts'
import type { Judging, Rule } from './rule.ts'

/** Bound on sentences that wait for a list; older ones are dropped. */
const WAITING_MAX = 5_000
/**
 * What a refusal says of a provider must agree with the list of providers: limits, currency, name, and that there is
 * no such provider.
 */
function listedProviderJudging(): Judging {
  const listed = new Map<string, Fields>()
  const waiting: Claim[] = []
  const held = ({ code, type, faultsBy }: Claim): readonly Fault[] =>
    faultsBy(
      listed.get(`${code} ${type}`),
      ['COLLECTION', 'PAYOUT'].some((each) => listed.has(`${code} ${each}`)),
    )
  return {
    each: (seen) => {
      for (const provider of listOf(seen.data.payment_providers)) {
        const { provider_code: code, transaction_type: type } = provider
        listed.set(`${String(code)} ${String(type).toUpperCase()}`, provider)
      }
      const claim = claimIn(seen)
      if (!claim) return []
      if (listed.has(`${claim.code} ${claim.type}`)) return held(claim)
      if (waiting.length < WAITING_MAX) waiting.push(claim)
      return []
    },
    end: () => waiting.flatMap(held),
  }
}

export const listedProvidersRule: Rule = {
  name: 'listed providers',
  reason: 'What a refusal says of a provider agrees with the list of providers.',
  plantedFault: 'airtel-rw-minimum-listed-lower',
  judging: listedProviderJudging,
}

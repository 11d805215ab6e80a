import { BoundedMap } from '../bounded-map.ts'
import { faultIf, type Fault, type Judge } from '../observed-exchange.ts'
import type { Rule } from '../rule.ts'
import { claimsIn, isFinal, isSameValue, nameOf, valueIn, type Claim } from './claims.ts'

/**
 * The record of a final state is the same in each verify reply and callback of that state, and a redirect has the same
 * outcome. A late result is another state (page "Life of a transaction", "When a final state changes").
 */
function finalRecordJudge(): Judge {
  const known = new BoundedMap<string, Claim>()
  const differing = (claim: Claim): readonly Fault[] => {
    const { transaction_status: status } = claim.fields
    if (!isFinal(status)) return []
    const key = `${claim.internalReference} ${String(status)}`
    const other = known.of(key, () => claim)
    if (claim.isWhole && !other.isWhole) known.set(key, claim)
    return comparedFields(claim, other).flatMap((name) =>
      faultIf(
        !isSameValue(name, claim, other),
        `final ${name} of ${claim.source} and of ${other.source}`,
        `${name} of ${nameOf(claim)}, which is ${String(status)}, is ${valueIn(claim, name)} in ${claim.source}, and ${valueIn(other, name)} in ${other.source}: the record of a final state does not change`,
        claim.about,
      ),
    )
  }
  return (seen) => claimsIn(seen).flatMap(differing)
}

/** All fields of two records; of a part of a record, those that both have. */
function comparedFields(one: Claim, other: Claim): readonly string[] {
  const names = [...new Set([one, other].flatMap(({ fields }) => Object.keys(fields)))]
  const has = ({ fields, isWhole }: Claim, name: string): boolean => name in fields || (isWhole && name !== 'event')
  return names.filter((name) => has(one, name) && has(other, name))
}

export const finalRecordsRule: Rule = {
  name: 'final records',
  reason: 'The record of a final state never changes: callback, verify and redirect say the same.',
  plantedFault: 'outcome-worded-differently',
  judging: () => ({ each: finalRecordJudge() }),
}

import { isOld } from '../../openapi/reading/dated-facts.ts'
import { contractOf } from './operator-contract.ts'
import type { RailKind } from './rail-kind.ts'

/** How old the facts are that a rail relies on. */
export interface FactAges {
  readonly all: number
  /** Last observed more than six months ago. */
  readonly old: number
  /** The date of the oldest. */
  readonly oldest?: string
}

/** Of the kind's contract. */
export function factAges(kind: Pick<RailKind, 'name' | 'contract'>, now: Date): FactAges {
  const { facts } = contractOf(kind)
  const [oldest] = facts.map(({ date }) => date).toSorted()
  return {
    all: facts.length,
    old: facts.filter((fact) => isOld(fact, now)).length,
    ...(oldest !== undefined && { oldest }),
  }
}

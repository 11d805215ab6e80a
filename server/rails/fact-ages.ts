import { isOld } from '../../openapi/reading/dated-facts.ts'
import { operatorContract } from './operator-contract.ts'

/** How old the facts are that a rail relies on. */
export interface FactAges {
  readonly all: number
  /** Last observed more than six months ago. */
  readonly old: number
  /** The date of the oldest. */
  readonly oldest?: string
}

/** @param name of the kind, whose contract has the facts */
export function factAges(name: string, now: Date): FactAges {
  const { facts } = operatorContract(name)
  const [oldest] = facts.map(({ date }) => date).toSorted()
  return {
    all: facts.length,
    old: facts.filter((fact) => isOld(fact, now)).length,
    ...(oldest !== undefined && { oldest }),
  }
}

import { allEnded } from '../actions/by-rail-account.ts'
import type { InParts, Operator } from '../actions/ports/operator-parts.ts'
import type { ClaimExclusions } from '../actions/ports/jobs.ts'

/** The operators whose replies a queue waits for. Further jobs for these operators wait; jobs for others do not. */
interface AwaitedOperators {
  /** What a claim that starts now excludes; undefined: nothing. */
  exclusions(): ClaimExclusions | undefined
  isAny(): boolean
  /**
   * Returns the function that runs the parts of one run.
   * @param onlyWaits called once the run waits for nothing but operators
   */
  partsOf(onlyWaits: () => void): InParts
}

interface AwaitedOperator {
  readonly operator: Operator
  /** A claim has excluded jobs of this operator, so there may be some. */
  wasExcluded: boolean
}

/** @param onFree called when an operator whose jobs a claim excluded is no longer awaited */
export function createAwaitedOperators(onFree: () => void): AwaitedOperators {
  const awaited = new Set<AwaitedOperator>()

  function wait(operator: Operator): () => void {
    const one: AwaitedOperator = { operator, wasExcluded: false }
    awaited.add(one)
    return () => {
      awaited.delete(one)
      if (one.wasExcluded) onFree()
    }
  }

  return {
    exclusions() {
      if (awaited.size === 0) return undefined
      for (const one of awaited) one.wasExcluded = true
      const operators = [...awaited].map(({ operator }) => operator)
      return {
        railAccounts: [...new Set(operators.map(({ railAccount }) => railAccount))],
        providers: [...new Set(operators.flatMap(({ providers }) => providers))],
      }
    },

    isAny: () => awaited.size > 0,

    partsOf: (onlyWaits) => (parts) => {
      const own = parts.filter(({ operator }) => !operator).map(({ run }) => run())
      const ofOperators = parts.flatMap(({ operator, run }) => (operator ? [run().finally(wait(operator))] : []))
      if (ofOperators.length > 0) void Promise.allSettled(own).then(onlyWaits)
      return allEnded([...own, ...ofOperators])
    },
  }
}

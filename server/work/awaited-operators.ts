import { allEnded } from '../actions/by-installation.ts'
import type { InParts, Operator } from '../actions/ports/operator-parts.ts'
import type { LeftOut } from '../actions/ports/work.ts'

/** The operators whose answers a lane waits for. What else is for them waits, and what is for others does not. */
export interface AwaitedOperators {
  /** What a claim that begins now leaves to wait; undefined: nothing. */
  leftOut(): LeftOut | undefined
  isAny(): boolean
  /**
   * What runs the parts of one run.
   * @param onlyWaits told once nothing but operators keeps the run from its end
   */
  partsOf(onlyWaits: () => void): InParts
}

interface Awaited {
  readonly operator: Operator
  /** A claim has left out what is for it: perhaps there is some. */
  wasLeftOut: boolean
}

/** @param onFree nobody waits any more for an operator whose work a claim has left out */
export function createAwaitedOperators(onFree: () => void): AwaitedOperators {
  const awaited = new Set<Awaited>()

  function wait(operator: Operator): () => void {
    const one: Awaited = { operator, wasLeftOut: false }
    awaited.add(one)
    return () => {
      awaited.delete(one)
      if (one.wasLeftOut) onFree()
    }
  }

  return {
    leftOut() {
      if (awaited.size === 0) return undefined
      for (const one of awaited) one.wasLeftOut = true
      const operators = [...awaited].map(({ operator }) => operator)
      return {
        installations: [...new Set(operators.map(({ installation }) => installation))],
        providers: [...new Set(operators.flatMap(({ providers }) => providers))],
      }
    },

    isAny: () => awaited.size > 0,

    partsOf: (onlyWaits) => (parts) => {
      const own = parts.filter(({ operator }) => !operator).map(({ run }) => run())
      const theirs = parts.flatMap(({ operator, run }) => (operator ? [run().finally(wait(operator))] : []))
      if (theirs.length > 0) void Promise.allSettled(own).then(onlyWaits)
      return allEnded([...own, ...theirs])
    },
  }
}

import type { DrillPart } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import type { Outcome } from './run.ts'

/** Knowledge of a drill so far. @param outcomes those of an earlier one; new ones are added */
export function createKnownOutcomes(outcomes: Outcome[]) {
  const isOf = (part: DrillPart, fault: Fault, { fault: name, part: by, through }: Outcome): boolean =>
    name === fault.name && (through ?? by) === part.name
  return {
    /** Replaces an earlier outcome of the same part and fault. */
    learn(part: DrillPart, fault: Fault, said: readonly Outcome[]): void {
      const others = outcomes.filter((outcome) => !isOf(part, fault, outcome))
      outcomes.splice(0, Infinity, ...others, ...said)
    },
    /** Found by this part; or not found by it, and watched meanwhile. */
    isKnown(part: DrillPart, fault: Fault): boolean {
      const said = outcomes.filter((outcome) => isOf(part, fault, outcome))
      return said.length > 1 || said.some(({ verdict, through }) => verdict === 'killed' && through === undefined)
    },
    isFound: ({ name }: Fault): boolean =>
      outcomes.some(({ fault, verdict }) => fault === name && verdict === 'killed'),
  }
}

import { byCause } from '../../harness/causes.ts'
import type { Finding } from '../../harness/part.ts'
import { withContract, type DrillOptions } from './fault-drill.ts'
import type { Fault } from './fault.ts'
import { heldBy } from './run.ts'
import { together } from './together.ts'

/** Findings about one server with many faults. */
export interface CombinedRun {
  readonly faults: readonly Fault[]
  /** One per cause, whichever parts found it. */
  readonly things: readonly Finding[]
  /** Parts without a verdict, with the reason. */
  readonly ended: readonly string[]
}

/**
 * Plants all of the faults in one gateway and runs every part against it. Some faults hide others, because an earlier
 * check refuses first. But many faults must lead to nearly as many findings.
 */
export const findAtOnce = ({
  databases,
  faults,
  parts,
  seed,
  log,
  signal,
}: Pick<DrillOptions, 'databases' | 'faults' | 'parts' | 'seed' | 'log' | 'signal'>): Promise<CombinedRun> =>
  withContract(async (contract) => {
    const all = together(`${faults.length} at once`, faults)
    const found: Finding[] = []
    const ended: string[] = []
    for (const part of parts.filter((each) => each.reaches(all) || faults.some(each.reaches))) {
      const settings = { databases, seed, contract, ...(signal && { signal }) }
      try {
        const { own, everywhere } = await heldBy(part, all, settings)
        found.push(...own.findings, ...(everywhere?.findings ?? []))
        log(`${part.name}: ${own.findings.length} findings, ${everywhere?.findings.length ?? 0} everywhere`)
      } catch (error) {
        if (signal?.aborted) throw error
        ended.push(`${part.name}: ${error instanceof Error ? error.message : String(error)}`)
        log(ended.at(-1) ?? '')
      }
    }
    return { faults, things: byCause(found), ended }
  })

export function atOnceText({ faults, things, ended }: CombinedRun): string {
  return [
    `A server with ${faults.length} faults at once: ${faults.map(({ name }) => name).join(', ')}`,
    '',
    ...things.map(({ about, what }) => `${about}: ${what.slice(0, 160)}`),
    ...ended.map((each) => `no end: ${each}`),
    '',
    `${things.length} different findings about ${faults.length} faults`,
  ].join('\n')
}

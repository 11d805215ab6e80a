import { readContract } from '../../../openapi/reading/contract.ts'
import type { PartResult, Target } from '../part.ts'
import { startGivenTarget } from '../targets.ts'
import { ownJudges } from './judges.ts'
import { createWatch } from './watch.ts'

/** A watched target, for a run of one part alone. */
export interface WatchedTarget {
  /** Use in place of the original target. */
  readonly target: Target
  /** Findings of the watch; undefined when there was no traffic. */
  result(): PartResult | undefined
  close(): Promise<void>
}

/** Puts the watch between a part and its target, as the suite does, and in front of the part's receiver. */
export async function watchAround(target: Target): Promise<WatchedTarget> {
  const { own, sandbox, receiver, other, directUrl } = target
  const contract = readContract(target.contract)
  const watch = createWatch({ contract, judges: ownJudges(contract, true), isOneServer: true })
  watch.server([{ ...target, ...receiver }, other && { ...other, ...other.receiver }], { url: target.url, sandbox })
  const recorded = await startGivenTarget(target, (exchange, direction) => watch.record(exchange, direction))
  return {
    target: {
      ...recorded.target,
      ...(own && { own }),
      ...(directUrl !== undefined && { directUrl }),
    },
    result: () => watch.result(),
    close: () => recorded.close(),
  }
}

import { readContract } from '../../openapi/reading/contract.ts'
import type { PartResult, Target } from '../harness/part.ts'
import { startGivenTarget } from '../harness/targets.ts'
import { accountsOf } from './accounts.ts'
import { RULES } from './all.ts'
import { createTrafficJudge } from './judge-traffic.ts'

/** A target whose traffic is judged, for a run of one part alone. */
export interface JudgedTarget {
  /** Use in place of the original target. */
  readonly target: Target
  /** Findings of the rules; undefined when there was no traffic. */
  result(): PartResult | undefined
  close(): Promise<void>
}

/** Records between a part and its target, as the suite does, and in front of the part's receiver. */
export async function rulesAround(target: Target): Promise<JudgedTarget> {
  const { own, sandbox, directUrl } = target
  const contract = readContract(target.contract)
  const rules = createTrafficJudge({ contract, rules: RULES, isOneServer: true })
  rules.server({ accounts: accountsOf(target), url: target.url, sandbox, isOnlyUser: true })
  const recorded = await startGivenTarget(target, (exchange, direction) => rules.record(exchange, direction), {
    serverTime: own && (() => own.now()),
  })
  return {
    target: {
      ...recorded.target,
      ...(own && { own }),
      ...(directUrl !== undefined && { directUrl }),
    },
    result: () => rules.result(),
    close: () => recorded.close(),
  }
}

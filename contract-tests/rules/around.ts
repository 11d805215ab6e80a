import { readContract } from '../../openapi/reading/contract.ts'
import type { Direction } from '../harness/coverage/exchange.ts'
import type { Part, PartResult, Target } from '../harness/part.ts'
import { createPoller } from '../harness/poller.ts'
import type { Exchange } from '../harness/proxy.ts'
import { startGivenTarget } from '../harness/targets.ts'
import { accountsOf } from './accounts.ts'
import { RULES } from './all.ts'
import { createWalletJudging } from '../settle-wallets.ts'
import { createTrafficJudge } from './judge-traffic.ts'

/**
 * Records between a part and its target, as the suite does, and in front of the part's receiver, for a run of one part
 * alone.
 */
export async function rulesAround(target: Target) {
  const { own, sandbox, directUrl } = target
  const contract = readContract(target.contract)
  const rules = createTrafficJudge({ contract, rules: RULES, isOneServer: true })
  rules.server({ accounts: accountsOf(target), url: target.url, sandbox, isOnlyUser: true })
  const wallets = createWalletJudging(contract, rules, true)
  const poller = createPoller()
  const record = (exchange: Exchange, direction: Direction): void => {
    rules.record(exchange, direction)
    wallets.record(exchange, direction)
    if (direction === 'asked') poller.record(exchange)
  }
  const recorded = await startGivenTarget(target, record, { serverTime: own && (() => own.now()) })
  const judged: Target = {
    ...recorded.target,
    ...(own && { own }),
    ...(directUrl !== undefined && { directUrl }),
  }
  return {
    /** Use in place of the original target. */
    target: judged,
    /** Runs a part on it, as the suite does: between two readings of the wallets, and polled meanwhile. */
    run: (part: Pick<Part, 'name' | 'isUnrecorded'>, run: (target: Target) => Promise<PartResult>) =>
      wallets.around(part, judged, () => poller.during(part.name, judged, () => run(judged))),
    /** Findings of the rules; undefined when there was no traffic. */
    result: () => rules.result(),
    close: () => recorded.close(),
  }
}

import { createTrafficJudge } from '../judge-traffic.ts'
import type { Direction } from '../../harness/coverage/exchange.ts'
import type { Exchange } from '../../harness/proxy.ts'
import type { RecordedServer, Rule } from '../rule.ts'
import { accounts, contract } from './exchanges.ts'

/** What one rule reports about exchanges: the sentences of its findings, and what it cannot judge. */
export function reportsOf(
  rule: Rule,
  exchanges: readonly (Exchange | readonly [Exchange, Direction])[],
  server: Partial<Pick<RecordedServer, 'accounts' | 'sandbox' | 'isOnlyUser'>> = {},
): readonly string[] {
  const judge = createTrafficJudge({ contract, rules: [rule], isOneServer: true })
  judge.server({ accounts, url: 'http://127.0.0.1:8080', sandbox: true, isOnlyUser: true, ...server })
  for (const each of exchanges)
    if ('request' in each) judge.record(each, 'asked')
    else judge.record(...each)
  const { findings = [], reason } = judge.result() ?? {}
  return [...findings.map(({ what }) => what), ...(reason === undefined ? [] : [reason])]
}

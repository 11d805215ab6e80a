import { expect, test } from 'vitest'
import type { Direction } from '../../harness/coverage/exchange.ts'
import type { Exchange } from '../../harness/proxy.ts'
import { createTrafficJudge, type TrafficJudge } from '../judge-traffic.ts'
import type { RecordedServer, Rule } from '../rule.ts'
import { accounts, contract } from './exchanges.ts'

export type Recorded = Exchange | readonly [Exchange, Direction]
type ServerFacts = Partial<Pick<RecordedServer, 'accounts' | 'sandbox' | 'isOnlyUser'>>

/** Rules over one server of two merchants. */
export function judgeOfTest(rules: readonly Rule[], server: ServerFacts = {}): TrafficJudge {
  const judge = createTrafficJudge({ contract, rules, isOneServer: true })
  judge.server({ accounts, url: 'http://127.0.0.1:8080', sandbox: true, isOnlyUser: true, ...server })
  return judge
}

/** What rules find in exchanges, as sentences; a rule alone also says what it does not judge. */
export function reportsOf(
  rules: Rule | readonly Rule[],
  exchanges: readonly Recorded[],
  server?: ServerFacts,
): readonly string[] {
  const judge = judgeOfTest([rules].flat(), server)
  for (const each of exchanges) judge.record(...('request' in each ? ([each, 'asked'] as const) : each))
  const { findings = [], reason } = judge.result() ?? {}
  const why = reason === undefined || !('judging' in rules) ? [] : [reason]
  return [...findings.map(({ about, what }) => `${about}: ${what}`), ...why]
}

/** Exchanges by what is in them: first a part of the one sentence that is reported (empty: none is). */
type Rows = Readonly<Record<string, readonly [sentence: string, ...exchanges: readonly Recorded[]]>>

/** A test for each row of a table. */
export function testRows(rules: Rule | readonly Rule[], rows: Rows, server?: ServerFacts): void {
  const whose = 'judging' in rules ? `${rules.name}: ` : ''
  const titled = Object.entries(rows).map(
    ([name, row]) => [`${row[0] === '' ? 'passes' : 'reports'} ${name}`, row] as const,
  )
  test.each(titled)(`${whose}%s`, (_title, [sentence, ...exchanges]) =>
    expect(reportsOf(rules, exchanges, server)).toEqual(sentence === '' ? [] : [expect.stringContaining(sentence)]),
  )
}

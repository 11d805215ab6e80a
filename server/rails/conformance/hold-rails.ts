import { afterAll, describe, test } from 'vitest'
import type { Pool } from '../../storage/pool.ts'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { expectBalancedBooks } from '../../verification/testing/ledger.ts'
import { RAIL_KINDS } from '../registry.ts'
import type { Counterpart } from './counterpart.ts'
import { openGatewayStage, switchedKinds } from './gateway-stage.ts'
import { printAtEnd } from './print-at-end.ts'
import { RULES } from './rules/index.ts'
import { runRule, wireSubject, type Subject } from './run-rule.ts'
import { ConformanceTable } from './table.ts'

/**
 * Tests that hold these rails against every rule, and print a table of it.
 * @param name of the table's file
 * @param without rails without a wire
 */
export async function holdRails(
  name: string,
  counterparts: readonly Counterpart[],
  without: (pool: Pool) => readonly Subject[] = () => [],
): Promise<void> {
  const { railKinds, install: put } = switchedKinds(RAIL_KINDS)
  const around = await gatewayTest({ surroundings: { railKinds } })
  const subjects = [
    ...counterparts.map((counterpart) =>
      wireSubject(counterpart, () => openGatewayStage(around, counterpart, counterpart.kind, put(counterpart.kind))),
    ),
    ...without(around.gateway.pool),
  ]
  const table = new ConformanceTable(subjects)
  afterAll(() => printAtEnd(name, table.lines(RULES)))

  describe.each(subjects)('$name', (subject) => {
    test.each(RULES.map((rule) => [rule.name, rule] as const))('%s', async (_name, rule) => {
      const result = await runRule(rule, subject)
      table.add(rule, subject, result)
      if (result.result === 'broken') throw result.error
    })
  })

  test('after all of it the books balance', async () => {
    await expectBalancedBooks(around.gateway)
  })
}

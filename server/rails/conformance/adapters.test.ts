import { describe, expect, test } from 'vitest'
import { gatewayTest } from '../../testing/gateway-test.ts'
import { RAIL_KINDS } from '../registry.ts'
import { darajaCollection, darajaPayout } from './counterparts/daraja.ts'
import { mtnCollection, mtnPayout } from './counterparts/mtn-momo.ts'
import { openGatewayStage, switchedKinds } from './gateway-stage.ts'
import { RULES } from './rules/index.ts'
import { runRule, wireSubject } from './run-rule.ts'

const { railKinds, put } = switchedKinds(RAIL_KINDS)
const around = await gatewayTest({ surroundings: { railKinds } })
const SUBJECTS = [mtnCollection, mtnPayout, darajaCollection, darajaPayout].map((counterpart) =>
  wireSubject(counterpart, () => openGatewayStage(around, counterpart, counterpart.kind, put(counterpart.kind))),
)

describe.each(SUBJECTS)('$name', (subject) => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))('%s', async (_name, rule) => {
    const result = await runRule(rule, subject)
    if (result.result === 'broken') throw result.error
    expect(result.result).toMatch(/kept|left_out/)
  })
})

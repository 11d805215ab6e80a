import { afterAll, expect, test } from 'vitest'
import { gatewayTest } from '../../verification/testing/gateway-test.ts'
import { smallerByDefault, sampledByDefault } from '../../verification/testing/nightly.ts'
import { RAIL_KINDS } from '../registry.ts'
import { openGatewayStage, switchedKinds } from './gateway-stage.ts'
import { PLANTS } from './planted/index.ts'
import type { Plant } from './planted/plant.ts'
import { printAtEnd } from './print-at-end.ts'
import type { Rule } from './rule.ts'
import { RULES } from './rules/index.ts'
import { runRule, wireSubject } from './run-rule.ts'

// Faulty adapters: each is detected by its own rule and by no other than those that its row names. Faults that the wire
// rules detect do not run through the gateway as well: they would break there again what they have broken here.

const { railKinds, install: put } = switchedKinds(RAIL_KINDS)
const around = await gatewayTest({ surroundings: { railKinds } })
/** Every rule runs against each of them, and a broken adapter may wait for a reply that never comes. */
const EACH_MS_MAX = 300_000
let seen = 0
afterAll(() =>
  printAtEnd('planted', [
    `${seen} of ${PLANTS.length} wrong adapters break the rules that their rows name, and no others.`,
  ]),
)
const GATEWAY_RULES = RULES.filter(({ level }) => level === 'gateway')
/** Through the gateway a rule takes a tenth of a second and more; on a broken adapter, seconds. */
const OTHERS = smallerByDefault('rules through the gateway that a row does not name', 0, GATEWAY_RULES.length)
const levelOf = (name: string) => RULES.find((rule) => rule.name === name)?.level

function rulesTriedOn({ breaks }: Plant): readonly Rule[] {
  const named = GATEWAY_RULES.filter(({ name }) => breaks.includes(name))
  const others = GATEWAY_RULES.filter((rule) => !named.includes(rule))
  const onTheWire = RULES.filter(({ level }) => level !== 'gateway')
  return [...onTheWire, ...named, ...(named.length > 0 ? others.slice(0, OTHERS) : [])]
}

test.each(
  sampledByDefault('wrong adapters', PLANTS, 12).map((plant) => [`${plant.in.name} ${plant.name}`, plant] as const),
)(
  '%s',
  async (_name, plant) => {
    const wrong = plant.wrong(plant.in.kind)
    const subject = wireSubject(plant.in, () => openGatewayStage(around, plant.in, wrong, put(wrong)), wrong)
    const broken: string[] = []
    for (const rule of rulesTriedOn(plant))
      if ((await runRule(rule, subject)).result === 'broken') broken.push(rule.name)
    expect(broken.toSorted()).toEqual(plant.breaks.toSorted())
    seen += 1
  },
  EACH_MS_MAX,
)

test('every rule that a plant names exists', () => {
  const named = PLANTS.flatMap(({ breaks }) => breaks)
  expect(named.filter((name) => levelOf(name) === undefined)).toEqual([])
})

import { expect, test } from 'vitest'
import { readScenarios, WrongScenario } from './read.ts'
import { EFFECTS } from './schema.ts'

const knows = { operations: ['requestToPay', 'transfer'], quirks: ['reason_object'] }

const faultsOf = (value: unknown): readonly string[] => {
  try {
    readScenarios(value, knows)
    return []
  } catch (error) {
    if (error instanceof WrongScenario) return error.faults
    throw error
  }
}

test('accepts one scenario, a list, and an object with a list alike', () => {
  const scenario = { on: { operation: 'transfer' }, times: 'always', effect: { do: 'hang' } }
  for (const value of [scenario, [scenario], { scenarios: [scenario] }])
    expect(readScenarios(value, knows)).toEqual([scenario])
})

test.each<[unknown, readonly string[]]>([
  ['not json', ['the body must be object']],
  [[], ['scenarios must NOT have fewer than 1 items']],
  [{ on: {} }, ["scenarios[0] must have required property 'effect'"]],
  [{ effect: {} }, ["scenarios[0].effect must have required property 'do'"]],
  [
    { effect: { do: 'explode' } },
    [expect.stringMatching(/^scenarios\[0]\.effect\.do is "explode" and not one of refuse, /)],
  ],
  [{ effect: { do: 'refuse' } }, ["scenarios[0].effect must have required property 'code'"]],
  [{ effect: { do: 'hang', when: 'later' } }, ['scenarios[0].effect.when is "later" and not one of before, after']],
  [{ effect: { do: 'hang', seconds: 3 } }, ['scenarios[0].effect has no field seconds']],
  [{ effect: { do: 'drip', ms_per_byte: 0 } }, ['scenarios[0].effect.ms_per_byte must be >= 1']],
  [{ on: { msisdn: '+256 77' }, effect: { do: 'hang' } }, ['scenarios[0].on.msisdn must match pattern "^\\d{6,15}$"']],
  [
    { times: 0, effect: { do: 'hang' } },
    ['scenarios[0].times is neither a whole number from 1 to 1000000 nor "always"'],
  ],
  [
    { on: { operation: 'requestTopay' }, effect: { do: 'hang' } },
    ['scenarios[0].on.operation is none of requestToPay, transfer'],
  ],
  [{ effect: { do: 'quirk', name: 'x' } }, ['scenarios[0].effect.name is none of reason_object']],
  [{ effect: { do: 'settle', as: 'failed' } }, ['scenarios[0].effect.code is there exactly when the order fails']],
  [
    { effect: { do: 'settle', as: 'succeeded', code: 'X' } },
    ['scenarios[0].effect.code is there exactly when the order fails'],
  ],
])('rejects %j and names the place', (value, faults) => {
  expect(faultsOf(value)).toEqual(faults)
})

test('names the second scenario of a list as the second', () => {
  expect(faultsOf([{ effect: { do: 'hang' } }, { effect: { do: 'drip' } }])).toEqual([
    "scenarios[1].effect must have required property 'ms_per_byte'",
  ])
})

test('every effect has a description', () => {
  expect(EFFECTS.length).toBeGreaterThan(15)
  expect(EFFECTS.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([])
})

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { isObject } from '../../../reading/json.ts'
import type { Scenario } from './effects.ts'
import { SCENARIOS_SCHEMA, TIMES_MAX } from './schema.ts'

/** Thrown for invalid scenarios; each message names the place. */
export class WrongScenario extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The scenario is wrong: ${faults.join('; ')}.`)
    this.faults = faults
  }
}

const validate = new Ajv2020({ strict: false, allErrors: true, discriminator: true, verbose: true }).compile<{
  readonly scenarios: readonly Scenario[]
}>(SCENARIOS_SCHEMA)

/**
 * One scenario, a list of them, or `{ "scenarios": […] }`.
 * @param knows the operator's `operationId`s and quirks, so that a misspelt name is an error and not ignored
 * @throws WrongScenario
 */
export function readScenarios(
  value: unknown,
  knows: { readonly operations: readonly string[]; readonly quirks: readonly string[] },
): readonly Scenario[] {
  const listed = listOf(value)
  if (!validate(listed)) throw new WrongScenario(faultsOf(validate.errors ?? []))
  const { scenarios } = listed
  const faults = scenarios.flatMap((scenario, index) => unknownNames(scenario, `scenarios[${index}]`, knows))
  if (faults.length > 0) throw new WrongScenario(faults)
  return scenarios
}

function listOf(value: unknown): unknown {
  if (Array.isArray(value)) return { scenarios: value as unknown[] }
  return isObject(value) && !('scenarios' in value) ? { scenarios: [value] } : value
}

function unknownNames(
  { on, effect }: Scenario,
  place: string,
  knows: { readonly operations: readonly string[]; readonly quirks: readonly string[] },
): string[] {
  const faults: string[] = []
  if (on?.operation !== undefined && !knows.operations.includes(on.operation))
    faults.push(`${place}.on.operation is none of ${knows.operations.join(', ')}`)
  if (effect.do === 'quirk' && !knows.quirks.includes(effect.name))
    faults.push(`${place}.effect.name is none of ${knows.quirks.join(', ') || '(this operator has no quirks)'}`)
  if (effect.do === 'settle' && (effect.as === 'failed') !== 'code' in effect)
    faults.push(`${place}.effect.code is there exactly when the order fails`)
  return faults
}

function faultOf({ instancePath, keyword, message, params, data }: ErrorObject): string {
  const place =
    instancePath
      .slice(1)
      .replace(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.') || 'the body'
  const values = params as { allowedValues?: unknown[]; additionalProperty?: string }
  if (keyword === 'additionalProperties') return `${place} has no field ${values.additionalProperty}`
  if (keyword === 'enum')
    return `${place} is ${JSON.stringify(data)} and not one of ${values.allowedValues?.join(', ')}`
  return `${place} ${message ?? 'is wrong'}`
}

/** How often: if it is neither of two things, that is one fault, not one for each of them. */
const faultsOf = (errors: readonly ErrorObject[]): string[] => {
  // The enum has the list of effects as well, with a better message.
  const others = errors
    .filter(({ instancePath, keyword }) => !instancePath.endsWith('/times') && keyword !== 'discriminator')
    .map(faultOf)
  const places = errors.map(({ instancePath }) => /\/(\d+)\/times$/.exec(instancePath)?.[1])
  const times = [...new Set(places)].filter((index) => index !== undefined)
  return [
    ...others,
    ...times.map((index) => `scenarios[${index}].times is neither a whole number from 1 to ${TIMES_MAX} nor "always"`),
  ]
}

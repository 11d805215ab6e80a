import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { present, type Target } from '../../harness/part.ts'
import type { CaseRunner } from './case-runner.ts'
import type { DeviationInput } from './deviations.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { KnownValues } from './known.ts'
import { freshened } from './values.ts'

/** The state that all requests of a survey share. */
export interface SurveyContext {
  readonly target: Target
  readonly contract: Contract
  /** Operations that a client can call. */
  readonly operations: readonly Operation[]
  readonly keyOf: Readonly<Record<string, string>>
  /** A new number at each call. */
  readonly fresh: () => number
  readonly runner: CaseRunner
}

/** Valid inputs of an operation, about resources that exist. */
export function valuesFor(
  { contract, operations, keyOf, fresh }: Omit<SurveyContext, 'target' | 'runner'>,
  operation: Operation,
  things: readonly KnownValues[],
): DeviationInput {
  const { parameters, keys, body, path } = operation
  let used = 0
  const thing = (): KnownValues => things[Math.min(used++, things.length - 1)] ?? {}
  return {
    contract,
    operation,
    keys: Object.fromEntries(keys.map(({ header }) => [header, keyOf[header] ?? ''])),
    parameters: Object.fromEntries(
      parameters.map(({ name, example, schema }): [string, string] => {
        const shown: unknown = example ?? contract.flat(schema).examples?.[0] ?? ''
        return [name, things[0]?.[name] ?? String(shown)]
      }),
    ),
    bodies: (body?.examples ?? []).map(
      ({ value }) =>
        () =>
          aboutThing(freshened(value, fresh), thing),
    ),
    methods: operations.filter((each) => each.path === path).map(({ method }) => method),
    success: Number(operation.responses.find(({ status }) => status.startsWith('2'))?.status ?? 200),
  }
}

/** Values for the required parameters. */
export const required = ({ parameters }: Operation, values: KnownValues): KnownValues =>
  Object.fromEntries(
    parameters
      .filter(({ required }) => required === true)
      .map(({ name }) => [name, present(values[name], `value for ${name}`)]),
  )

/** A body about an existing resource names it; other bodies name what they create. */
const aboutThing = (body: unknown, thing: () => KnownValues): unknown =>
  'internal_reference' in fieldsOf(body) ? { ...fieldsOf(body), ...pick(thing(), 'internal_reference') } : body
const pick = (known: KnownValues, name: string): KnownValues =>
  known[name] === undefined ? {} : { [name]: known[name] }

import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { present, type Target } from '../../harness/part.ts'
import type { CaseRunner } from './asker.ts'
import type { DeviationInput } from './deviations.ts'
import { fieldsOf } from '../../harness/json.ts'
import type { KnownValues } from './known.ts'
import { freshened } from './values.ts'

/** What all requests of a survey have in common. */
export interface Inquiry {
  readonly target: Target
  readonly contract: Contract
  /** What a client can call. */
  readonly operations: readonly Operation[]
  readonly keyOf: Readonly<Record<string, string>>
  /** Another number at each call. */
  readonly fresh: () => number
  readonly asker: CaseRunner
}

/** What fits an operation, about things that exist. */
export function givenFor(
  { contract, operations, keyOf, fresh }: Omit<Inquiry, 'target' | 'asker'>,
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

/** Values for the parameters that must be given. */
export const required = ({ parameters }: Operation, values: KnownValues): KnownValues =>
  Object.fromEntries(
    parameters
      .filter(({ required }) => required === true)
      .map(({ name }) => [name, present(values[name], `value for ${name}`)]),
  )

/** A body about something that exists already names it; others name what they make. */
const aboutThing = (body: unknown, thing: () => KnownValues): unknown =>
  'internal_reference' in fieldsOf(body) ? { ...fieldsOf(body), ...pick(thing(), 'internal_reference') } : body
const pick = (known: KnownValues, name: string): KnownValues =>
  known[name] === undefined ? {} : { [name]: known[name] }

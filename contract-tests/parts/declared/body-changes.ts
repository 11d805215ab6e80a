import { changed } from '../../../openapi/reading/changed.ts'
import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import type { ExpectedReply } from '../../driver/declared-case.ts'
import { sampleOf } from '../../driver/samples.ts'
import { EMPTY_VALUES } from '../../harness/coverage/empty-fields.ts'
import { isFields, valueAt } from '../../harness/json.ts'
import { edgesOf } from './edges.ts'
import { ODD_TEXT, wrongInBody } from './wrong-values.ts'

/** One change of a body. */
interface BodyChange {
  readonly rule: string
  readonly expect: ExpectedReply
  readonly change: (body: unknown) => unknown
}

const UNKNOWN_FIELDS = ['merchant_id', 'surprise_of_the_contract_tests']

/** The schema of a body, and a body: only its fields are changed. */
interface Whole {
  readonly contract: Contract
  readonly declared: Schema
  readonly shape: unknown
}

/** Every change of a JSON body that its schema has a rule about. @param shape a body: only its fields are changed */
export function bodyChanges(contract: Contract, declared: Schema, shape: unknown): BodyChange[] {
  const otherType = [[], 'text', 7].find((value) => contract.faultIn(declared, value) !== undefined)
  return [
    ...(isFields(shape) ? changesWithin({ contract, declared, shape }, branchOf(contract, declared, shape), []) : []),
    ...(otherType === undefined
      ? []
      : [{ rule: 'a request with a body of another type', expect: 'refused' as const, change: () => otherType }]),
  ]
}

/** @param expect absent: the schema of the whole body says, because a union or a condition applies to all of it */
function changeOf(
  { contract, declared, shape }: Whole,
  rule: string,
  field: readonly string[],
  value: unknown,
  expect?: ExpectedReply,
): BodyChange {
  const isValid = contract.faultIn(declared, changed(shape, field, value)) === undefined
  return { rule, expect: expect ?? (isValid ? 'accepted' : 'refused'), change: (body) => changed(body, field, value) }
}

function changesWithin(whole: Whole, object: Schema, path: readonly string[]): BodyChange[] {
  const name = UNKNOWN_FIELDS.find((each) => object.properties?.[each] === undefined) ?? ''
  const within = path.length > 0 ? ` in body field ${path.join('.')}` : ''
  const unknown = changeOf(whole, `a request with an unknown field${within}`, [...path, name], 7)
  return [
    ...Object.entries(object.properties ?? {}).flatMap(([field, property]) =>
      changesOfField(whole, object, property, [...path, field]),
    ),
    // JSON Schema allows unknown fields unless it says otherwise: nothing to learn.
    ...(unknown.expect === 'refused' ? [unknown] : []),
  ]
}

function changesOfField(whole: Whole, object: Schema, property: Schema, field: readonly string[]): BodyChange[] {
  const { contract, declared, shape } = whole
  const name = field.at(-1) ?? ''
  const called = `body field ${field.join('.')}`
  const flat = contract.flat(property)
  const tag: string | undefined = contract.flat(declared).discriminator?.propertyName
  const sample = sampleOf(contract, property)
  const isRequired = object.required?.includes(name) === true
  const emptyIsAbsent = object['x-empty-is-absent'] === true
  const values = name === tag ? [] : (flat.enum ?? (flat.type === 'boolean' ? [true, false] : []))
  const empty = emptyIsAbsent ? [...EMPTY_VALUES, ...(flat.properties ? [{}] : [])] : []
  const to = (rule: string, value: unknown, expect?: ExpectedReply): BodyChange =>
    changeOf(whole, rule, field, value, expect)
  return [
    to(isRequired ? `a request without ${called}` : `a request that leaves out ${called}`, undefined),
    ...(isRequired || sample === undefined ? [] : [to(`a request with ${called}`, sample)]),
    ...empty.map((value) => to(`a request with an empty ${called}`, value, isRequired ? 'refused' : 'accepted')),
    ...wrongInBody(contract, property, emptyIsAbsent && !isRequired).map((wrong) =>
      to(`a request with an invalid ${called}`, wrong),
    ),
    ...values.map((value) => to(`a request with ${called} ${String(value)}`, value)),
    ...edgesOf(contract, property).map(({ what, value }) => {
      const edge = to(`a request with ${called}: ${what}`, value)
      return edge.expect === 'refused' ? { ...edge, rule: `a request with an invalid ${called}: ${what}` } : edge
    }),
    ...(flat.type === 'string' ? [to(`a request with odd characters in ${called}`, ODD_TEXT, 'either')] : []),
    ...(flat.properties && isFields(valueAt(shape, field)) ? changesWithin(whole, flat, field) : []),
  ]
}

/** The branch of a union that a body uses. */
function branchOf(contract: Contract, node: Schema, value: unknown): Schema {
  const schema = contract.flat(node)
  const members = schema.oneOf ?? schema.anyOf ?? []
  const member = members.find((each) => contract.faultIn(each, value) === undefined) ?? members[0]
  return member ? branchOf(contract, member, value) : schema
}

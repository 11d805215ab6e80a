import type { Contract, Operation, Parameter, Schema } from '../../../openapi/reading/contract.ts'
import { valueOf } from '../../../openapi/reading/wire.ts'
import { withoutEmptyFields } from '../../harness/coverage/empty-fields.ts'
import { fieldsOf, isFields, type Fields } from '../../harness/json.ts'
import { namesIn } from './names-twice.ts'
import type { FieldSentences } from './field-sentences.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** The messages that a refusal may report first; `none`: valid; undefined: that cannot be decided from outside. */
type FirstFault = readonly string[] | 'none' | undefined
type DeclaredBody = NonNullable<Operation['body']>
interface Facts {
  readonly contract: Contract
  readonly sentences: FieldSentences
}

/** A body with more names than this is not read further (page "Errors"). */
const NAMES_MAX = 100
const NAME_SHOWN_MAX = 64
const NOT_JSON = refusal('json_malformed')

const isRequired = (name: string): string => `${name} is required`
const isNotAllowed = (name: string): string => `${name.slice(0, NAME_SHOWN_MAX)} is not allowed`
const mustBeOnce = (name: string): string => `${name.slice(0, NAME_SHOWN_MAX)} must be given once`

/**
 * The first fault of a request by the contract: missing fields before invalid ones, both in declaration order, unknown
 * fields last (page "Errors", "The order of checks").
 */
export function firstFault(contract: Contract, sentences: FieldSentences, seen: ObservedExchange): FirstFault {
  const { operation, exchange, inPath } = seen
  if (!operation) return undefined
  const facts = { contract, sentences }
  const query = new URLSearchParams(seen.query)
  const places: readonly (readonly [place: string, valuesOf: (name: string) => readonly string[]])[] = [
    ['header', (name) => exchange.request.headers[name.toLowerCase()] ?? []],
    ['query', (name) => query.getAll(name)],
    ['path', (name) => [inPath.get(name) ?? '']],
  ]
  for (const [place, valuesOf] of places) {
    const here = operation.parameters.filter((parameter) => parameter.in === place)
    const values = here.map((parameter) => ({ ...parameter, values: valuesOf(parameter.name) }))
    const fault = parameterFault(facts, place, values)
    if (fault !== 'none') return fault
  }
  return operation.body ? bodyFault(facts, operation.body, exchange.request.body) : 'none'
}

type GivenParameter = Parameter & { readonly values: readonly string[] }

function parameterFault({ contract, sentences }: Facts, place: string, here: readonly GivenParameter[]): FirstFault {
  const twice = here.filter(({ values }) => values.length > 1).map(({ name }) => mustBeOnce(name))
  // Programs differ in how they treat a repeated header, and in which of two faults they report first.
  if (twice.length > 0) return place === 'header' || twice.length > 1 || here.some(isMissing) ? undefined : twice
  const missing = here.find(isMissing)
  if (missing) return [isRequired(missing.name)]
  for (const {
    name,
    schema,
    values: [text],
    ...parameter
  } of here) {
    if (text === undefined || (text === '' && parameter['x-empty-is-absent'])) continue
    const reported = sentences(schema, typed(contract, schema, text))
    if (reported === undefined) return undefined
    if (reported.length === 0) continue
    // The message for a version contains its value.
    if (name === 'x-api-version') return [refusal('api_version_unsupported', { '2': text.slice(0, NAME_SHOWN_MAX) })]
    return reported.map((sentence) => `${name} ${sentence}`)
  }
  return 'none'
}

const isMissing = ({ required, values: [text] }: GivenParameter): boolean =>
  required === true && (text === undefined || text === '')

/** A version may be written as any equal number: `1.0`. */
function typed(contract: Contract, schema: Schema, text: string): unknown {
  const { type, enum: allowed = [] } = contract.flat(schema)
  const same = allowed.find((value) => /^[\d.]+$/.test(text) && Number(value) === Number(text))
  return same ?? valueOf(type, text)
}

function bodyFault(facts: Facts, { schema, required }: DeclaredBody, bytes: Buffer): FirstFault {
  if (bytes.length === 0) return required ? [isRequired('The request body')] : 'none'
  const read = namesIn(bytes)
  if (read === undefined) return [NOT_JSON]
  if (read.count > NAMES_MAX || read.isOdd) return undefined
  // Checked together with the JSON, before any field; which of several is reported first is left open.
  if (read.twice.length > 0) return read.twice.map(mustBeOnce)
  if (!isFields(read.value)) return undefined
  const counted = fieldsOf(withoutEmptyFields(facts.contract, schema, read.value))
  return objectFault(facts, schema, counted, '')
}

function objectFault(facts: Facts, node: Schema, counted: Fields, at: string): FirstFault {
  const { contract, sentences } = facts
  const { branch, isChosen } = branchOf(contract, node, counted)
  const missing = missingIn(contract, branch, counted, at)
  if (missing !== undefined) return [isRequired(missing)]
  // Without a valid tag the fields are unknown.
  if (!isChosen) return undefined
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    if (!Object.hasOwn(counted, name)) continue
    const reported = sentences(property, counted[name])
    if (reported === undefined) return undefined
    if (reported.length > 0) return reported.map((sentence) => `${at}${name} ${sentence}`)
    const within = contract.flat(property)
    if (within.properties && isFields(counted[name])) {
      const inner = objectFault(facts, within, counted[name], `${at}${name}.`)
      if (inner === undefined || (inner !== 'none' && inner.every((text) => !text.endsWith('is not allowed'))))
        return inner
    }
  }
  const unknown = unknownIn(contract, branch, counted, at)
  return unknown.length > 0 ? unknown.map(isNotAllowed) : 'none'
}

/** The first required field that is missing, fields of nested objects included. */
function missingIn(contract: Contract, branch: Schema, counted: Fields, at: string): string | undefined {
  const own = branch.required?.find((name) => !Object.hasOwn(counted, name))
  if (own !== undefined) return at + own
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const within = contract.flat(property)
    const inner =
      within.properties && isFields(counted[name])
        ? missingIn(contract, within, counted[name], `${at}${name}.`)
        : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

const unknownIn = (contract: Contract, branch: Schema, counted: Fields, at: string): string[] => [
  ...(branch.additionalProperties === false
    ? Object.keys(counted)
        .filter((name) => !Object.hasOwn(branch.properties ?? {}, name))
        .map((name) => at + name)
    : []),
  ...Object.entries(branch.properties ?? {}).flatMap(([name, property]) => {
    const within = contract.flat(property)
    return within.properties && isFields(counted[name])
      ? unknownIn(contract, within, counted[name], `${at}${name}.`)
      : []
  }),
]

/** The branch of a union that the tag names; otherwise what all branches require. */
function branchOf(contract: Contract, node: Schema, counted: Fields): { branch: Schema; isChosen: boolean } {
  const schema = contract.flat(node)
  const branches = (schema.oneOf ?? []).map((each) => contract.flat(each))
  const [first] = branches
  const tag = schema.discriminator?.propertyName
  if (!first || tag === undefined) return { branch: schema, isChosen: true }
  const chosen = branches.find(({ properties = {} }) => {
    const property = properties[tag]
    return property !== undefined && contract.flat(property).enum?.includes(counted[tag]) === true
  })
  if (chosen) return { branch: chosen, isChosen: true }
  const required = first.required?.filter((name) => branches.every((each) => each.required?.includes(name))) ?? []
  return { branch: { required, properties: {} }, isChosen: false }
}

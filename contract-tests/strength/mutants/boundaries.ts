import { present } from '../../harness/part.ts'
import type { OpenApiDocument, Parameter, Schema } from '../../../openapi/reading/document.ts'
import type { Operation } from '../../../openapi/reading/operations.ts'
import { follow } from '../../../openapi/reading/references.ts'

/** A request with one difference: at a limit, beyond it, or wrong. The gateway decides whether it is valid. */
export interface Variant {
  readonly what: string
  readonly in: 'body' | 'query' | 'header' | 'path'
  /** Dotted for a nested property; undefined as value removes it. */
  readonly name: string
  readonly value: unknown
}

/** All variants of a body, in declaration order. @param base a valid one: it decides the branch */
export function bodyVariants(
  contract: OpenApiDocument,
  schema: Schema,
  base: Readonly<Record<string, unknown>>,
): Variant[] {
  return [...ofObject(contract, schema, base, '')].map((variant) => ({ ...variant, in: 'body' }))
}

/** All variants of the parameters of an operation. */
export function parameterVariants(contract: OpenApiDocument, { parameters }: Operation): Variant[] {
  return parameters.flatMap((parameter) => {
    const place = placeOf(parameter)
    const values = [...ofValue(contract, parameter.schema, parameter.example, false)].filter(({ value }) =>
      canTravel(place, value),
    )
    const missing = place === 'path' ? [] : [{ what: 'left out', value: undefined }]
    const twice = place === 'query' ? [{ what: 'twice', value: [parameter.example, parameter.example] }] : []
    return [...missing, ...twice, ...values].map((variant) => ({ ...variant, in: place, name: parameter.name }))
  })
}

const placeOf = ({ in: place }: Parameter): Variant['in'] => (place === 'query' || place === 'header' ? place : 'path')
/** An empty segment is another path; header lines carry no control characters, nor spaces around a value. */
const canTravel = (place: Variant['in'], value: unknown): boolean =>
  place === 'query' ||
  (place === 'path'
    ? value !== ''
    : typeof value !== 'string' || (/^[\x20-\x7e]+$/.test(value) && value.trim() === value))

type Change = Omit<Variant, 'in'>
type Value = Omit<Change, 'name'>

function* ofObject(
  contract: OpenApiDocument,
  schema: Schema,
  base: Readonly<Record<string, unknown>>,
  prefix: string,
): Generator<Change> {
  const { oneOf, discriminator, properties = {}, required = [] } = follow(contract, schema)
  if (oneOf) {
    const { propertyName: tag, mapping = {} } = present(discriminator, 'discriminator of the union')
    yield { what: 'a tag that is not mapped', name: prefix + tag, value: 'CARRIER_PIGEON' }
    const branch = String(base[tag])
    yield* ofObject(contract, { $ref: present(mapping[branch], `branch ${branch}`) }, base, prefix)
    return
  }
  yield { what: 'an undeclared property', name: `${prefix}merchant_id`, value: '7' }
  for (const [property, child] of Object.entries(properties)) {
    const name = prefix + property
    const isRequired = required.includes(property)
    if (isRequired || base[property] !== undefined) yield { what: 'left out', name, value: undefined }
    const example = base[property] ?? exampleOf(contract, child)
    for (const { what, value } of ofValue(contract, child, example, isRequired)) yield { what, name, value }
    if (typeof example === 'object' && example !== null)
      yield* ofObject(contract, child, Object.fromEntries(Object.entries(example)), `${name}.`)
  }
}

const exampleOf = (contract: OpenApiDocument, schema: Schema): unknown => {
  const { examples, properties } = follow(contract, schema)
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, exampleOf(contract, child)]))
  return examples?.[0]
}

function* ofValue(contract: OpenApiDocument, schema: Schema, example: unknown, isRequired: boolean): Generator<Value> {
  const node = follow(contract, schema)
  yield { what: 'as in the example', value: example }
  yield { what: 'of another type', value: node.type === 'string' ? 7 : 'x' }
  if (node.type === 'string' && isRequired) yield { what: 'empty', value: '' }
  if (node.enum) {
    yield { what: 'not in the enum', value: `${String(node.enum[0])}X` }
    return
  }
  if (node.type === 'string') yield* ofText(node, String(example))
  if (node.type === 'number' || node.type === 'integer') yield* ofNumber(node)
  if (node.type === 'boolean') yield* [true, false].map((value) => ({ what: String(value), value }))
}

/** Steps beyond a limit are as small as the limit's own last decimal. */
function* ofNumber({ type, minimum, maximum }: Schema): Generator<Value> {
  const stepOf = (limit: number): number => (Number.isInteger(limit) ? 1 : 0.01)
  if (minimum !== undefined) {
    yield { what: 'the minimum', value: minimum }
    yield { what: 'below the minimum', value: (minimum * 100 - stepOf(minimum) * 100) / 100 }
  }
  if (maximum !== undefined) {
    yield { what: 'the maximum', value: maximum }
    yield { what: 'above the maximum', value: maximum + stepOf(maximum) }
  }
  yield { what: 'with a fraction', value: type === 'integer' ? (minimum ?? 0) + 0.5 : (minimum ?? 0) + 10.25 }
}

function* ofText(node: Schema, example: string): Generator<Value> {
  const { minLength = 0, maxLength, pattern } = node
  for (const [what, length] of [
    ['shortest', minLength],
    ['too short', minLength - 1],
    ...(maxLength === undefined ? [] : [['longest', maxLength] as const, ['too long', maxLength + 1] as const]),
  ] as const) {
    if (length > 0) yield { what, value: textOfLength(node, example, length) }
  }
  if (pattern !== undefined) {
    const odd = [...ODD_CHARACTERS]
      .map((character) => replaceLast(example, character))
      .find((text) => !new RegExp(pattern, 'u').test(text))
    if (odd !== undefined) yield { what: 'not of the pattern', value: odd }
  }
}

const ODD_CHARACTERS = ' !é\u0001'
const replaceLast = (text: string, character: string): string => text.slice(0, -1) + character

/** A text of exactly this length which, where possible, has no other fault. */
function textOfLength({ pattern }: Schema, example: string, length: number): string {
  const plain = example.slice(0, length).padEnd(length, example.at(-1))
  const candidates = [
    plain,
    example.slice(-length).padEnd(length, example.at(-1)),
    longAddress(length),
    `https://${'a'.repeat(Math.max(length - 8, 1))}`.slice(0, length),
    ...[...'aA7'].map((character) => character.repeat(length)),
  ]
  const ofLength = candidates.filter((text) => text.length === length)
  const fitting = (source: string): string | undefined => ofLength.find((text) => new RegExp(source, 'u').test(text))
  return (pattern === undefined ? undefined : (fitting(pattern) ?? fitting(withoutLength(pattern)))) ?? plain
}

/** One repeated character. */
const withoutLength = (pattern: string): string => pattern.replace(/\{\d+,\d+\}\$$/, '*$')

/** `a@bbb…bbb.ccc…`: labels of at most 60 characters. */
function longAddress(length: number): string {
  if (length < 6) return 'a@b.cd'.slice(-length)
  const domain = `${'b'.repeat(50)}.`.repeat(Math.ceil(length / 51)).slice(0, length - 5)
  return `a@${domain.replace(/\.$/, 'b')}.cd`
}

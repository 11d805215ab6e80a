import { changed } from '../../../openapi/reading/changed.ts'
import { change, type Change, type Fields, fieldsOf, get, GONE, type Json, listOf, type Path } from './edit.ts'

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'maxProperties']
const OTHER_TYPE: Readonly<Record<string, string>> = {
  string: 'integer',
  integer: 'number',
  number: 'integer',
  boolean: 'string',
  object: 'array',
  array: 'object',
}

export function* ofSchema(contract: Json, at: Path): Generator<Change> {
  const schema = fieldsOf(get(contract, at))
  const { required, properties, pattern, additionalProperties, type, discriminator, oneOf } = schema
  const names = Object.keys(fieldsOf(properties))
  // A property that a part of an `allOf` requires is required by the narrowed part too: dropping it there changes
  // nothing.
  const narrows = at.at(-2) === 'allOf'
  if (!narrows)
    for (const [index, name] of listOf(required).entries())
      yield change('drop a required', [...at, 'required', index], String(name), GONE)
  for (const name of names)
    if (!listOf(required).includes(name))
      yield change('add a required', [...at, 'required'], name, [...listOf(required), name])
  for (const name of names)
    yield change('drop a property', at, name, {
      ...schema,
      required: listOf(required).filter((other) => other !== name),
      properties: changed(properties, [name], GONE),
    })
  if (names.length > 0 && additionalProperties === false) {
    yield change('add a property', [...at, 'properties', 'note'], 'note', {
      type: 'string',
      minLength: 1,
      maxLength: 50,
      pattern: '^[a-z]+$',
      'x-pattern-message': 'must be letters',
    })
    yield change('open additionalProperties', [...at, 'additionalProperties'], 'true', true)
  }
  yield* ofEnum(schema, at)
  for (const limit of LIMITS) yield* ofLimit(schema, at, limit)
  if (typeof pattern === 'string') yield change('drop a pattern', [...at, 'pattern'], pattern, GONE)
  // Whether 200 is an integer or a number makes no difference where 200 is the only value.
  const otherType = schema.enum === undefined || type === 'boolean' ? OTHER_TYPE[String(type)] : 'boolean'
  if (typeof type === 'string') yield change('change a type', [...at, 'type'], `${type} → ${otherType}`, otherType)
  yield* ofUnion(at, fieldsOf(fieldsOf(discriminator).mapping), listOf(oneOf))
  for (const name of names) yield* ofSchema(contract, [...at, 'properties', name])
  for (const index of listOf(schema.allOf).keys()) yield* ofSchema(contract, [...at, 'allOf', index])
  if (schema.items !== undefined) yield* ofSchema(contract, [...at, 'items'])
}

/** A value that an enum with this one does not have. */
function otherThan(value: Json): number | boolean | string {
  if (typeof value === 'number') return value + 1
  return typeof value === 'boolean' ? !value : 'SOMETHING_ELSE'
}

function* ofEnum(schema: Fields, at: Path): Generator<Change> {
  const values = listOf(schema.enum)
  if (values.length === 0) return
  const more = otherThan(values[0])
  yield change('widen an enum', [...at, 'enum'], String(more), [...values, more])
  for (const index of values.keys()) {
    if (values.length > 1) yield change('narrow an enum', [...at, 'enum', index], String(values[index]), GONE)
    else yield change('change an enum', [...at, 'enum'], `${String(values[0])} → ${more}`, [more])
  }
}

function* ofLimit(schema: Fields, at: Path, limit: string): Generator<Change> {
  const value = schema[limit]
  if (typeof value !== 'number') return
  const step = Number.isInteger(value) ? 1 : 0.01
  for (const moved of [value - step, value + step]) {
    // A length below zero does not exist, and beyond 2^53 a number has no neighbour.
    if ((moved < 0 && limit !== 'minimum') || moved > Number.MAX_SAFE_INTEGER) continue
    // Beside an enum a wider bound changes nothing.
    if (Array.isArray(schema['enum']) && (limit === 'minimum' ? moved < value : moved > value)) continue
    yield change(`move ${limit}`, [...at, limit], `${value} → ${moved}`, moved)
  }
}

function* ofUnion(at: Path, mapping: Fields, oneOf: readonly Json[]): Generator<Change> {
  const tags = Object.keys(mapping)
  const [first, second] = tags
  if (first === undefined || second === undefined) return
  yield change(
    'change a discriminator mapping',
    [...at, 'discriminator', 'mapping'],
    'both led to each other’s member',
    { [first]: mapping[second], [second]: mapping[first] },
  )
  for (const tag of tags)
    yield change('change a discriminator mapping', [...at, 'discriminator', 'mapping', tag], `${tag} not mapped`, GONE)
  for (const index of oneOf.keys())
    yield change('drop a member of a union', [...at, 'oneOf', index], String(fieldsOf(oneOf[index]).$ref), GONE)
}

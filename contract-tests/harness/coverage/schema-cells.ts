import type { Contract, Schema } from '../../../openapi/reading/contract.ts'
import { nameOf } from '../../../openapi/reading/references.ts'
import { isFields } from '../json.ts'

/** `request`: a client chooses what it sends, so invalid values are cells too. `reply`: only valid values. */
type BodySide = 'request' | 'reply'

/** One thing that a schema declares and a body can cover. */
interface SchemaPoint {
  /** Where and what: `body<BankPayoutRequest>.account_number left out`. */
  readonly id: string
  readonly group: 'branches' | 'values' | 'fields'
  /** An invalid request; covered by a refusal, never by a success. */
  readonly isFault?: true
}

interface Member {
  readonly name: string
  readonly schema: Schema
}

const has = (value: Readonly<Record<string, unknown>>, name: string): boolean => Object.hasOwn(value, name)
// An empty string counts as missing where a field is required.
const isMissing = (value: Readonly<Record<string, unknown>>, name: string): boolean =>
  !has(value, name) || value[name] === ''

function membersOf(contract: Contract, schema: Schema): Member[] {
  return (schema.oneOf ?? schema.anyOf ?? []).map((member, index) => ({
    schema: member,
    name: (member.$ref && nameOf(member.$ref)) ?? contract.flat(member).title ?? String(index + 1),
  }))
}

function valuesOf(schema: Schema): readonly unknown[] {
  if (schema.enum) return schema.enum
  if ('const' in schema) return [schema.const]
  return schema.type === 'boolean' ? [true, false] : []
}

/**
 * Every cell that a schema declares. @param tag property that selects the branch: its invalid values are cells of the
 * union
 * @param around enclosing schemas: a recursive schema (a tree) stops where it begins again
 */
export function declaredPoints(
  contract: Contract,
  node: Schema,
  at: string,
  side: BodySide,
  tag?: string,
  around: ReadonlySet<Schema> = new Set(),
): SchemaPoint[] {
  const schema = contract.flat(node)
  if (around.has(schema)) return []
  const within = new Set([...around, schema])
  const members = membersOf(contract, schema)
  if (members.length > 0) {
    const property: string | undefined = schema.discriminator?.propertyName
    return [
      ...(side === 'request' && property ? faultPoints(`${at}.${property}`, true) : []),
      ...members.flatMap(({ name, schema: member }): SchemaPoint[] => [
        { id: `${at} is ${name}`, group: 'branches' },
        ...declaredPoints(contract, member, `${at}<${name}>`, side, property, within),
      ]),
    ]
  }
  return [
    ...valuesOf(schema).map((value): SchemaPoint => ({ id: `${at} = ${JSON.stringify(value)}`, group: 'values' })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const required = schema.required?.includes(name) === true
      return [
        ...(required ? [] : optionalPoints(schema, name, at)),
        ...(side === 'request' && name !== tag ? faultPoints(`${at}.${name}`, required) : []),
        ...declaredPoints(contract, property, `${at}.${name}`, side, undefined, within),
      ]
    }),
    ...(side === 'request' && schema.additionalProperties === false ? [fault(`${at} with an unknown field`)] : []),
    ...(schema.items
      ? [
          ...((schema.minItems ?? 0) === 0 ? [field(`${at} empty`)] : []),
          field(`${at} with items`),
          // An invalid item makes the list invalid; its own cells are those of the operation that takes it alone.
          ...declaredPoints(contract, schema.items, `${at}[]`, 'reply', undefined, within),
        ]
      : []),
  ]
}

/** Present and absent, except where the contract says that no run can cover it. */
const optionalPoints = ({ 'x-never-seen': unseen = {} }: Schema, name: string, at: string): SchemaPoint[] =>
  ['given', 'left out']
    .map((how) => `${name} ${how}`)
    .filter((cell) => !Object.hasOwn(unseen, cell))
    .map((cell) => field(`${at}.${cell}`))

const field = (id: string): SchemaPoint => ({ id, group: 'fields' })
const fault = (id: string): SchemaPoint => ({ id, group: 'fields', isFault: true })
const faultPoints = (at: string, required: boolean): SchemaPoint[] => [
  fault(`${at} invalid`),
  ...(required ? [fault(`${at} left out`)] : []),
]

function chosen(contract: Contract, schema: Schema, members: readonly Member[], value: unknown): Member | undefined {
  const property: string | undefined = schema.discriminator?.propertyName
  if (property === undefined || !isFields(value))
    return members.find((member) => contract.faultIn(member.schema, value) === undefined)
  return members.find((member) => {
    const tag = contract.flat(member.schema).properties?.[property]
    return tag && valuesOf(contract.flat(tag)).includes(value[property])
  })
}

/** The cells of a schema that a value covers, without its invalid values. */
export function shownPoints(contract: Contract, node: Schema, value: unknown, at: string): string[] {
  const schema = contract.flat(node)
  const members = membersOf(contract, schema)
  if (members.length > 0) {
    const member = chosen(contract, schema, members, value)
    return member
      ? [`${at} is ${member.name}`, ...shownPoints(contract, member.schema, value, `${at}<${member.name}>`)]
      : []
  }
  const { items } = schema
  if (Array.isArray(value) && items) {
    return value.length === 0
      ? [`${at} empty`]
      : [`${at} with items`, ...new Set(value.flatMap((item) => shownPoints(contract, items, item, `${at}[]`)))]
  }
  if (isFields(value) && schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, property]) => {
      const presence = schema.required?.includes(name)
        ? []
        : [`${at}.${name} ${has(value, name) ? 'given' : 'left out'}`]
      return [...presence, ...(has(value, name) ? shownPoints(contract, property, value[name], `${at}.${name}`) : [])]
    })
  }
  return valuesOf(schema).includes(value) ? [`${at} = ${JSON.stringify(value)}`] : []
}

/** The cells of all invalid values in a request body. */
export function faultsShown(contract: Contract, node: Schema, value: unknown, at: string, tag?: string): string[] {
  const schema = contract.flat(node)
  const members = membersOf(contract, schema)
  if (members.length > 0) {
    const member = chosen(contract, schema, members, value)
    if (member)
      return faultsShown(contract, member.schema, value, `${at}<${member.name}>`, schema.discriminator?.propertyName)
    const property: string | undefined = schema.discriminator?.propertyName
    return property && isFields(value)
      ? [`${at}.${property} ${isMissing(value, property) ? 'left out' : 'invalid'}`]
      : [`${at} of no branch`]
  }
  const { properties } = schema
  if (!isFields(value) || !properties) return contract.faultIn(node, value) === undefined ? [] : [`${at} invalid`]
  return [
    ...Object.entries(properties).flatMap(([name, property]) => {
      if (name === tag) return []
      if (schema.required?.includes(name) && isMissing(value, name)) return [`${at}.${name} left out`]
      if (!has(value, name) || contract.faultIn(property, value[name]) === undefined) return []
      const within = isFields(value[name]) ? faultsShown(contract, property, value[name], `${at}.${name}`) : []
      return within.length > 0 ? within : [`${at}.${name} invalid`]
    }),
    ...(schema.additionalProperties === false && Object.keys(value).some((name) => !has(properties, name))
      ? [`${at} with an unknown field`]
      : []),
  ]
}

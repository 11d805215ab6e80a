import type { OpenApiDocument, Schema } from '../../../openapi/reading/document.ts'
import { nameOf, targetOf } from '../../../openapi/reading/references.ts'

/**
 * An independent check beside the cells of the coverage (harness/coverage/schema-cells.ts): a cell covers what a
 * merchant can send and get, a sighting whether each limit of a schema is reached at all, or could be moved unnoticed.
 *
 * A sighting is a thing that a schema declares and a value shows: a property that is present, an optional one that is
 * absent, a value of an enum, a number or length exactly at its limit. What is declared and never occurs is either
 * untested or wrong.
 */
type VisitSighting = (sighting: string) => void

/** A value exactly at a limit: the keyword, and the measured value. */
type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems'
const limitsOf = (node: Schema, name: string, limits: readonly Limit[], measured?: number): string[] =>
  limits
    .filter((limit) => node[limit] !== undefined && (measured ?? node[limit]) === node[limit])
    .map((limit) => `${name} ${limit} ${node[limit]}`)
const LENGTHS = ['minLength', 'maxLength'] as const
const RANGE = ['minimum', 'maximum'] as const
const COUNTS = ['minItems', 'maxItems'] as const

/** All sightings that values of this schema should show together. */
export function* expectations(
  contract: OpenApiDocument,
  schema: Schema,
  where: string,
  within: ReadonlySet<string> = new Set(),
): Generator<string> {
  const { node, name } = named(contract, schema, where)
  if (within.has(name)) return
  const inside = new Set([...within, name])
  if (node.enum) {
    for (const value of node.enum) yield `${name} = ${JSON.stringify(value)}`
    return
  }
  const { type, items } = node
  if (type === 'string') yield* limitsOf(node, name, LENGTHS)
  if (type === 'number' || type === 'integer') yield* limitsOf(node, name, RANGE)
  if (type === 'number') yield `${name} with a fraction`
  if (type === 'boolean') yield* [`${name} = true`, `${name} = false`]
  if (type === 'array') yield* limitsOf(node, name, COUNTS)
  if (type === 'array' && items) yield* expectations(contract, items, `${name} item`, inside)
  if (isOpen(node, where)) yield `${name} with an undeclared property`
  for (const [property, child] of Object.entries(node.properties ?? {})) {
    yield `${name}.${property} present`
    if (!node.required?.includes(property) && !narrows(where)) yield `${name}.${property} absent`
    yield* expectations(contract, child, `${name}.${property}`, inside)
  }
  for (const [index, part] of (node.allOf ?? []).entries())
    yield* expectations(contract, part, `${name} allOf ${index}`, inside)
  for (const [tag, $ref] of Object.entries(node.discriminator?.mapping ?? {})) {
    yield `${name} with ${tag}`
    yield* expectations(contract, { $ref }, name, inside)
  }
}

/** Sightings of one valid value. */
export function sightings(contract: OpenApiDocument, schema: Schema, value: unknown, where: string): string[] {
  const seen: string[] = []
  poll(contract, schema, value, where, (sighting) => seen.push(sighting))
  return seen
}

function poll(contract: OpenApiDocument, schema: Schema, value: unknown, where: string, visit: VisitSighting): void {
  const { node, name } = named(contract, schema, where)
  if (node.enum) return visit(`${name} = ${JSON.stringify(value)}`)
  if (typeof value === 'string') limitsOf(node, name, LENGTHS, [...value].length).forEach(visit)
  if (typeof value === 'number') limitsOf(node, name, RANGE, value).forEach(visit)
  if (typeof value === 'number' && !Number.isInteger(value)) visit(`${name} with a fraction`)
  if (typeof value === 'boolean') visit(`${name} = ${value}`)
  if (Array.isArray(value)) {
    limitsOf(node, name, COUNTS, value.length).forEach(visit)
    for (const item of value) if (node.items) poll(contract, node.items, item, `${name} item`, visit)
  } else if (typeof value === 'object' && value !== null) {
    lookAtObject(contract, node, new Map(Object.entries(value)), name, visit)
  }
}

function lookAtObject(
  contract: OpenApiDocument,
  node: Schema,
  value: ReadonlyMap<string, unknown>,
  name: string,
  visit: VisitSighting,
): void {
  for (const [property, child] of Object.entries(node.properties ?? {})) {
    visit(`${name}.${property} ${value.has(property) ? 'present' : 'absent'}`)
    if (value.has(property)) poll(contract, child, value.get(property), `${name}.${property}`, visit)
  }
  if ([...value.keys()].some((property) => !Object.hasOwn(node.properties ?? {}, property)))
    visit(`${name} with an undeclared property`)
  for (const [index, part] of (node.allOf ?? []).entries())
    poll(contract, part, Object.fromEntries(value), `${name} allOf ${index}`, visit)
  if (!node.discriminator) return
  const tag = String(value.get(node.discriminator.propertyName))
  const $ref = node.discriminator.mapping?.[tag]
  if ($ref === undefined) return visit(`${name} with ${tag}, which is not mapped`)
  visit(`${name} with ${tag}`)
  poll(contract, { $ref }, Object.fromEntries(value), name, visit)
}

/** A component has its own name everywhere: one operation's sighting counts for all. */
function named(
  contract: OpenApiDocument,
  schema: Schema,
  where: string,
): { readonly node: Schema; readonly name: string } {
  if (schema.$ref === undefined) return { node: schema, name: where }
  return named(contract, targetOf(contract, schema.$ref) as Schema, nameOf(schema.$ref))
}

/** A part of an `allOf` only narrows its neighbours. */
const narrows = (where: string): boolean => / allOf \d+$/.test(where)
const isOpen = (node: Schema, where: string): boolean =>
  node.type === 'object' && node.additionalProperties !== false && !narrows(where)

import type { Operation } from 'openapi-backend'

/** The parts of a request's schema that declare fields. */
interface FieldSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly oneOf?: readonly FieldSchema[]
  readonly discriminator?: { readonly propertyName: string }
  readonly enum?: readonly unknown[]
  readonly 'x-empty-is-absent'?: boolean
}

/** The fields of one object, in the order in which the contract declares them. */
interface Fields {
  readonly required: readonly string[]
  /** Includes the nested fields of a field that is an object. */
  readonly byName: ReadonlyMap<string, Fields | undefined>
  /** Whether an empty text, null or an empty object in one of these counts as absent. */
  readonly isEmptyAbsent: boolean
}

/** A body as the handlers see it: declared fields only, none of them empty. */
interface FittedBody {
  readonly body: Readonly<Record<string, unknown>>
  /** First required field that is absent, as a dotted name. */
  readonly missing?: string
  /** First field that the contract does not declare. */
  readonly unknown?: string
}

interface Faults {
  missing?: string
  unknown?: string
}

/** What the contract declares for the body of an operation. */
export interface RequestShape {
  /** Whether any branch has this dotted name, such as `list[].name`. The schema judges what is in a list. */
  readonly isDeclared: (name: string) => boolean
  /**
   * Copies the declared fields out of a body, so that later steps cost no more than these. An empty text or null
   * counts as absent where the contract says `x-empty-is-absent` (decisions: missing field), and so does an optional
   * object without a value in it. The tag of a union decides which fields are declared and required; while it is
   * absent or wrong, only what all branches have in common applies.
   */
  readonly fit: (given: object) => FittedBody
}

/** @returns undefined for an operation without a body */
export function requestShapeOf(operation: Operation): RequestShape | undefined {
  const content = (operation.requestBody as { content?: Record<string, { schema?: FieldSchema }> } | undefined)?.content
  const schema = content?.['application/json']?.schema
  if (!schema) return undefined
  const branches = schema.oneOf ?? [schema]
  const tag = schema.discriminator?.propertyName
  const common = together(branches)
  const byTag = new Map(
    branches.flatMap((branch) =>
      (branch.properties?.[tag ?? '']?.enum ?? []).map((value) => [value, fieldsOf(branch)]),
    ),
  )
  const declared = new Set(branches.flatMap((branch) => namesIn(branch, '')))
  return {
    isDeclared: (name) => declared.has(name),
    fit(given) {
      const value = tag === undefined ? undefined : (given as Readonly<Record<string, unknown>>)[tag]
      const faults: Faults = {}
      const body = fitted(byTag.get(value) ?? common, given as Readonly<Record<string, unknown>>, '', faults)
      return { body, ...faults }
    },
  }
}

function fitted(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  at: string,
  faults: Faults,
): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  const objects: [string, Fields][] = []
  for (const [name, within] of fields.byName) {
    if (!Object.hasOwn(given, name) || (fields.isEmptyAbsent && isEmpty(given[name]))) continue
    body[name] = given[name]
    if (within && isObject(given[name])) objects.push([name, within])
  }
  note(
    faults,
    'missing',
    at,
    fields.required.find((name) => !Object.hasOwn(body, name)),
  )
  note(
    faults,
    'unknown',
    at,
    Object.keys(given).find((name) => !fields.byName.has(name)),
  )
  for (const [name, within] of objects) {
    const inner: Faults = {}
    const value = fitted(within, body[name] as Readonly<Record<string, unknown>>, `${at}${name}.`, inner)
    if (inner.unknown !== undefined) faults.unknown ??= inner.unknown
    if (fields.isEmptyAbsent && !fields.required.includes(name) && Object.keys(value).length === 0) {
      delete body[name]
      continue
    }
    if (inner.missing !== undefined) faults.missing ??= inner.missing
    body[name] = value
  }
  return body
}

function note(faults: Faults, kind: 'missing' | 'unknown', at: string, name: string | undefined): void {
  if (name !== undefined) faults[kind] ??= at + name
}

const isEmpty = (value: unknown): boolean => value === '' || value === null
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf({ required = [], properties = {}, 'x-empty-is-absent': isEmptyAbsent = false }: FieldSchema): Fields {
  const byName = new Map(
    Object.entries(properties).map(([name, property]) => [name, property.properties && fieldsOf(property)]),
  )
  return { required, byName, isEmptyAbsent }
}

/** Every field of any branch; required are those that all branches require. */
function together(branches: readonly FieldSchema[]): Fields {
  const fields = branches.map((branch) => fieldsOf(branch))
  const [first] = fields
  if (!first) throw new Error('a union of the contract has no member')
  return {
    required: first.required.filter((name) => fields.every(({ required }) => required.includes(name))),
    byName: new Map(fields.flatMap(({ byName }) => [...byName])),
    isEmptyAbsent: first.isEmptyAbsent,
  }
}

const namesIn = ({ properties = {} }: FieldSchema, at: string): string[] =>
  Object.entries(properties).flatMap(([name, property]) => [
    at + name,
    ...namesIn(property, `${at}${name}.`),
    ...namesIn(property.items ?? {}, `${at}${name}[].`),
  ])

import type { Operation } from 'openapi-backend'

/** The parts of a request's schema that tell which fields there are. */
interface FieldSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly oneOf?: readonly FieldSchema[]
  readonly discriminator?: { readonly propertyName: string }
  readonly enum?: readonly unknown[]
  readonly 'x-empty-is-absent'?: boolean
}

/** The fields of one object, in the order in which the contract declares them. */
interface Fields {
  readonly required: readonly string[]
  /** With the fields of a field that is an object itself. */
  readonly byName: ReadonlyMap<string, Fields | undefined>
  /** Fields that other branches of a union have: empty, they are not there in this one either. */
  readonly elsewhere: ReadonlySet<string>
  /** Whether a value of one of these is no value. */
  readonly isAbsent: (value: unknown) => boolean
}

/** A body as the handlers see it: declared fields only, none of them empty. */
export interface FittedBody {
  readonly body: Readonly<Record<string, unknown>>
  /** First field that is required and absent, as a dotted name. */
  readonly missing?: string
  /** First field that the contract does not know. */
  readonly unknown?: string
}

/** What the contract declares of the body of an operation. */
export interface RequestShape {
  /** Whether any branch has this dotted name. */
  readonly isDeclared: (name: string) => boolean
  /**
   * Takes the declared fields out of a body, so that nothing after it costs more than these. An empty text or null
   * counts as absent where the contract says `x-empty-is-absent` (decisions: missing field). Which fields are declared
   * and required, the tag of a union chooses; while it is absent or wrong, what all branches have in common.
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
      (branch.properties?.[tag ?? '']?.enum ?? []).map((value) => [value, fieldsOf(branch, common)]),
    ),
  )
  const declared = new Set(namesIn(common, ''))
  return {
    isDeclared: (name) => declared.has(name),
    fit(given) {
      const value = tag === undefined ? undefined : (given as Readonly<Record<string, unknown>>)[tag]
      const faults: { missing?: string; unknown?: string } = {}
      const body = fitted(byTag.get(value) ?? common, given as Readonly<Record<string, unknown>>, '', faults)
      return { body, ...faults }
    },
  }
}

function fitted(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  at: string,
  faults: { missing?: string; unknown?: string },
): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  const objects: [string, Fields][] = []
  for (const [name, within] of fields.byName) {
    if (!Object.hasOwn(given, name) || fields.isAbsent(given[name])) continue
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
    Object.keys(given).find(
      (name) => !fields.byName.has(name) && !(fields.elsewhere.has(name) && fields.isAbsent(given[name])),
    ),
  )
  for (const [name, within] of objects)
    body[name] = fitted(within, body[name] as Readonly<Record<string, unknown>>, `${at}${name}.`, faults)
  return body
}

function note(
  faults: { missing?: string; unknown?: string },
  kind: 'missing' | 'unknown',
  at: string,
  name: string | undefined,
): void {
  if (name !== undefined) faults[kind] ??= at + name
}

const isEmpty = (value: unknown): boolean => value === '' || value === null
const isNothing = (): boolean => false
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf(
  { required = [], properties = {}, 'x-empty-is-absent': emptyIsAbsent }: FieldSchema,
  whole?: Fields,
): Fields {
  const byName = new Map(
    Object.entries(properties).map(([name, property]) => [name, property.properties && fieldsOf(property)]),
  )
  const elsewhere = new Set([...(whole?.byName.keys() ?? [])].filter((name) => !byName.has(name)))
  return { required, byName, elsewhere, isAbsent: emptyIsAbsent === true ? isEmpty : isNothing }
}

/** Every field of any branch; required is what all require. */
function together(branches: readonly FieldSchema[]): Fields {
  const fields = branches.map((branch) => fieldsOf(branch))
  const [first] = fields
  if (!first) throw new Error('a union of the contract has no member')
  return {
    required: first.required.filter((name) => fields.every(({ required }) => required.includes(name))),
    byName: new Map(fields.flatMap(({ byName }) => [...byName])),
    elsewhere: new Set(),
    isAbsent: first.isAbsent,
  }
}

const namesIn = ({ byName }: Fields, at: string): string[] =>
  [...byName].flatMap(([name, within]) => [at + name, ...(within ? namesIn(within, `${at}${name}.`) : [])])

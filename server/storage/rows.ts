/** Turns the field `merchantReference` into the column `merchant_reference`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

interface SqlTypes {
  readonly bigint: bigint
  readonly boolean: boolean
  readonly bytea: Uint8Array
  readonly int: number
  readonly json: object
  readonly text: string
  readonly 'text[]': readonly string[]
  readonly timestamptz: Date
  readonly uuid: string
}
type SqlTypeOf<Value> = { [Type in keyof SqlTypes]: Value extends SqlTypes[Type] ? Type : never }[keyof SqlTypes]
type IsOptional<Fields, Name extends keyof Fields> = object extends Pick<Fields, Name> ? true : false

/** A row as PostgreSQL returns it: a field that is absent in the object is null. */
export type Row<Fields> = {
  readonly [Name in keyof Fields & string as Snake<Name>]-?: IsOptional<Fields, Name> extends true
    ? Exclude<Fields[Name], undefined> | null
    : Fields[Name]
}

/** The column type of every field. A field without one does not compile. */
export type ColumnTypes<Fields> = { readonly [Name in keyof Fields]-?: SqlTypeOf<Exclude<Fields[Name], undefined>> }

/** The column lists of statements, and the conversion between rows and objects, all derived from one table of types. */
interface Columns<Fields extends object> {
  /** `id, merchant_id`; with `alias`, for statements with joins: `t.id, t.merchant_id`. */
  names(alias?: string): string
  /** `id bigint, merchant_id bigint`: the column definitions for `json_to_recordset($1)` over `json`. */
  readonly definition: string
  /** The JSON of a whole batch, for one parameter. Contains only those fields of each object that have a column. */
  json(objects: readonly Fields[]): string
  toFields(row: Row<Fields>): Fields
}

const SEPARATOR = ', '

/**
 * Derives the columns of a table from its fields: lists of names, definitions for json_to_recordset, and conversions.
 */
export function columns<Fields extends object>(types: ColumnTypes<Fields>): Columns<Fields> {
  const names = Object.keys(types) as (keyof Fields & string)[] // the parameter's type allows exactly these fields
  const table = names.map((field) => ({ field, column: snake(field), type: types[field] }))
  const nested = names.filter((field) => types[field] === 'json')
  const holdsObject = (fields: Fields) => nested.some((field) => fields[field] !== undefined)
  // Hot path: every payment runs these loops several times. `fromEntries`, or dropping fields with `...rest`, would
  // make them several times slower.
  const toRow = (fields: Fields) => {
    const row: Record<string, unknown> = {}
    for (const { field, column, type } of table) row[column] = asText(type, fields[field])
    return row
  }
  return {
    names: (alias) => table.map(({ column }) => (alias ? `${alias}.${column}` : column)).join(SEPARATOR),
    definition: table.map(({ column, type }) => `${column} ${type}`).join(SEPARATOR),
    // Most rows hold no object, whose bigints need a function that is called for each field of each row.
    json: (objects) => (objects.some(holdsObject) ? jsonRows : JSON.stringify)(objects.map(toRow)),
    toFields(row) {
      const values: Readonly<Record<string, unknown>> = row
      const fields: Record<string, unknown> = {}
      for (const { field, column } of table) if (values[column] !== null) fields[field] = values[column]
      return fields as Fields // `types` requires that each of its fields is a column of the row
    },
  }
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Converts values that JSON cannot represent to text that PostgreSQL parses. */
function asText(type: keyof SqlTypes, value: unknown): unknown {
  if (type === 'bigint') return typeof value === 'bigint' ? value.toString() : value
  if (type === 'bytea') return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  return value
}

/**
 * The JSON of rows for `json_to_recordset($1)`: one parameter carries a whole batch; bigint and Date become text that
 * PostgreSQL parses exactly.
 */
export const jsonRows = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

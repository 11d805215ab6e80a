/** `merchantReference` of an object is `merchant_reference` of a row. */
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

/** A row as PostgreSQL gives it: what is absent in the object is null there. */
export type Row<Fields> = {
  readonly [Name in keyof Fields & string as Snake<Name>]-?: IsOptional<Fields, Name> extends true
    ? Exclude<Fields[Name], undefined> | null
    : Fields[Name]
}

/** Every field with the type of its column. A field without one does not compile. */
export type ColumnTypes<Fields> = { readonly [Name in keyof Fields]-?: SqlTypeOf<Exclude<Fields[Name], undefined>> }

/** What a statement says of its columns, and the way between its rows and our objects: all of it from one table. */
export interface Columns<Fields extends object> {
  /** `id, merchant_id`; of `alias` where a statement joins tables: `t.id, t.merchant_id`. */
  names(alias?: string): string
  /** `id bigint, merchant_id bigint`: what `json_to_recordset($1)` reads `json` as. */
  readonly definition: string
  /** One parameter carries a whole batch. Of each object only the fields that have a column. */
  json(objects: readonly Fields[]): string
  toFields(row: Row<Fields>): Fields
}

const SEPARATOR = ', '

/** A table's columns by their fields: lists of names, definitions for json_to_recordset, and rows as fields. */
export function columns<Fields extends object>(types: ColumnTypes<Fields>): Columns<Fields> {
  const names = Object.keys(types) as (keyof Fields & string)[] // an object of these fields, and of no others
  const table = names.map((field) => ({ field, column: snake(field), type: types[field] }))
  const mayHoldBigints = table.some(({ type }) => type === 'json')
  // Every payment passes these loops several times: `fromEntries`, or taking a few fields out by `...rest`, costs them
  // several times over.
  const toRow = (fields: Fields) => {
    const row: Record<string, unknown> = {}
    for (const { field, column, type } of table) row[column] = asText(type, fields[field])
    return row
  }
  return {
    names: (alias) => table.map(({ column }) => (alias ? `${alias}.${column}` : column)).join(SEPARATOR),
    definition: table.map(({ column, type }) => `${column} ${type}`).join(SEPARATOR),
    json: (objects) => (mayHoldBigints ? jsonRows : JSON.stringify)(objects.map(toRow)),
    toFields(row) {
      const values: Readonly<Record<string, unknown>> = row
      const fields: Record<string, unknown> = {}
      for (const { field, column } of table) if (values[column] !== null) fields[field] = values[column]
      return fields as Fields // what `types` demands: each of its fields is a column of the row
    },
  }
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** As text that PostgreSQL reads, where JSON has no form of it. */
function asText(type: keyof SqlTypes, value: unknown): unknown {
  if (type === 'bigint') return typeof value === 'bigint' ? value.toString() : value
  if (type === 'bytea') return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
  return value
}

/**
 * Rows for `json_to_recordset($1)`: one parameter carries a whole batch; bigint and Date become text that PostgreSQL
 * reads exactly.
 */
export const jsonRows = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

/** A JSON object of any origin. */
export interface Fields {
  readonly [name: string]: unknown
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object itself, or an empty one for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The objects of a list; none for any other value. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** The value at a path of a body, an item of a list by its index; undefined when there is none. */
export const valueAt = (body: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (Array.isArray(inner) ? inner[Number(name)] : fieldsOf(inner)[name]), body)

/** An object without one field. */
export const without = <Value>(fields: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

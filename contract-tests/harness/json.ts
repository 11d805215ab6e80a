/** A JSON object of anybody's. */
export interface Fields {
  readonly [name: string]: unknown
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object itself; an empty one stands for everything that is none. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** What stands in a body where these names lead to; undefined when nothing does. */
export const valueAt = (body: unknown, names: readonly string[]): unknown =>
  names.reduce((inner, name) => fieldsOf(inner)[name], body)

/** The fields but one. */
export const without = <Value>(fields: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

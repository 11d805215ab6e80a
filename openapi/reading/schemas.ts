import type { OpenApiDocument, Schema } from './document.ts'
import { follow } from './references.ts'

/** A schema with its references followed and its `allOf` merged; the same object for the same node. */
export function flattener(document: OpenApiDocument): (schema: Schema) => Schema {
  const flattened = new WeakMap<Schema, Schema>()
  return function flat(schema: Schema): Schema {
    const known = flattened.get(schema)
    if (known) return known
    const { allOf = [], ...own } = follow(document, schema)
    const whole = [...allOf.map(flat), own].reduce(together, {})
    flattened.set(schema, whole)
    return whole
  }
}

/** Merges two schemas that both apply: all properties, and the intersection of lists of values. */
function together(one: Schema, other: Schema): Schema {
  const property = ([name, schema]: [string, Schema]): [string, Schema] => {
    const same = one.properties?.[name]
    return [name, same ? { allOf: [same, schema] } : schema]
  }
  return {
    ...one,
    ...other,
    ...((one.properties ?? other.properties) && {
      properties: { ...one.properties, ...Object.fromEntries(Object.entries(other.properties ?? {}).map(property)) },
    }),
    ...((one.required ?? other.required) && {
      required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])],
    }),
    ...(one.enum && other.enum && { enum: one.enum.filter((value) => other.enum?.includes(value)) }),
  }
}

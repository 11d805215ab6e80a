import type { OpenApiDocument, Schema } from '../../schemathesis-runner-wrapper/index.ts'

const FLAG = 'x-empty-is-absent'
const EMPTY: Schema = { enum: ['', null] }

/**
 * Writes into the schemas what the contract says in words and `x-empty-is-absent`: that an optional field may be empty
 * or null. The published contract keeps to one type per field, which every tool understands; Schemathesis expects a
 * refusal of each value outside of a schema.
 */
export function admitEmptyFields(contract: OpenApiDocument): OpenApiDocument {
  for (const schema of Object.values(contract.components?.schemas ?? {}))
    for (const each of [schema, ...(schema.oneOf ?? [])]) admitOptional(each)
  for (const parameter of Object.values(contract.components?.parameters ?? {})) {
    if (parameter[FLAG] === true && parameter.schema) parameter.schema = { anyOf: [parameter.schema, { enum: [''] }] }
  }
  return contract
}

function admitOptional(schema: Schema): void {
  if (schema[FLAG] !== true || !schema.properties) return
  schema.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => {
      if (property.properties) admitOptional(property)
      const isOptional = schema.required?.includes(name) !== true && property.enum?.includes(null) !== true
      return [name, isOptional ? { anyOf: [property, { ...EMPTY }] } : property]
    }),
  )
}

import { resolve } from '../../schemathesis-runner-wrapper/contract.ts'
import type { OpenApiDocument, Schema } from '../../schemathesis-runner-wrapper/index.ts'

const FLAG = 'x-empty-is-absent'
const EMPTY: Schema = { enum: ['', null] }

/**
 * Writes into the schemas what the contract says in words and `x-empty-is-absent`: that an optional field may be empty
 * or null, and so may a field that only another branch has. The published contract keeps to one type per field, which
 * every tool understands; Schemathesis takes each value outside of a schema for one that must be refused.
 */
export function admitEmptyFields(contract: OpenApiDocument): OpenApiDocument {
  for (const schema of Object.values(contract.components?.schemas ?? {})) {
    if (schema.oneOf) admitOtherBranches(contract, schema.oneOf)
  }
  for (const schema of Object.values(contract.components?.schemas ?? {}))
    for (const each of [schema, ...(schema.oneOf ?? [])]) admitOptional(each)
  for (const parameter of Object.values(contract.components?.parameters ?? {})) {
    if (parameter[FLAG] === true && parameter.schema) parameter.schema = { anyOf: [parameter.schema, { enum: [''] }] }
  }
  return contract
}

function admitOtherBranches(contract: OpenApiDocument, members: readonly Schema[]): void {
  const branches = members
    .map((member) => resolve<Schema>(contract, member))
    .filter((branch) => branch?.[FLAG] === true)
    .filter((branch) => branch !== undefined)
  const names = branches.flatMap(({ properties = {} }) => Object.keys(properties))
  for (const branch of branches) {
    const own = branch.properties ?? {}
    branch.properties = {
      ...own,
      ...Object.fromEntries(names.filter((name) => !Object.hasOwn(own, name)).map((name) => [name, { ...EMPTY }])),
    }
  }
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

import type { Operation } from 'openapi-backend'

interface ObjectSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly oneOf?: readonly ObjectSchema[]
  readonly discriminator?: { readonly propertyName: string }
  readonly enum?: readonly unknown[]
}

/** Whether this very request must carry the field: of a union only the branch that its tag chooses counts. */
export function isRequiredIn(operation: Operation, body: unknown): (field: string) => boolean {
  const names = new Set<string>()
  for (const parameter of operation.parameters ?? []) {
    if ('in' in parameter && parameter.required === true) names.add(parameter.name)
  }
  const content = (operation.requestBody as { content?: Record<string, { schema?: ObjectSchema }> } | undefined)?.content
  const schema = content?.['application/json']?.schema
  if (schema) collect(branchOf(schema, body), '', names)
  return (field) => names.has(field)
}

function branchOf(schema: ObjectSchema, body: unknown): ObjectSchema {
  if (!schema.oneOf || !schema.discriminator) return schema
  const { propertyName } = schema.discriminator
  const tag = (body as Record<string, unknown> | null)?.[propertyName]
  return schema.oneOf.find(({ properties }) => properties?.[propertyName]?.enum?.includes(tag)) ?? schema.oneOf[0] ?? schema
}

function collect(schema: ObjectSchema, prefix: string, names: Set<string>): void {
  for (const name of schema.required ?? []) names.add(prefix + name)
  for (const [name, property] of Object.entries(schema.properties ?? {})) collect(property, `${prefix}${name}.`, names)
}

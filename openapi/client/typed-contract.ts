import type { NameMap, OpenApiDocument, Parameter, Schema, Variant } from '../reading/document.ts'
import { operationsOf } from '../reading/operations.ts'
import { nameOf } from '../reading/references.ts'
import { callsOf } from './calls-of-contract.ts'

type Schemas = NameMap<Schema>

/**
 * The contract in the form from which its types are generated. It has the same meaning, in the way that TypeScript and
 * editors can show:
 *
 * - each field has its own description, even where the contract only refers to that of its schema;
 * - request parameters and redirect parameters have names, like everything else;
 * - the variants of `x-client` replace what they narrow;
 * - a union needs no discriminator: each member already has its own literal value.
 */
export function typedContract(document: OpenApiDocument): OpenApiDocument {
  const all = {
    ...narrowed(document.components?.schemas ?? {}, variantsOf(document)),
    ...queriesOf(document),
    RedirectQuery: redirectQuery(document),
  }
  return {
    ...document,
    components: { ...document.components, schemas: mapped(all, (schema) => shown(schema, all)) },
  }
}

/** @throws when there is no schema with this name */
function named<Thing>(things: NameMap<Thing>, name: string): Thing {
  const thing = things[name]
  if (thing === undefined) throw new Error(`the contract has no ${name}`)
  return thing
}

const mapped = <Value>(values: NameMap<Value>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

const variantsOf = (document: OpenApiDocument): NameMap<Variant> =>
  Object.fromEntries(callsOf(document).flatMap(({ notes }) => Object.entries(notes.variants ?? {})))

function narrowed(schemas: Schemas, variants: NameMap<Variant>): Schemas {
  const unions = Object.groupBy(
    Object.entries(variants).filter(([, { where }]) => where !== undefined),
    ([, variant]) => variant.of,
  )
  return {
    ...schemas,
    ...Object.fromEntries(
      Object.entries(variants).map(([name, variant]) => [name, variantOf(named(schemas, variant.of), variant)]),
    ),
    ...Object.fromEntries(
      Object.entries(unions).map(([name, members = []]) => [
        name,
        {
          description: named(schemas, name).description ?? '',
          oneOf: members.map(([member]) => ({ $ref: `#/components/schemas/${member}` })),
        },
      ]),
    ),
  }
}

const variantOf = (schema: Schema, { description, where = {}, required = [] }: Variant): Schema => ({
  ...schema,
  description,
  required: [...new Set([...(schema.required ?? []), ...required])],
  properties: {
    ...schema.properties,
    ...Object.fromEntries(
      Object.entries(where).map(([name, value]) => {
        const { default: _default, ...field } = named(schema.properties ?? {}, name)
        return [name, { ...field, enum: [value], examples: [value] }]
      }),
    ),
  },
})

const queriesOf = (document: OpenApiDocument): Schemas =>
  Object.fromEntries(
    callsOf(document).flatMap(({ name, query }) =>
      query === undefined ? [] : [[query.name, queryOf(`The query parameters of \`${name}\`.`, query.parameters)]],
    ),
  )

const queryOf = (description: string, parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  description,
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(
    parameters.map(({ name, description: about = '', schema, example }) => [
      name,
      { ...schema, description: about, examples: [example] },
    ]),
  ),
})

const redirectQuery = (document: OpenApiDocument): Schema =>
  queryOf(
    'The query parameters that the customer brings to your `redirect_url`.',
    operationsOf(document).flatMap(({ kind, parameters }) => (kind === 'redirect' ? parameters : [])),
  )

/** Removes what does not belong in a comment: a title above a description, a format that TypeScript does not know. */
function shown(
  { title: _title, format: _format, discriminator: _discriminator, ...schema }: Schema,
  all: Schemas,
): Schema {
  const { properties, items, oneOf, allOf } = schema
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, (field) => shown(described(field, all), all)) }),
    ...(items && { items: shown(items, all) }),
    ...(oneOf && { oneOf: oneOf.map((member) => shown(member, all)) }),
    ...(allOf && { allOf: allOf.map((member) => shown(member, all)) }),
  }
}

function described(field: Schema, all: Schemas): Schema {
  if (field.$ref === undefined || field.description !== undefined) return field
  const { description = '', examples = [] } = named(all, nameOf(field.$ref))
  return { ...field, description, examples }
}

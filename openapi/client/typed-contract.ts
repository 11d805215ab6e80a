import type { Named, OpenApiDocument, Parameter, Schema, Variant } from '../reading/document.ts'
import { operationsOf } from '../reading/operations.ts'
import { nameOf } from '../reading/references.ts'
import { callsOf } from './calls-of-contract.ts'

type Schemas = Named<Schema>

/**
 * The contract as its types are made from it. It says the same, in the way that TypeScript and its editors have it:
 *
 * - each field has a description of its own, also where the contract only refers to that of its schema;
 * - what a merchant asks with, and what a redirect brings, have names like everything else;
 * - the variants of `x-client` stand in the place of what they narrow;
 * - a union needs no discriminator: each member has its one value already.
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

/** @throws when there is no schema of this name */
function named<Thing>(things: Named<Thing>, name: string): Thing {
  const thing = things[name]
  if (thing === undefined) throw new Error(`the contract has no ${name}`)
  return thing
}

const mapped = <Value>(values: Named<Value>, change: (value: Value) => Value) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

const variantsOf = (document: OpenApiDocument): Named<Variant> =>
  Object.fromEntries(callsOf(document).flatMap(({ notes }) => Object.entries(notes.variants ?? {})))

function narrowed(schemas: Schemas, variants: Named<Variant>): Schemas {
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
      query === undefined ? [] : [[query.name, queryOf(`What \`${name}\` is asked with.`, query.parameters)]],
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
    'What the customer brings to your `redirect_url`.',
    operationsOf(document).flatMap(({ kind, parameters }) => (kind === 'redirect' ? parameters : [])),
  )

/** Without what has no place in a comment: a title above a description, a format of which TypeScript knows nothing. */
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

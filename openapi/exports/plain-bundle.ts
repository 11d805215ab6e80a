import { METHODS } from '../reading/document.ts'
import { isList, objectOf, type Json, type JsonObject } from '../reading/json.ts'
import { child, children, rootOf, type SchemaLocation } from '../reading/places.ts'

/**
 * How far below an operation a `$ref` is written out, by what it stands in: what generators stumble over.
 *
 * - swagger-typescript-api loses the media type of a body that is a `$ref`, and every POST gets 415.
 * - openapi-python-client knows no `$ref` to a callback.
 * - Swagger's parser, which openapi-generator is made of, takes parameters of a callback that are `$ref`s for one and
 *   the same.
 */
const DEPTHS: Readonly<Record<string, number>> = {
  requestBody: 0,
  callbacks: ['name', 'expression', 'method', 'parameters', 'each'].length,
}

/** Kinds of components that stand where they were used. */
const WRITTEN_OUT = ['requestBodies', 'callbacks']

/** The bundled contract, the same in every word, in the form that most tools can read. */
export function plainBundle(bundle: string): string {
  const contract = JSON.parse(bundle) as Json
  const root = rootOf(contract)
  const { components, ...rest } = objectOf(contract)
  const plain = {
    ...rest,
    paths: itemsOf(child(root, 'paths')),
    ...(rest.webhooks !== undefined && { webhooks: itemsOf(child(root, 'webhooks')) }),
    components: Object.fromEntries(
      Object.entries(objectOf(components)).filter(([kind]) => !WRITTEN_OUT.includes(kind)),
    ),
  }
  return `${JSON.stringify(withoutUnused(plain), null, 2)}\n`
}

const itemsOf = (paths: SchemaLocation): JsonObject => mapped(paths, (item) => mapped(item, operationOf))

const operationOf = (place: SchemaLocation, key: string): Json =>
  METHODS.some((method) => method === key)
    ? mapped(place, (held, keyword) => inlined(held, DEPTHS[keyword]))
    : inlined(place)

/** What a place holds, each by what `write` makes of it. */
function mapped(place: SchemaLocation, write: (held: SchemaLocation, key: string) => Json): JsonObject {
  return Object.fromEntries(children(place).map(([key, held]) => [key, write(held, key)]))
}

/** The node with what its `$ref`s lead to in their place, so deep; as it is where it should stay. */
function inlined(place: SchemaLocation, depth = 0): Json {
  const { node = null } = place
  if (depth === 0 || typeof node !== 'object' || node === null) return node
  const held = mapped(place, (each) => inlined(each, depth - 1))
  return isList(node) ? Object.values(held) : held
}

/** What only the written out parts referred to: now it stands there itself. */
function withoutUnused({ components, ...rest }: JsonObject): JsonObject {
  const text = JSON.stringify({ components, ...rest })
  const used = Object.entries(objectOf(components)).map(([kind, pieces]): [string, Json] => [
    kind,
    Object.fromEntries(
      Object.entries(objectOf(pieces)).filter(
        // Security schemes are named, not referred to.
        ([name]) => kind === 'securitySchemes' || text.includes(`"#/components/${kind}/${name}"`),
      ),
    ),
  ])
  return { ...rest, components: Object.fromEntries(used) }
}

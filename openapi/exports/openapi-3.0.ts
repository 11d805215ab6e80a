import { isList, isObject, objectOf, textOf, type Json, type JsonObject } from '../reading/json.ts'
import { olderSchema } from './older-schema.ts'

/**
 * The contract in OpenAPI 3.0.3, for generators that know no later version. It says the same about every request and
 * reply; webhooks stand under `x-webhooks`, which 3.0 tools pass over and Redoc shows.
 * https://spec.openapis.org/oas/v3.1.0 and https://spec.openapis.org/oas/v3.0.3
 *
 * @throws when a schema has a keyword that 3.0 cannot say: dropping it in silence would let wrong requests pass.
 */
export function toOpenApi30(contract: Json): JsonObject {
  const { openapi: _later, info, paths, webhooks, components, ...rest } = objectOf(contract)
  const { links, ...otherComponents } = objectOf(components)
  const older = {
    openapi: '3.0.3',
    info: olderInfo(objectOf(info)),
    ...rest,
    paths: paths ?? {},
    'x-webhooks': webhooks ?? {},
    components: {
      ...otherComponents,
      links: Object.fromEntries(
        Object.entries(objectOf(links)).map(([name, link]) => [name, olderLink(objectOf(link))]),
      ),
    },
  }
  return objectOf(olderNode(older, []))
}

function olderInfo({ summary, license, ...rest }: JsonObject): JsonObject {
  const { name, identifier, url } = objectOf(license)
  return {
    ...rest,
    description: `${textOf(summary)}\n\n${textOf(rest.description)}`,
    license: { name: name ?? '', url: url ?? `https://spdx.org/licenses/${textOf(identifier)}.html` },
  }
}

/** Swagger's parser refuses a body of a link that is not a string, though any value is allowed. */
const olderLink = ({ requestBody, ...link }: JsonObject): JsonObject =>
  isObject(requestBody)
    ? { ...link, 'x-requestBody': requestBody }
    : { ...link, ...(requestBody !== undefined && { requestBody }) }

/** Values, and names that the contract chose itself: nothing below is a keyword. */
const VALUES = ['example', 'value', 'x-codeSamples', 'mapping']

/** Everything but schemas is the same in both versions. */
function olderNode(node: Json, path: readonly string[]): Json {
  if (isList(node)) return node.map((each) => olderNode(each, path))
  if (!isObject(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, held]) => {
      if (VALUES.includes(key)) return [key, held]
      const isSchema = key === 'schema' || (path.length === 2 && path[0] === 'components' && path[1] === 'schemas')
      return [key, isSchema ? olderSchema(objectOf(held), [...path, key]) : olderNode(held, [...path, key])]
    }),
  )
}

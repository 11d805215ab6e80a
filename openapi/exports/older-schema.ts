import { isObject, listOf, objectOf, type Json, type JsonObject } from '../reading/json.ts'

/** Where 3.0 and JSON Schema 2020-12 agree. `example` is of 3.0 alone. */
const SHARED = [
  'title description type format enum default pattern minLength maxLength minimum maximum multipleOf',
  'minItems maxItems uniqueItems required minProperties maxProperties discriminator deprecated readOnly',
  'writeOnly',
].flatMap((words) => words.split(' '))

/**
 * A schema of the contract in the words of OpenAPI 3.0; `path` tells where it stands.
 *
 * @throws when it has a keyword that 3.0 does not know
 */
export function olderSchema(schema: JsonObject, path: readonly string[]): JsonObject {
  const { $ref, ...beside } = schema
  // In 3.0 nothing may stand beside a `$ref`.
  if ($ref !== undefined && Object.keys(beside).length > 0) return { ...olderSchema(beside, path), allOf: [{ $ref }] }
  const all = (list: Json): Json => listOf(list).map((each) => olderSchema(objectOf(each), path))
  return Object.fromEntries(
    Object.entries(schema)
      .filter(isSaidOnce)
      .map(([keyword, held]): [string, Json] => {
        if (keyword === 'examples') return ['example', listOf(held)[0] ?? null]
        if (keyword === 'items') return [keyword, olderSchema(objectOf(held), [...path, keyword])]
        if (keyword === 'additionalProperties')
          return [keyword, isObject(held) ? olderSchema(held, [...path, keyword]) : held]
        if (keyword === 'properties')
          return [
            keyword,
            Object.fromEntries(
              Object.entries(objectOf(held)).map(([name, each]) => [
                name,
                olderSchema(objectOf(each), [...path, name]),
              ]),
            ),
          ]
        if (['allOf', 'oneOf', 'anyOf'].includes(keyword)) return [keyword, all(held)]
        const sameInBoth =
          keyword === '$ref' ||
          keyword.startsWith('x-') ||
          (SHARED.includes(keyword) && !(keyword === 'type' && Array.isArray(held)))
        if (!sameInBoth)
          throw new Error(
            `${path.join('/')}: \`${keyword}\` is not understood by every tool: OpenAPI 3.0 cannot say it`,
          )
        return [keyword, held]
      }),
  )
}

/**
 * Generators that read 3.0 alone write the tag of a union beside the field that it names, and no field may come twice in a
 * request. Which of two requests it is each of them says by an enum of one value.
 */
const isSaidOnce = ([keyword, held]: readonly [string, Json]): boolean =>
  !(keyword === 'discriminator' && objectOf(held)['propertyName'] === 'transaction_method')

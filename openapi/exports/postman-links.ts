import { listOf, objectOf, textOf, type Json } from '../reading/json.ts'
import { child, children, descendant, rootOf, type Place } from '../reading/places.ts'

/** What a request of the collection takes from the reply to an earlier one. */
export interface Linked {
  /** The operation that takes it, and the field or path parameter it takes. */
  readonly operationId: string
  readonly field: string
  /** The variable of the collection that carries it. */
  readonly variable: string
  /** Where it stands in the earlier reply. */
  readonly keys: readonly string[]
}

const FROM_BODY = '$response.body#/'

/** Every operation that merchants call. */
export const operationsOf = (
  contract: Json,
): { readonly method: string; readonly path: string; readonly operation: Place }[] =>
  children(child(rootOf(contract), 'paths')).flatMap(([path, item]) =>
    children(item)
      .filter(([, { node }]) => 'operationId' in objectOf(node))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** What the `links` of an operation's successes offer to later requests. */
export const linksOf = (operation: Place): Linked[] =>
  children(child(operation, 'responses'))
    .flatMap(([, response]) => children(child(response, 'links')))
    .flatMap(([, { node }]) => {
      const { operationId, parameters, requestBody } = objectOf(node)
      return Object.entries({ ...objectOf(parameters), ...objectOf(requestBody) }).flatMap(([field, source]) =>
        typeof source === 'string' && source.startsWith(FROM_BODY)
          ? [
              {
                operationId: textOf(operationId),
                field,
                variable: camelCase(field),
                keys: source.slice(FROM_BODY.length).split('/'),
              },
            ]
          : [],
      )
    })

/** The requests of an operation in the words of the contract: its named examples, or one without a body. */
export const requestsOf = (operation: Place): { readonly name: string; readonly body?: Json }[] => {
  const examples = children(descendant(operation, 'requestBody', 'content', 'application/json', 'examples'))
  return examples.length > 0
    ? examples.map(([, { node }]) => ({ name: textOf(objectOf(node).summary), body: objectOf(node).value ?? null }))
    : [{ name: '' }]
}

/** The tags of operations in the order of the contract, with the words the docs have for them. */
export const tagsOf = (
  contract: Json,
): { readonly name: string; readonly title: string; readonly description: string }[] =>
  listOf(objectOf(contract).tags)
    .map(objectOf)
    .map(({ name, description, 'x-displayName': title }) => ({
      name: textOf(name),
      title: textOf(title ?? name),
      description: textOf(description),
    }))

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

import { listOf, objectOf, stringsOf, textOf, type Json, type JsonObject } from '../reading/json.ts'
import { children, descendant, rootOf } from '../reading/places.ts'
import { itemOf, type ItemSource } from './postman-item.ts'
import { linksOf, operationsOf, requestsOf, tagsOf, type Linked } from './postman-links.ts'

/** Names the format; it is not fetched. https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html */
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** A number of the sandbox whose collections wait for a one-time password (decisions, section 5). */
const PASSWORD_NUMBER = '256772000005'

/**
 * The contract as a Postman collection: a request per operation and named example, in an order in which each succeeds
 * on a sandbox, and the replies that the contract shows. Its variables carry the sandbox's address and keys.
 */
export function toPostman(contract: Json): JsonObject {
  const { info, servers } = objectOf(contract)
  const { title, summary } = objectOf(info)
  const operations = operationsOf(contract)
  const links = operations.flatMap(({ operation }) => linksOf(operation))
  const sources = operations.flatMap((each) => sourcesOf(each, links))
  const itemsOf = (tag: string): JsonObject[] =>
    sources.filter(({ operation }) => stringsOf(objectOf(operation.node).tags).includes(tag)).map(itemOf)
  const [server] = listOf(servers)
  return {
    info: { name: textOf(title), description: textOf(summary), schema: FORMAT },
    item: tagsOf(contract)
      .map(({ name, title: folder, description }) => ({ name: folder, description, item: itemsOf(name) }))
      .filter(({ item }) => item.length > 0),
    variable: [
      { key: 'baseUrl', value: textOf(objectOf(server).url) },
      ...keysOf(contract),
      ...[...new Set(links.map(({ variable }) => variable))].map((key) => ({ key, value: '' })),
    ],
  }
}

function sourcesOf(
  { method, path, operation }: ReturnType<typeof operationsOf>[number],
  links: readonly Linked[],
): ItemSource[] {
  const { operationId } = objectOf(operation.node)
  const linked = links.filter((link) => link.operationId === operationId)
  const shown = requestsOf(operation)
  // The last request of an operation is the one that later ones build on: it must be the one that waits for a password.
  const offersPassword = linksOf(operation).some((link) => link.operationId === 'authorizeCollection')
  const requests = offersPassword ? [...shown, ...shown.slice(0, 1).map(waitingForPassword)] : shown
  return requests.map((request, index) => ({ ...request, method, path, operation, linked, showReplies: index === 0 }))
}

const waitingForPassword = ({ body }: { readonly body?: Json }): { readonly name: string; readonly body: Json } => ({
  name: 'waits for a one-time password',
  body: { ...objectOf(body), msisdn: PASSWORD_NUMBER },
})

/** Variables of the same names as the contract's keys. Their descriptions tell the sandbox's values. */
const keysOf = (contract: Json): JsonObject[] =>
  children(descendant(rootOf(contract), 'components', 'securitySchemes')).map(([key, { node }]) => {
    const value = /In the sandbox `(\w+)`/.exec(textOf(objectOf(node).description))?.[1]
    if (value === undefined)
      throw new Error(`the description of the security scheme ${key} does not tell its value in the sandbox`)
    return { key, value }
  })

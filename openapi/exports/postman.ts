import type { OpenApiDocument } from '../reading/document.ts'
import { operationsOf, type Operation } from '../reading/operations.ts'
import { entriesOf } from '../reading/references.ts'
import { itemOf, type ItemSource } from './postman-item.ts'
import { linksOf, type VariableLink } from './postman-links.ts'

/** Names the format; it is not fetched. https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html */
const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
/** A number of the sandbox whose collections wait for a one-time password (decisions, section 5). */
const PASSWORD_NUMBER = '256772000005'

/**
 * The contract as a Postman collection: a request per operation and named example, in an order in which each succeeds
 * on a sandbox, and the replies that the contract shows. Its variables carry the sandbox's address and keys.
 */
export function toPostman(document: OpenApiDocument): object {
  const { info, servers = [], tags = [] } = document
  const operations = operationsOf(document).filter(({ kind }) => kind === 'operation')
  const links = operations.flatMap(linksOf)
  const sources = operations.flatMap((operation) => sourcesOf(operation, links))
  return {
    info: { name: info?.title, description: info?.summary, schema: FORMAT },
    item: tags
      .map(({ name, 'x-displayName': title = name, description }) => ({
        name: title,
        description,
        item: sources.filter(({ operation }) => operation.tags.includes(name)).map(itemOf),
      }))
      .filter(({ item }) => item.length > 0),
    variable: [
      { key: 'baseUrl', value: servers[0]?.url },
      ...keysOf(document),
      ...[...new Set(links.map(({ variable }) => variable))].map((key) => ({ key, value: '' })),
    ],
  }
}

function sourcesOf(operation: Operation, links: readonly VariableLink[]): ItemSource[] {
  const linked = links.filter((link) => link.operationId === operation.id)
  const shown = requestsOf(operation)
  // The last request of an operation is the one that later ones build on: it must be the one that waits for a password.
  const offersPassword = linksOf(operation).some((link) => link.operationId === 'authorizeCollection')
  const requests = offersPassword ? [...shown, ...shown.slice(0, 1).map(waitingForPassword)] : shown
  return requests.map((request, index) => ({ ...request, operation, linked, showReplies: index === 0 }))
}

/** A request as the contract shows it; `name` is empty when it has no body. */
type ShownItem = Pick<ItemSource, 'name' | 'body'>

/** The requests of an operation in the words of the contract: its named examples, or one without a body. */
export const requestsOf = ({ body }: Operation): readonly ShownItem[] =>
  body?.examples.map(({ name, summary = name, value }) => ({ name: summary, body: value })) ?? [{ name: '' }]

const waitingForPassword = ({ body }: ShownItem): ShownItem => ({
  name: 'waits for a one-time password',
  body: { ...Object(body), msisdn: PASSWORD_NUMBER } as object,
})

/** Variables of the same names as the contract's keys. Their descriptions tell the sandbox's values. */
const keysOf = (document: OpenApiDocument): readonly { readonly key: string; readonly value: string }[] =>
  entriesOf(document, document.components?.securitySchemes).map(([key, { description = '' }]) => {
    const value = /In the sandbox `(\w+)`/.exec(description)?.[1]
    if (value === undefined)
      throw new Error(`the description of the security scheme ${key} does not tell its value in the sandbox`)
    return { key, value }
  })

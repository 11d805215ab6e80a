import type { Link } from '../reading/document.ts'
import type { Operation } from '../reading/operations.ts'

/** What a request of the collection takes from the reply to an earlier one. */
export interface VariableLink {
  /** The operation that takes it, and the field or path parameter it takes. */
  readonly operationId: string
  readonly field: string
  /** The variable of the collection that carries it. */
  readonly variable: string
  /** Where it stands in the earlier reply. */
  readonly keys: readonly string[]
}

const FROM_BODY = '$response.body#/'

/** What the `links` of an operation's successes offer to later requests. */
export const linksOf = ({ responses }: Operation): VariableLink[] =>
  responses.flatMap(({ links }) => links.flatMap(({ link }) => linkedBy(link)))

const linkedBy = ({ operationId = '', parameters, requestBody }: Link): VariableLink[] =>
  Object.entries({ ...parameters, ...requestBody }).flatMap(([field, source]) =>
    typeof source === 'string' && source.startsWith(FROM_BODY)
      ? [{ operationId, field, variable: camelCase(field), keys: source.slice(FROM_BODY.length).split('/') }]
      : [],
  )

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

import type { Contract, Operation } from '../../openapi/reading/contract.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'
import { isVisit } from './redirects/visits.ts'
import type { Rule } from './rule.ts'
import { HTTP_OWN_OF_REQUESTS } from './sent-messages/http-headers.ts'
import { bodyFaults } from './sent-messages/media-type.ts'

/** A callback or handshake has what the contract declares for it, and nothing else: headers, query, media type. */
function sentMessageJudge({ operations }: Contract): Judge {
  const messages = operations.filter(({ kind }) => kind === 'message')
  return (seen) => {
    if (seen.direction !== 'received' || isVisit(seen)) return []
    // The receiver tells messages apart by URL. Here the union over all messages of one method is enough.
    const [first, ...others] = messages.filter(({ method }) => method === seen.exchange.request.method)
    return first ? faultsOf(first, others, seen) : []
  }
}

function faultsOf(message: Operation, others: readonly Operation[], seen: ObservedExchange): readonly Fault[] {
  const { request } = seen.exchange
  const name = message.body ? 'a callback' : 'a handshake'
  const declared = (place: string): ReadonlySet<string> =>
    new Set(
      [message, ...others]
        .flatMap(({ parameters }) => parameters)
        .filter((parameter) => parameter.in === place)
        .map((parameter) => (place === 'header' ? parameter.name.toLowerCase() : parameter.name)),
    )
  const [headers, query] = [declared('header'), declared('query')]
  return [
    ...Object.entries(request.headers).flatMap(([header, values = []]) => [
      ...faultIf(
        !headers.has(header) && !(header in HTTP_OWN_OF_REQUESTS),
        `sent header ${header}`,
        `${name} has a header ${header}, which the contract does not declare for it`,
      ),
      ...faultIf(values.length > 1, `sent header ${header} twice`, `${name} has ${values.length} headers ${header}`),
    ]),
    ...[...new Set(new URLSearchParams(seen.query).keys())].flatMap((each) =>
      faultIf(
        !query.has(each),
        `sent query ${each}`,
        `${name} has a query parameter ${each}, which the contract does not declare for it`,
      ),
    ),
    ...bodyFaults(name, message.body !== undefined, request),
  ]
}

export const sentMessagesRule: Rule = {
  name: 'headers of messages',
  reason:
    'A callback or handshake has the headers, query and media type that the contract declares for it, and no others.',
  plantedFault: 'callback-with-authorization',
  judging: ({ contract }) => ({ each: sentMessageJudge(contract) }),
}

import type { Contract, Operation } from '../../../openapi/reading/contract.ts'
import { isJsonType } from '../../../openapi/reading/json.ts'
import { faultIf, type Fault, type Judge, type ObservedExchange } from './observed-exchange.ts'

/** Headers of HTTP that no message declares, and why a request may have them. */
const HTTP_OWN_OF_REQUESTS: Readonly<Record<string, string>> = {
  host: 'every request names its host (RFC 9110, section 7.2)',
  'content-type': 'the media type, which the contract declares as such (RFC 9110, section 8.3)',
  'content-length': 'how the body is framed (RFC 9112, section 6.2)',
  'transfer-encoding': 'how the body is framed (RFC 9112, section 6.1)',
  connection: 'of this connection, not of the message (RFC 9110, section 7.6.1)',
  'keep-alive': 'of this connection, not of the message',
  'user-agent': 'a program names itself (RFC 9110, section 10.1.5)',
  accept: 'what the sender reads (RFC 9110, section 12.5.1)',
  'accept-encoding': 'what the sender reads (RFC 9110, section 12.5.3)',
  'accept-language': 'what the sender reads (RFC 9110, section 12.5.4)',
  via: 'a proxy names itself (RFC 9110, section 7.6.3)',
  'x-forwarded-for': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-host': 'a proxy or tunnel before the receiver adds it',
  'x-forwarded-proto': 'a proxy or tunnel before the receiver adds it',
}

/** A callback or handshake has what the contract declares for it, and nothing else: headers, query, media type. */
export function sentMessageJudge({ operations }: Contract): Judge {
  const messages = operations.filter(({ kind }) => kind === 'message')
  return (seen) => {
    if (seen.direction !== 'received') return []
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
  const type = request.headers['content-type']?.join(', ')
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
    ...mediaTypeFaults(name, message.body !== undefined, type),
  ]
}

function mediaTypeFaults(name: string, hasBody: boolean, type: string | undefined): readonly Fault[] {
  if (!hasBody)
    return faultIf(type !== undefined, 'sent media type', `${name} has no body, and the content-type ${type}`)
  const isRight = type !== undefined && isJsonType(type) && /^application\/json(?:; ?charset=utf-8)?$/i.test(type)
  return faultIf(
    !isRight,
    'sent media type',
    `${name} has the content-type ${type ?? 'of nothing'}, not application/json in UTF-8`,
  )
}

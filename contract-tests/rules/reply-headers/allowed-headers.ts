import type { Operation } from '../../../openapi/reading/contract.ts'
import type { ObservedExchange } from '../observed-exchange.ts'

/** Headers of HTTP that the contract does not declare, and why a reply may have them. */
export const HTTP_OWN: Readonly<Record<string, string>> = {
  date: 'when the message was made (RFC 9110, section 6.6.1)',
  'content-type': 'the media type, which the contract declares as such (RFC 9110, section 8.3)',
  'content-encoding': 'a proxy may compress what the client says it reads (RFC 9110, section 8.4)',
  'content-length': 'how the body is framed (RFC 9112, section 6.2)',
  'transfer-encoding': 'how the body is framed (RFC 9112, section 6.1)',
  connection: 'of this connection, not of the reply (RFC 9110, section 7.6.1)',
  'keep-alive': 'of this connection, not of the reply',
  vary: 'what a cache must look at (RFC 9110, section 12.5.5)',
  via: 'a proxy names itself (RFC 9110, section 7.6.3)',
  'strict-transport-security': 'of the host, not of the reply (RFC 6797)',
  'alt-svc': 'of the host, not of the reply (RFC 7838)',
}

/** Undefined: pages and files, whose headers the contract does not declare. */
export function allowedIn(
  { operation, response, replyBody: reported, exchange: { reply } }: ObservedExchange,
  ofRefusals: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (operation) return response ? new Set(response.headers.map(({ name }) => name.toLowerCase())) : ofRefusals
  // A reply outside of all operations has the envelope of the refusals, and nothing else.
  return reply.status >= 400 && typeof reported === 'object' ? ofRefusals : undefined
}

/** Headers of every refusal of the contract, and those about a limit. */
export function refusalHeaders(operations: readonly Operation[]): ReadonlySet<string> {
  const refusals = operations
    .flatMap(({ responses }) => responses)
    .filter(({ status }) => /^(4|5)/.test(status) && status !== '401')
  return new Set(refusals.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase())))
}

import type { OutgoingRequest } from './exchange.ts'
import { withQuery } from './messages.ts'
import type { InboxMessage } from './sandbox-inbox.ts'

/** Headers that belong to the message; all others belong to its connection. */
const FORWARDED = /^(content-type|user-agent|webhook-.+|hmac-signature|rsa-signature|rsa-key-id)$/

/**
 * Forwards the message unchanged to another URL: the same bytes, the same signatures.
 * @param added further headers; none replaces one of the message
 */
export function forwardedMessage(
  { kind, headers, body, merchantReference = '' }: InboxMessage,
  url: URL,
  added: Readonly<Record<string, string>> = {},
): OutgoingRequest {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED.test(name)))
  const forwarded = { ...added, ...own }
  // That of a batch is a POST: its body is signed.
  if (kind === 'handshake' && body === '')
    return { method: 'GET', url: withQuery(url, { reference: merchantReference }), headers: forwarded }
  return { method: 'POST', url, headers: forwarded, body: Buffer.from(body) }
}

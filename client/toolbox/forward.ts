import type { OutgoingRequest } from './exchange.ts'
import { withQuery } from './messages.ts'
import type { InboxMessage } from './sandbox-inbox.ts'

/** What belongs to the message; everything else belongs to the connection that it came on. */
const FORWARDED = /^(content-type|user-agent|webhook-.+|hmac-signature|rsa-signature|rsa-key-id)$/

/** The message as it came, to another URL: the same bytes, the same signatures. */
export function forwardedMessage(
  { kind, headers, body, merchantReference = '' }: InboxMessage,
  url: URL,
): OutgoingRequest {
  const forwarded = Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED.test(name)))
  if (kind === 'handshake')
    return { method: 'GET', url: withQuery(url, { reference: merchantReference }), headers: forwarded }
  return { method: 'POST', url, headers: forwarded, body: Buffer.from(body) }
}

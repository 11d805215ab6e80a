import { isBatchEvent, legacyFieldsOf, textOf, type Event } from './events.ts'
import type { OutgoingRequest } from './exchange.ts'
import { printable } from './paint.ts'
import { legacySignatures, webhookHeaders, type Keys, type LegacySignatures } from './sign.ts'

/** Malipo's user agent, with the name of the toolbox. */
export const USER_AGENT = 'Malipo/1.0 (malipo-dev)'
/** The media type of every callback. */
export const JSON_TYPE = 'application/json; charset=utf-8'

const legacyHeaders = ({ hmac, rsa, rsaKeyId }: LegacySignatures): Record<string, string> => ({
  'hmac-signature': hmac,
  'rsa-signature': rsa,
  'rsa-key-id': rsaKeyId,
})

/** The inputs of a callback. */
interface Callback {
  readonly url: URL
  readonly event: Event
  /** The body as sent; absent: the event as JSON. */
  readonly body?: Uint8Array
  readonly webhookId: string
  readonly at: Date
  readonly keys: Keys
}

/** A callback with all of Malipo's headers. */
export function callbackMessage({
  url,
  event,
  body = bytesOf(event),
  webhookId,
  at,
  keys,
}: Callback): OutgoingRequest & { readonly body: Uint8Array } {
  return {
    method: 'POST',
    url,
    body,
    headers: {
      'content-type': JSON_TYPE,
      'user-agent': USER_AGENT,
      // Their text is one of a transaction.
      ...(!isBatchEvent(event.event) && legacyHeaders(legacySignatures(legacyFieldsOf(event), at, keys.signingKey))),
      ...webhookHeaders({ webhookId, at, body }, keys.webhookSecret),
    },
  }
}

/** The inputs of a handshake. */
interface Handshake {
  readonly url: URL
  readonly merchantReference: string
  readonly webhookId: string
  readonly at: Date
  readonly webhookSecret: string
}

/** The handshake before a payout: a GET with the reference in the query, signed over its empty body. */
export function handshakeMessage({ url, merchantReference, webhookId, at, webhookSecret }: Handshake): OutgoingRequest {
  return {
    method: 'GET',
    url: withQuery(url, { reference: merchantReference }),
    headers: { 'user-agent': USER_AGENT, ...webhookHeaders({ webhookId, at, body: new Uint8Array() }, webhookSecret) },
  }
}

/** The inputs of a redirect. */
interface Redirect {
  readonly url: URL
  readonly event: Event
  readonly at: Date
  readonly signingKey: string
}

/** The URL to which the customer's browser is sent when the collection is final. */
export function redirectMessage({ url, event, at, signingKey }: Redirect): OutgoingRequest {
  const { hmac, rsa, rsaKeyId } = legacySignatures(legacyFieldsOf(event), at, signingKey)
  const { payload } = event
  const query = {
    id: textOf(payload['id']),
    ...legacyFieldsOf(event),
    status_message: textOf(payload['status_message']),
    rsa_signature: rsa,
    rsa_key_id: rsaKeyId,
    hmac_signature: hmac,
  }
  return {
    method: 'GET',
    url: withQuery(url, query),
    headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (malipo-dev)' },
  }
}

/** The body of a callback, as it is signed and sent. */
export const bytesOf = (event: Event): Uint8Array => Buffer.from(JSON.stringify(event))

/** The URL's own query is kept as written. */
export function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const requested = new URL(url)
  const added = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  requested.search = `${url.search}${url.search === '' ? '?' : '&'}${added}`
  return requested
}

/** A message in a line, for reports: what it is about, and not its signatures. */
export function inShort({ method, url, headers, body = new Uint8Array() }: OutgoingRequest): string {
  const fields = method === 'GET' ? Object.fromEntries(url.searchParams) : fieldsIn(body)
  const words = SHOWN.flatMap((name) => fields[name] ?? [])
  return printable(
    [
      method,
      url.pathname,
      ...(words.length > 0 || method === 'GET' ? words : [`${body.length} bytes`]),
      ...(method === 'POST' && !headers['webhook-signature'] ? ['without webhook-signature'] : []),
    ].join(' '),
    200,
  )
}

const SHOWN =
  'event reference merchant_reference batch_reference transaction_status request_amount request_currency'.split(' ')

function fieldsIn(body: Uint8Array): Readonly<Record<string, string>> {
  try {
    const { event, payload } = JSON.parse(Buffer.from(body).toString('utf8')) as Event
    return Object.fromEntries(Object.entries({ event, ...payload }).map(([name, value]) => [name, textOf(value)]))
  } catch {
    return {}
  }
}

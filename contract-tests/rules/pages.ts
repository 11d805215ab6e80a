import type { WireReply } from '../harness/proxy.ts'
import { onlyHeader, type ObservedExchange } from './observed-exchange.ts'
import { unescaped } from './page-text.ts'

/** The address of a payment page or of a form of it, with the reference of its collection. */
export const PAYMENT_PAGE = /\/pay\/collection\/(MLP[0-9A-Z]{22})(?=[/?]|$)/

const isHtml = ({ headers }: WireReply): boolean => headers['content-type']?.[0]?.startsWith('text/html') === true

/** The payment page in a reply, with the internal reference of its collection; undefined when it is none. */
export function pageIn({ direction, path, exchange: { reply } }: ObservedExchange) {
  const [, reference] = PAYMENT_PAGE.exec(path) ?? []
  if (direction === 'received' || reference === undefined || reply.body.length === 0) return undefined
  return isHtml(reply) ? { reference, html: reply.body.toString('utf8') } : undefined
}

/** Links, forms, refreshes and loaded resources that name a host. */
const NAMED_HOST = /(?:\b(?:href|action|src)="|;\s*url=)((?:https?:)?\/\/[^"]+)"/gi

/** Where a page links other than to itself: its `Location`, and the addresses in its HTML. */
export function waysOut(reply: WireReply): string[] {
  const location = onlyHeader(reply.headers, 'location')
  const inHtml = isHtml(reply)
    ? [...reply.body.toString('utf8').matchAll(NAMED_HOST)].map(([, address = '']) => unescaped(address))
    : []
  return [...(location === undefined ? [] : [location]), ...inHtml].filter(
    (address) => !PAYMENT_PAGE.test(address.split('?', 1)[0] ?? ''),
  )
}

export const queryOf = (address: string): URLSearchParams =>
  new URLSearchParams(address.split('#', 1)[0]?.split('?').slice(1).join('?'))

/** What only the address of a redirect has in its query; a handshake has its signatures in headers. */
const OUTCOME = ['hmac_signature', 'rsa_signature', 'transaction_status']
export const hasOutcome = (query: URLSearchParams): boolean => OUTCOME.some((name) => query.has(name))

/** A customer's browser at the shop, after a payment page led it there: its headers are not the server's. */
export const isVisit = ({ direction, query, exchange: { request } }: ObservedExchange): boolean =>
  direction === 'received' &&
  request.method === 'GET' &&
  request.headers['webhook-id'] === undefined &&
  hasOutcome(new URLSearchParams(query))

import type { ObservedExchange } from '../observed-exchange.ts'

/** What only the address of a redirect has in its query; a handshake has its signatures in headers. */
const OUTCOME = ['hmac_signature', 'rsa_signature', 'transaction_status']

/** A customer's browser at the shop, after a payment page led it there: its headers are not the server's. */
export const isVisit = ({ direction, query, exchange: { request } }: ObservedExchange): boolean =>
  direction === 'received' &&
  request.method === 'GET' &&
  request.headers['webhook-id'] === undefined &&
  OUTCOME.some((name) => new URLSearchParams(query).has(name))

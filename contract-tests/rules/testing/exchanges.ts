import { createHmac } from 'node:crypto'
import { bundleUrl, readContract } from '../../../openapi/reading/contract.ts'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import { wireRequest, type Exchange, type WireReply, type WireRequest } from '../../harness/proxy.ts'

// Synthetic exchanges of a test.

export const contract = readContract(bundleUrl)
/** The keys that sign messages to the first account. */
export const SIGNING = { signingKey: 'SIGNINGKEYOFTHETEST1', webhookSecret: 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0ZWQh' }
export const accounts = [
  { publicKey: 'pub_of_the_tested', secretKey: 'sec_of_the_tested', ...SIGNING },
  { publicKey: 'pub_of_another', secretKey: 'sec_of_another' },
]
export const KEYS = { 'public-key': 'pub_of_the_tested', 'x-api-version': '1', host: '127.0.0.1:1' }
export const JSON_TYPE = { 'content-type': 'application/json' }
export const REFERENCE = 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D'
export const PAGE = `http://127.0.0.1:1/pay/collection/${REFERENCE}`
export const PAYMENT = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: 'WATCH-0001',
  msisdn: '256772000123',
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
}

type Headers = Readonly<Record<string, string>>
export const json = (status: number, message: string, data: unknown = {}, more: Headers = {}): WireReply => {
  const kind = status === 200 ? 'success' : 'accepted'
  const body = { code: status, status: status < 300 ? kind : 'error', message, data }
  const headers = { ...JSON_TYPE, ...OF_REPLIES, 'x-request-id': `id-${(ids += 1)}`, ...more }
  return { status, headers: listed(headers), body: Buffer.from(JSON.stringify(body)) }
}
let ids = 0
/** What every reply has; synthetic exchanges take place in 1970. */
const OF_REPLIES = {
  date: new Date(0).toUTCString(),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const listed = (headers: Readonly<Record<string, string | undefined>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]])))

export const sendRequests = (
  method: string,
  path: string,
  reply: WireReply,
  body?: unknown,
  more: Headers = {},
): Exchange => ({
  at: new Date(0),
  request: wireRequest(method, path, { ...KEYS, ...(body !== undefined && JSON_TYPE), ...more }, body),
  reply,
})
export const verifies = (reply: WireReply): Exchange =>
  sendRequests('GET', '/data/transaction/verify/WATCH-0001', reply)
/** A look-up of a payment that has this record. */
export const retrieves = (record: object, headers?: Headers): Exchange =>
  verifies(json(200, 'Transaction retrieved successfully', record, headers))
/** The same exchange with other headers in its reply; undefined: without one. */
export const replied = (exchange: Exchange, change: Readonly<Record<string, string | undefined>>): Exchange => {
  const kept = Object.entries(exchange.reply.headers).filter(([name]) => !(name in change))
  const headers = { ...Object.fromEntries(kept), ...listed(change) }
  return { ...exchange, reply: { ...exchange.reply, headers } }
}
export const REPLAYED = { 'idempotency-replayed': 'true' }
export const collects = (reply: WireReply, change: object = {}): Exchange =>
  sendRequests('POST', '/collections/initialize', reply, { ...PAYMENT, ...change })
export const accepted = (data: object = {}): WireReply =>
  json(202, 'Collection accepted', { internal_reference: REFERENCE, merchant_reference: 'WATCH-0001', ...data })
export const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done?order=7' }
export const OF_PAGES = {
  'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
export const leads = (location: string): Exchange =>
  sendRequests('GET', `/pay/collection/${REFERENCE}`, {
    status: 303,
    headers: listed({ ...OF_REPLIES, ...OF_PAGES, location }),
    body: Buffer.alloc(0),
  })
/** A message with the signatures of the first account. @param headers more headers, or others in their place */
export const comes = (method: string, path: string, headers: Headers, body?: unknown): Exchange => {
  const unsigned = wireRequest(method, path, { host: 'here', ...headers }, body)
  return {
    at: SENT_AT,
    request: wireRequest(method, path, { host: 'here', ...signedHeaders(unsigned), ...headers }, unsigned.body),
    reply: { status: 200, headers: {}, body: Buffer.alloc(0) },
  }
}
export const SENT_AT = new Date(1_795_168_648_000)
let messages = 0

function signedHeaders({ method, body }: WireRequest): Headers {
  const [id, timestamp] = [`cb_${(messages += 1)}`, String(SENT_AT.getTime() / 1_000)]
  const key = Buffer.from(SIGNING.webhookSecret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const webhook = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  if (method === 'GET') return webhook
  const { event, payload } = fieldsOf(jsonOf(body))
  const state = { event, ...fieldsOf(payload) } as Fields
  const text = ['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status']
    .map((name) => String(state[name]))
    .join(':')
  const digest = createHmac('sha256', SIGNING.signingKey).update(text).digest('hex')
  return {
    ...webhook,
    'hmac-signature': `t=${SENT_AT.getTime()},s=${digest}`,
    'rsa-key-id': '0123456789abcdef',
    'rsa-signature': 'AAAA',
  }
}
export const providers = '/data/payment-providers'

export const received = (exchange: Exchange) => [exchange, 'received'] as const
/** The same exchange at another second. */
export const atSecond = (second: number, exchange: Exchange): Exchange => {
  const at = new Date(second * 1_000)
  return { ...exchange, startedAt: at, at }
}

/** The record of a collection of UGX 5,000 with a charge of 1 %, which the merchant bears. */
export const COMPLETED = {
  id: 1001,
  merchant_reference: 'WATCH-0001',
  internal_reference: REFERENCE,
  transaction_type: 'COLLECTION',
  request_currency: 'UGX',
  request_amount: 5000,
  transaction_amount: 5000,
  transaction_currency: 'UGX',
  transaction_charge: 50,
  transaction_account: '256772000123',
  charge_customer: false,
  total_credit: 4950,
  provider_code: 'mtn_ug',
  transaction_status: 'COMPLETED',
  status_message: 'Transaction Completed Successfully',
}

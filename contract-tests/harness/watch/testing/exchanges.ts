import { bundleUrl, readContract } from '../../../../openapi/reading/contract.ts'
import type { Direction } from '../../coverage/exchange.ts'
import { wireRequest, type Exchange, type WireReply } from '../../proxy.ts'
import { ownJudges } from '../judges.ts'
import { createWatch } from '../watch.ts'

// Synthetic exchanges of a test, and the watch's findings about them.

export const contract = readContract(bundleUrl)
export const judges = ownJudges(contract, true)
export const accounts = [
  {
    publicKey: 'pub_of_the_tested',
    secretKey: 'sec_of_the_tested',
    signingKey: 'SIGNINGKEYOFTHETEST1',
    webhookSecret: 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0ZWQh',
  },
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
  const headers = { ...JSON_TYPE, 'x-request-id': `id-${(ids += 1)}`, ...more }
  return { status, headers: listed(headers), body: Buffer.from(JSON.stringify(body)) }
}
let ids = 0
const listed = (headers: Headers): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))

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
export const collects = (reply: WireReply, change: object = {}): Exchange =>
  sendRequests('POST', '/collections/initialize', reply, { ...PAYMENT, ...change })
export const accepted = (data: object = {}): WireReply =>
  json(202, 'Collection accepted', { internal_reference: REFERENCE, merchant_reference: 'WATCH-0001', ...data })
export const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done?order=7' }
export const leads = (location: string): Exchange =>
  sendRequests('GET', `/pay/collection/${REFERENCE}`, {
    status: 303,
    headers: { location: [location] },
    body: Buffer.alloc(0),
  })
export const comes = (method: string, path: string, headers: Headers, body?: unknown): Exchange => ({
  at: new Date(0),
  request: wireRequest(method, path, { host: 'here', ...headers }, body),
  reply: { status: 200, headers: {}, body: Buffer.alloc(0) },
})
export const providers = '/data/payment-providers'

/** The watch's findings about exchanges, in order. */
export function findingsOf(...exchanges: readonly (Exchange | readonly [Exchange, Direction])[]): string[] {
  const watch = createWatch({ contract, judges, isOneServer: true })
  watch.server(accounts, { url: 'http://127.0.0.1:8080', sandbox: true })
  for (const each of exchanges) {
    const [exchange, direction] = 'request' in each ? [each, 'asked' as const] : each
    watch.record(exchange, direction)
  }
  return (watch.result()?.findings ?? []).map(({ about, what }) => `${about}: ${what}`)
}
export const received = (exchange: Exchange) => [exchange, 'received'] as const

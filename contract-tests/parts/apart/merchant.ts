import { randomUUID } from 'node:crypto'
import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'

/** A request of a merchant and its reply. */
export interface ApiReply {
  readonly request: WireRequest
  /** 0: there was no reply. */
  readonly status: number
  readonly message: string
  readonly data: Fields
  readonly reply: WireReply | undefined
}

interface ApiRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: Fields
  readonly withSecret?: boolean
  /** Headers on top of the usual ones, or in place of them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One of the two merchants. */
export interface Merchant {
  readonly name: 'the first merchant' | 'the second merchant'
  /** Used in references and descriptions. */
  readonly letter: 'A' | 'B'
  readonly publicKey: string
  readonly secretKey: string
  /** Never throws. */
  request(requested: ApiRequest): Promise<ApiReply>
}

type Identity = Pick<Merchant, 'name' | 'letter' | 'publicKey' | 'secretKey'>

export function createMerchant(url: string, identity: Identity): Merchant {
  const { publicKey, secretKey } = identity
  return {
    ...identity,
    async request({ path, body, withSecret = false, method = body ? 'POST' : 'GET', headers = {} }) {
      const usual = {
        'public-key': publicKey,
        'x-api-version': '1',
        ...(withSecret && { 'secret-key': secretKey }),
        ...(body && { 'content-type': 'application/json' }),
      }
      const request = wireRequest(method, path, { ...usual, ...headers }, body)
      const reply = await patiently(url, request)
      const { data, message } = fieldsOf(reply && jsonOf(reply.body))
      return {
        request,
        reply,
        status: reply?.status ?? 0,
        message: typeof message === 'string' ? message : '',
        data: fieldsOf(data),
      }
    },
  }
}

const TRIES_MAX = 4
const WAIT_MS = 1_500

/**
 * Retries a request without a reply or with a temporary failure, as the docs say ("Errors"): an overloaded machine is
 * no fault. The idempotency key prevents a second payment; the lines of findings omit it.
 */
async function patiently(url: string, request: WireRequest): Promise<WireReply | undefined> {
  const needsKey = request.method === 'POST' && request.headers['idempotency-key'] === undefined
  const headers = { ...request.headers, ...(needsKey && { 'idempotency-key': [randomUUID()] }) }
  let reply: WireReply | undefined
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    reply = await passOn(new URL(url), { ...request, headers }).catch(() => undefined)
    if (reply && reply.status !== 503) return reply
  }
  return reply
}

export const verify = (merchant: Merchant, reference: string): Promise<ApiReply> =>
  merchant.request({ path: `/data/transaction/verify/${encodeURIComponent(reference)}` })
export const collect = (merchant: Merchant, body: Fields, headers?: ApiRequest['headers']): Promise<ApiReply> =>
  merchant.request({ path: '/collections/initialize', body, ...(headers && { headers }) })
export const authorize = (merchant: Merchant, body: Fields, headers?: ApiRequest['headers']): Promise<ApiReply> =>
  merchant.request({ path: '/collections/authorize', body, ...(headers && { headers }) })
export const payOut = (merchant: Merchant, body: Fields, headers?: ApiRequest['headers']): Promise<ApiReply> =>
  merchant.request({ path: '/payout/send-funds', body, withSecret: true, ...(headers && { headers }) })

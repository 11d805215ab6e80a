import { randomUUID } from 'node:crypto'
import type { Fields } from '../harness/json.ts'
import { passOn, type WireReply, type WireRequest } from '../harness/proxy.ts'
import { getRequest, postRequest, toApiReply, verifyRequest, walletsRequest, type ApiReply } from './requests.ts'

/** One of two merchants. */
export interface Merchant {
  readonly name: 'the first merchant' | 'the second merchant'
  /** Used in references and descriptions. */
  readonly letter: 'A' | 'B'
  readonly publicKey: string
  readonly secretKey: string
  readonly url: string
}

type Headers = Readonly<Record<string, string>>

const TRIES_MAX = 4
const WAIT_MS = 1_500

/**
 * Sends a request, and retries it without a reply or with a temporary failure, as the docs say ("Errors"): an
 * overloaded machine is no fault. The idempotency key prevents a second payment; the lines of findings omit it.
 */
async function patiently({ url }: Merchant, request: WireRequest): Promise<ApiReply> {
  const needsKey = request.method === 'POST' && request.headers['idempotency-key'] === undefined
  const headers = { ...request.headers, ...(needsKey && { 'idempotency-key': [randomUUID()] }) }
  let reply: WireReply | undefined
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    reply = await passOn(new URL(url), { ...request, headers }).catch(() => undefined)
    if (reply && reply.status !== 503) break
  }
  return toApiReply(request, reply)
}

export const getAs = (merchant: Merchant, path: string, headers?: Headers): Promise<ApiReply> =>
  patiently(merchant, getRequest(merchant, path, headers))
export const wallets = (merchant: Merchant, headers?: Headers): Promise<ApiReply> =>
  patiently(merchant, walletsRequest(merchant, headers))
export const verify = (merchant: Merchant, reference: string): Promise<ApiReply> =>
  patiently(merchant, verifyRequest(merchant, reference))
export const collect = (merchant: Merchant, body: Fields, headers?: Headers): Promise<ApiReply> =>
  patiently(merchant, postRequest(merchant, 'initializeCollection', body, headers))
export const authorize = (merchant: Merchant, body: Fields, headers?: Headers): Promise<ApiReply> =>
  patiently(merchant, postRequest(merchant, 'authorizeCollection', body, headers))
export const payOut = (merchant: Merchant, body: Fields, headers?: Headers): Promise<ApiReply> =>
  patiently(merchant, postRequest(merchant, 'sendFunds', body, headers))

import { jsonOf } from '../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../harness/json.ts'
import type { Target } from '../harness/part.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../harness/proxy.ts'

/** A request of a merchant, and its reply as a merchant's program reads it. */
export interface ApiReply {
  readonly request: WireRequest
  /** Undefined: none came. */
  readonly reply: WireReply | undefined
  /** 0: there was no reply. */
  readonly status: number
  readonly message: string
  readonly data: Fields
  header(name: string): string | undefined
}

const PATHS = {
  initializeCollection: '/collections/initialize',
  authorizeCollection: '/collections/authorize',
  sendFunds: '/payout/send-funds',
  refundCollection: '/collections/refund',
  expectPayment: '/collections/expect',
  createPayoutBatch: '/payout/batches',
  cancelPayout: '/payout/cancel',
} as const
export type PostOperation = keyof typeof PATHS

/** They need the public key only. */
const OF_CUSTOMERS: readonly PostOperation[] = ['initializeCollection', 'authorizeCollection']

/** The keys of an account. */
export type Keys = Pick<Target, 'publicKey' | 'secretKey'>
type Headers = Readonly<Record<string, string>>

/** A POST as a merchant sends it. @param more further headers, or others in place of the usual ones */
export const postRequest = (
  { publicKey, secretKey }: Keys,
  operation: PostOperation,
  body: unknown,
  more: Headers = {},
): WireRequest =>
  wireRequest(
    'POST',
    PATHS[operation],
    {
      'public-key': publicKey,
      ...(!OF_CUSTOMERS.includes(operation) && { 'secret-key': secretKey }),
      'x-api-version': '1',
      'content-type': 'application/json',
      ...more,
    },
    body,
  )

/** A GET with the headers that every operation requires. @param more further headers, or others in their place */
export const getRequest = ({ publicKey }: Pick<Keys, 'publicKey'>, path: string, more: Headers = {}): WireRequest =>
  wireRequest('GET', path, { 'public-key': publicKey, 'x-api-version': '1', ...more })

export const walletsRequest = (keys: Keys, more: Headers = {}): WireRequest =>
  getRequest(keys, '/data/wallet-balances', { 'secret-key': keys.secretKey, ...more })
export const verifyRequest = (keys: Pick<Keys, 'publicKey'>, reference: string): WireRequest =>
  getRequest(keys, `/data/transaction/verify/${encodeURIComponent(reference)}`)

/** The same request with a header of these values. */
export const withHeader = (request: WireRequest, name: string, ...values: readonly string[]): WireRequest => ({
  ...request,
  headers: { ...request.headers, [name]: [...values] },
})

/** Sends a request once. Never throws. */
export const sendRequest = async (url: string, request: WireRequest): Promise<ApiReply> =>
  toApiReply(request, await passOn(new URL(url), request).catch(() => undefined))

export function toApiReply(request: WireRequest, reply: WireReply | undefined): ApiReply {
  const { message, data } = fieldsOf(reply && jsonOf(reply.body))
  return {
    request,
    reply,
    status: reply?.status ?? 0,
    message: typeof message === 'string' ? message : '',
    data: fieldsOf(data),
    header: (name) => reply?.headers[name]?.[0],
  }
}

/** The objects of a list in a reply; none when there is no such list. */
export function itemsOf(data: Fields, name: string): readonly Fields[] {
  const { [name]: list } = data
  return Array.isArray(list) ? list.map(fieldsOf) : []
}

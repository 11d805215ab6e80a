import { jsonOf } from '../../../openapi/reading/wire.ts'
import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { ReceiverSettings } from '../../harness/part.ts'
import { passOn, wireRequest, type WireReply, type WireRequest } from '../../harness/proxy.ts'

/** A request of a merchant, and what came of it. */
export interface Answer {
  readonly request: WireRequest
  /** 0: there was no reply. */
  readonly status: number
  readonly message: string
  readonly data: Fields
  readonly reply: WireReply | undefined
}

export interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: Fields
  readonly withSecret?: boolean
  /** On top of the usual headers, or instead. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One of the two. */
export interface Merchant {
  readonly name: 'the first merchant' | 'the second merchant'
  /** For references and descriptions. */
  readonly letter: 'A' | 'B'
  readonly publicKey: string
  readonly secretKey: string
  readonly signs?: Omit<ReceiverSettings, 'port'>
  /** Never throws. */
  ask(asked: Asked): Promise<Answer>
}

type Identity = Pick<Merchant, 'name' | 'letter' | 'publicKey' | 'secretKey' | 'signs'>

export function createMerchant(url: string, identity: Identity): Merchant {
  const { publicKey, secretKey } = identity
  return {
    ...identity,
    async ask({ path, body, withSecret = false, method = body ? 'POST' : 'GET', headers = {} }) {
      const usual = {
        'public-key': publicKey,
        'x-api-version': '1',
        ...(withSecret && { 'secret-key': secretKey }),
        ...(body && { 'content-type': 'application/json' }),
      }
      const request = wireRequest(method, path, { ...usual, ...headers }, body)
      const reply = await passOn(new URL(url), request).catch(() => undefined)
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

export const verify = (merchant: Merchant, reference: string): Promise<Answer> =>
  merchant.ask({ path: `/data/transaction/verify/${encodeURIComponent(reference)}` })
export const collect = (merchant: Merchant, body: Fields, headers?: Asked['headers']): Promise<Answer> =>
  merchant.ask({ path: '/collections/initialize', body, ...(headers && { headers }) })
export const authorize = (merchant: Merchant, body: Fields, headers?: Asked['headers']): Promise<Answer> =>
  merchant.ask({ path: '/collections/authorize', body, ...(headers && { headers }) })
export const payOut = (merchant: Merchant, body: Fields, headers?: Asked['headers']): Promise<Answer> =>
  merchant.ask({ path: '/payout/send-funds', body, withSecret: true, ...(headers && { headers }) })

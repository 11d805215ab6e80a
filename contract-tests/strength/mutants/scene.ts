import type { Gateway } from '../../../server/main.ts'
import { DEMO_KEYS } from '../../../server/testing/gateway.ts'
import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import type { Merchant } from './merchant.ts'
import type { Answer, Recorder } from './recorder.ts'

// What all parts of the scenario share: where it plays, and requests that are fine.

export interface Scene {
  readonly gateway: Gateway
  readonly recorder: Recorder
  readonly merchant: Merchant
  /** The address that customers are sent back to. */
  readonly shop: string
  readonly contract: OpenApiDocument
  passTime(ms: number): Promise<void>
}

export const OPERATION_BY_PATH: Readonly<Record<string, string>> = {
  '/callbacks/collection': 'collectionCallback',
  '/callbacks/payout': 'payoutCallback',
  '/handshake': 'payoutHandshake',
  '/shop': 'customerRedirect',
}

export const HEADERS = { 'public-key': DEMO_KEYS['public-key'], 'x-api-version': '1' }
export const BOTH_KEYS = { ...HEADERS, ...DEMO_KEYS }
export const JSON_TYPE = { 'content-type': 'application/json' }
export const MINUTE_MS = 60_000
export const OTP = 123_456

let counter = 0
export const next = (): string => String(++counter).padStart(4, '0')
export const newReference = (): string => `MUTANT-${next()}-${'R'.repeat(8)}`

export const mobileCollection = (changes: object = {}): Record<string, unknown> => ({
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: newReference(),
  msisdn: `25677${next()}123`,
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
  ...changes,
})
export const bankCollection = (shop: string, changes: object = {}): Record<string, unknown> => ({
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  merchant_reference: newReference(),
  currency: 'NGN',
  amount: 5000,
  description: 'School fees of March',
  redirect_url: shop,
  ...changes,
})
export const mobilePayout = (changes: object = {}): Record<string, unknown> => ({
  transaction_method: 'MOBILE_MONEY',
  merchant_reference: newReference(),
  currency: 'UGX',
  amount: 500,
  provider_code: 'mtn_ug',
  account_number: `25677${next()}123`,
  customer_name: 'Amina Nakato',
  description: 'Refund of an order',
  ...changes,
})
export const bankPayout = (changes: object = {}): Record<string, unknown> => ({
  transaction_method: 'BANK',
  merchant_reference: newReference(),
  currency: 'NGN',
  amount: 1000,
  provider_code: 'bank_ng',
  account_number: `00012345${next()}`,
  customer_name: 'Ada Obi',
  description: 'Salary of March',
  extra_params: { bank_code: 'access_bank_ng' },
  ...changes,
})

type Asker = Pick<Scene, 'recorder'>
const post = (
  { recorder }: Asker,
  operationId: string,
  path: string,
  body: unknown,
  headers: object = {},
): Promise<Answer> =>
  recorder.ask(operationId, {
    method: 'POST',
    path,
    headers: { ...HEADERS, ...JSON_TYPE, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
export const collect = (scene: Asker, body: unknown, headers?: object): Promise<Answer> =>
  post(scene, 'initializeCollection', '/collections/initialize', body, headers)
export const pay = (scene: Asker, body: unknown, headers: object = {}): Promise<Answer> =>
  post(scene, 'sendFunds', '/payout/send-funds', body, { ...BOTH_KEYS, ...headers })
export const authorize = (scene: Asker, body: unknown, headers?: object): Promise<Answer> =>
  post(scene, 'authorizeCollection', '/collections/authorize', body, headers)
export const get = (
  { recorder }: Asker,
  operationId: string,
  path: string,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<Answer> => recorder.ask(operationId, { method: 'GET', path, headers })
export const verify = (scene: Asker, reference: unknown): Promise<Answer> =>
  get(scene, 'verifyTransaction', `/data/transaction/verify/${encodeURIComponent(String(reference))}`)
export const providers = (currency: string, type: string): string =>
  `/data/payment-providers?currency=${currency}&transaction_type=${type}`

import type { Gateway } from '../../../server/main.ts'
import { DEMO_KEYS } from '../../../server/verification/testing/gateway.ts'
import type { OpenApiDocument } from '../../../openapi/reading/document.ts'
import * as bodies from '../../harness/bodies.ts'
import type { Merchant } from './merchant.ts'
import type { RecorderReply, Recorder } from './recorder.ts'

// The state that all parts of the scenario share: gateway, merchant, and valid requests.

export interface MutantFixture {
  readonly gateway: Gateway
  readonly recorder: Recorder
  readonly merchant: Merchant
  /** The address that customers are redirected to. */
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

const phone = (): string => `25677${next()}123`
export const mobileCollection = (changes: object = {}): Record<string, unknown> =>
  bodies.mobileCollection({ merchant_reference: newReference(), msisdn: phone(), ...changes })
export const bankCollection = (shop: string, changes: object = {}): Record<string, unknown> =>
  bodies.bankCollection({ merchant_reference: newReference(), redirect_url: shop, ...changes })
export const mobilePayout = (changes: object = {}): Record<string, unknown> =>
  bodies.mobilePayout({ merchant_reference: newReference(), account_number: phone(), ...changes })
export const bankPayout = (changes: object = {}): Record<string, unknown> =>
  bodies.bankPayout({ merchant_reference: newReference(), account_number: `00012345${next()}`, ...changes })

/** Every second payment is traced, so that its messages are recorded with the header and without. */
let requested = 0
const trace = (): object =>
  requested++ % 2 === 0 ? { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' } : {}

type RecorderOwner = Pick<MutantFixture, 'recorder'>
const post = (
  { recorder }: RecorderOwner,
  operationId: string,
  path: string,
  body: unknown,
  headers: object = {},
): Promise<RecorderReply> =>
  recorder.send(operationId, { method: 'POST', path, headers: { ...HEADERS, ...JSON_TYPE, ...headers }, body })
export const collect = (fixture: RecorderOwner, body: unknown, headers?: object): Promise<RecorderReply> =>
  post(fixture, 'initializeCollection', '/collections/initialize', body, { ...trace(), ...headers })
export const pay = (fixture: RecorderOwner, body: unknown, headers: object = {}): Promise<RecorderReply> =>
  post(fixture, 'sendFunds', '/payout/send-funds', body, { ...BOTH_KEYS, ...trace(), ...headers })
export const authorize = (fixture: RecorderOwner, body: unknown, headers?: object): Promise<RecorderReply> =>
  post(fixture, 'authorizeCollection', '/collections/authorize', body, headers)
export const get = (
  { recorder }: RecorderOwner,
  operationId: string,
  path: string,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<RecorderReply> => recorder.send(operationId, { method: 'GET', path, headers })
export const verify = (fixture: RecorderOwner, reference: unknown): Promise<RecorderReply> =>
  get(fixture, 'verifyTransaction', `/data/transaction/verify/${encodeURIComponent(String(reference))}`)
export const providers = (currency: string, type: string): string =>
  `/data/payment-providers?currency=${currency}&transaction_type=${type}`

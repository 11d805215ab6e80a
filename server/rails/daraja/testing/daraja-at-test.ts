import type { RailOrder } from '../../../actions/ports/rail.ts'
import { selfSigned } from '../../../outbound/testing/test-certificate.ts'
import { fixedClock } from '../../../verification/testing/fixed-clock.ts'
import type { Adapter, RailWorld, SettingValues } from '../../rail-kind.ts'
import { scriptedAdapter, worldOf } from '../../testing/adapter-at.ts'
import { daraja } from '../daraja.ts'

export const TOKEN = 'GET /oauth/v1/generate'
export const PUSH = 'POST /mpesa/stkpush/v1/processrequest'
export const QUERY = 'POST /mpesa/stkpushquery/v1/query'
export const PAYOUT = 'POST /mpesa/b2c/v3/paymentrequest'
export const STATUS = 'POST /mpesa/transactionstatus/v1/query'
export const PULL = 'POST /pulltransactions/v1/query'

export const ORDER_ID = '6f0e2a6c-51b7-4a3f-8f0b-0d8f9a2c4e10'
export const CHECKOUT = 'ws_CO_02032026103000123254712345678'
export const MSISDN = '254712345678'
/** 10:30 in Nairobi. */
export const NOW = new Date('2026-03-02T07:30:00.000Z')

/** Shared by all tests of a file: generating a key is slow. */
export const certificate = selfSigned('safaricom.invalid', {
  rsa: true,
  notBefore: new Date('2026-01-01T00:00:00Z'),
  notAfter: new Date('2027-01-01T00:00:00Z'),
})

export const COLLECTS = {
  consumer_key: 'the-consumer-key',
  consumer_secret: 'the-consumer-secret',
  short_code: '174379',
  passkey: 'the-passkey',
} as const
export const PAYS_OUT = {
  payout_short_code: '600992',
  initiator_name: 'malipo',
  initiator_password: 'the-initiator-password',
  certificate: certificate.cert,
} as const

interface Options extends Partial<Pick<RailWorld, 'callbackUrl' | 'currency'>> {
  readonly settings?: SettingValues
  /** Settings to omit. */
  readonly without?: readonly string[]
}

/** An adapter and an operator on a real port, which issues a token on every request. */
export async function darajaAtTest({ settings = {}, without = [], ...changes }: Options = {}) {
  const given = { ...COLLECTS, ...PAYS_OUT, ...settings }
  const clock = fixedClock(NOW)
  const connected = await scriptedAdapter(
    daraja,
    Object.fromEntries(Object.entries(given).filter(([name]) => !without.includes(name))),
    testWorld({ clock, ...changes }),
  )
  let tokens = 0
  connected.operator.on(TOKEN, () => {
    tokens += 1
    return { status: 200, body: { access_token: `token-${tokens}`, expires_in: '3599' } }
  })
  return { ...connected, clock }
}

export const testWorld = (changes: Partial<RailWorld> = {}): RailWorld =>
  worldOf(daraja, 'KES', { clock: fixedClock(NOW), ...changes })

/** An adapter that reads messages: nobody is there whom it could call. */
export const darajaReading = (settings: SettingValues = {}, world: Partial<RailWorld> = {}): Adapter =>
  daraja.connect({ base_url: 'http://127.0.0.1:9', ...COLLECTS, ...PAYS_OUT, ...settings }, testWorld(world))

/** @param changes to an order of KES 500 */
export const orderOf = (changes: Partial<RailOrder> = {}): RailOrder => ({
  internalReference: 'MLPRQZVFYDQTSNMNXZDV0WZHT',
  orderId: ORDER_ID,
  type: 'COLLECTION',
  providerCode: 'mpesa_ke',
  account: MSISDN,
  amount: { amountMinor: 50_000n, currency: 'KES' },
  externalIds: {},
  ...changes,
})

export const payoutOf = (changes: Partial<RailOrder> = {}): RailOrder => orderOf({ type: 'PAYOUT', ...changes })

export const pushed = (ResponseCode: string | number = '0') => ({
  status: 200,
  body: { MerchantRequestID: '7f3a-4c1e', CheckoutRequestID: CHECKOUT, ResponseCode },
})
export const queried = (ResultCode: string | number, more: object = {}) => ({
  status: 200,
  body: { ResponseCode: '0', CheckoutRequestID: CHECKOUT, ResultCode, ...more },
})
export const queued = (OriginatorConversationID: string = ORDER_ID, ResponseCode: string | number = '0') => ({
  status: 200,
  body: { ConversationID: 'AG_20260302_0001', OriginatorConversationID, ResponseCode },
})
export const refused = (status: number, errorCode: string) => ({
  status,
  body: { requestId: '11728-2929992-1', errorCode, errorMessage: `The words of ${errorCode}` },
})

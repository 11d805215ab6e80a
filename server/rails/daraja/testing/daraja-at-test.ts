import { onTestFinished } from 'vitest'
import { selfSigned } from '../../../outbound/testing/test-certificate.ts'
import type { RailOrder } from '../../../actions/ports/rail.ts'
import { operatorContract } from '../../operator-contract.ts'
import { NoAnswer, NotSent } from '../../operator-errors.ts'
import type { Adapter, ExchangeAbout, RailWorld, SettingValues } from '../../rail-kind.ts'
import { startScriptedOperator, type ScriptedOperator } from '../../testing/scripted-operator.ts'
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

/** One for all tests of a file: to make a key takes a while. */
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

export interface DarajaAtTest {
  readonly operator: ScriptedOperator
  readonly adapter: Adapter
  readonly clock: { now(): Date; advance(ms: number): void }
  /** What each call was for, in their order. */
  readonly calls: readonly ExchangeAbout[]
}

interface Options {
  readonly settings?: SettingValues
  /** Settings that are left out. */
  readonly without?: readonly string[]
  callbackUrl?(orderId: string, tail?: string): string | undefined
}

/** An adapter and an operator on a real port, which gives a token as often as it is asked. */
export async function darajaAtTest({ settings = {}, without = [], ...world }: Options = {}): Promise<DarajaAtTest> {
  const operator = await startScriptedOperator()
  onTestFinished(() => operator.close())
  let tokens = 0
  operator.on(TOKEN, () => {
    tokens += 1
    return { status: 200, body: { access_token: `token-${tokens}`, expires_in: '3599' } }
  })
  const calls: ExchangeAbout[] = []
  const { clock, ...rest } = testWorld(calls, world)
  const all = { base_url: operator.url, ...COLLECTS, ...PAYS_OUT, ...settings }
  const given = Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)))
  const adapter = daraja.connect(given, { clock, ...rest })
  return { operator, adapter, clock, calls }
}

/** @param calls where each call is noted */
export function testWorld(
  calls: ExchangeAbout[] = [],
  { callbackUrl = addressOf }: Pick<Options, 'callbackUrl'> = {},
): RailWorld & { readonly clock: DarajaAtTest['clock'] } {
  let now = NOW
  return {
    clock: { now: () => now, advance: (ms) => void (now = new Date(now.getTime() + ms)) },
    random: { bytes: (size) => new Uint8Array(size) },
    currency: 'KES',
    callbackUrl,
    fetchFor(about) {
      calls.push(about)
      return heldToContract
    },
  }
}

const addressOf = (orderId: string, tail?: string): string =>
  ['https://pay.example/operators/ke/f00d', orderId, ...(tail === undefined ? [] : [tail])].join('/')

const contract = operatorContract('daraja')

/** What is between an adapter and the wire, as far as an adapter sees of it. */
async function heldToContract(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    const body = new Uint8Array(await response.arrayBuffer())
    const operation = contract.operationFor(request.method, new URL(request.url).pathname) ?? 'no operation'
    const contentType = response.headers.get('content-type')
    const fault = contract.faultInReply(operation, {
      status: response.status,
      ...(contentType !== null && { contentType }),
      body,
    })
    if (fault !== undefined) throw new NoAnswer(fault)
    return new Response(body, { status: response.status, headers: response.headers })
  } catch (cause) {
    if (cause instanceof NoAnswer) throw cause
    const isRefused = String((cause as Error).cause).includes('ECONNREFUSED')
    throw isRefused ? new NotSent('no connection', { cause }) : new NoAnswer('no answer', { cause })
  }
}

/** @param changes to an order of KES 500 */
export const orderOf = (changes: Partial<RailOrder> = {}): RailOrder => ({
  internalReference: 'MLPRQZVFYDQTSNMNXZDV0WZHT',
  orderId: ORDER_ID,
  type: 'COLLECTION',
  providerCode: 'mpesa_ke',
  account: MSISDN,
  amount: { amountMinor: 50_000n, currency: 'KES' },
  theirs: {},
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

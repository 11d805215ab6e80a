import { present } from '../../domain/present.ts'
import { DEMO_KEYS } from './gateway.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Headers
  readonly body: { code: number; status: string; message: string; data: Record<string, unknown> }
}

let counter = 0
/** A merchant reference that no other request of this process has. */
export const uniqueReference = (): string => `TEST-${process.pid}-${String(++counter).padStart(6, '0')}`
/** A phone number of MTN Uganda that no other request of this process has, with the test number's ending. */
export const uniqueMsisdn = (ending = '123'): string => `25677${String(++counter % 10_000).padStart(4, '0')}${ending}`

export const mobileMoneyCollection = (changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: uniqueReference(),
  msisdn: uniqueMsisdn(),
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
  ...changes,
})

export const mobileMoneyPayout = (changes: Readonly<Record<string, unknown>> = {}) => ({
  transaction_method: 'MOBILE_MONEY',
  merchant_reference: uniqueReference(),
  currency: 'UGX',
  amount: 20_000,
  provider_code: 'mtn_ug',
  account_number: uniqueMsisdn(),
  customer_name: 'Amina Nakato',
  description: 'Refund of an order',
  ...changes,
})

const usual = { 'public-key': DEMO_KEYS['public-key'], 'x-api-version': '1' }

/** Sends one raw request, including those that a client library would never send. Omits a header given as undefined. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string | undefined>; body?: NonNullable<RequestInit['body']> } = {},
): Promise<RawReply> {
  const headers = new Headers()
  for (const [name, value] of Object.entries({ ...usual, ...options.headers }))
    if (value !== undefined) headers.set(name, value)
  const response = await fetch(baseUrl + path, {
    method,
    headers,
    ...(options.body !== undefined && { body: options.body }),
    redirect: 'manual',
  })
  const text = await response.text()
  const body = (text === '' ? undefined : JSON.parse(text)) as RawReply['body']
  return { status: response.status, headers: response.headers, body }
}

export const postJson = (
  baseUrl: string,
  path: string,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): Promise<RawReply> =>
  send(baseUrl, 'POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const collect = (
  baseUrl: string,
  changes: Readonly<Record<string, unknown>> = {},
  headers?: Record<string, string | undefined>,
): Promise<RawReply> => postJson(baseUrl, '/collections/initialize', mobileMoneyCollection(changes), headers)

export const payOut = (
  baseUrl: string,
  changes: Readonly<Record<string, unknown>> = {},
  headers: Record<string, string | undefined> = DEMO_KEYS,
): Promise<RawReply> => postJson(baseUrl, '/payout/send-funds', mobileMoneyPayout(changes), headers)

export const verify = (baseUrl: string, reference: string): Promise<RawReply> =>
  send(baseUrl, 'GET', `/data/transaction/verify/${encodeURIComponent(reference)}`)

export interface WalletBody {
  readonly wallet_type: string
  readonly currency: string
  readonly available_balance: number
  readonly actual_balance: number
}

/** What is available in the demo merchant's payout wallet. */
export async function payoutBalance(baseUrl: string, currency = 'UGX'): Promise<number> {
  const { body } = await send(baseUrl, 'GET', `/data/wallet-balances?currency=${currency}`, {
    headers: { 'secret-key': DEMO_KEYS['secret-key'] },
  })
  const wallets = body.data.merchant_wallets as WalletBody[]
  return present(
    wallets.find(({ wallet_type }) => wallet_type === 'MERCHANT_PAYOUT'),
    'the payout wallet',
  ).available_balance
}

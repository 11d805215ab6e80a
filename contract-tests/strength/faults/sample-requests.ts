import { wireRequest, type WireRequest } from '../../harness/proxy.ts'
import type { Keys } from './traffic-history.ts'

// Requests of two merchants, one of each kind that a fault may change. Nobody judges the replies: faults are planted in
// them.

interface SampleRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}
type Body = Readonly<Record<string, unknown>>

export const keyHeaders = ({ publicKey, secretKey }: Keys) => ({ 'public-key': publicKey, 'secret-key': secretKey })

export function requested(keys: Keys, { method = 'GET', path, headers, body }: SampleRequest): WireRequest {
  const usual = {
    ...keyHeaders(keys),
    'x-api-version': '1',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const request = wireRequest(method, path, { ...usual, ...headers }, body)
  return body === undefined
    ? request
    : { ...request, headers: { ...request.headers, 'content-length': [String(request.body.length)] } }
}

const CURRENT_KEY = '/.well-known/malipo-rsa.pem'
const CURRENCIES = ['UGX', 'KES', 'TZS', 'RWF', 'GHS', 'ZMW', 'NGN', 'ZAR', 'USD']
export const LOOKUPS: readonly SampleRequest[] = [
  ...CURRENCIES.flatMap((currency) =>
    ['COLLECTION', 'PAYOUT'].map((type) => ({
      path: `/data/payment-providers?currency=${currency}&transaction_type=${type}`,
    })),
  ),
  ...['bank_ng', 'bank_za', 'mtn_ug', 'nobody'].map((code) => ({
    path: `/data/payout-bank-codes?provider_code=${code}`,
  })),
  ...['', '?currency=KES', '?currency=', '?Currency=KES', '?currency=KES&currency=UGX'].map((query) => ({
    path: `/data/wallet-balances${query}`,
  })),
  ...[
    CURRENT_KEY,
    `${CURRENT_KEY.slice(0, -4)}/0123456789ABCDEF.pem`,
    '/nowhere',
    '/metrics',
    '/.env',
    '/.git/config',
  ].map((path) => ({ path })),
  ...['/actuator/health', '/admin', '/debug/pprof/', '/pay/collection/MLPZ1ZP8G0DY6MZXFRQH3EJ9D'].map((path) => ({
    path,
  })),
  { path: '/data/transaction/verify/ORDER-OF-NOBODY' },
  { path: '/data/wallet-balances', method: 'PUT' },
  { path: '/data/wallet-balances', method: 'PUT', headers: { 'public-key': undefined } },
  { path: '/data/wallet-balances', headers: { accept: 'text/html' } },
]
/** With keys that are missing, wrong, or in another place. */
export const withoutKeys = ({ publicKey, secretKey = '' }: Keys): readonly SampleRequest[] => {
  const none = { 'public-key': undefined, 'secret-key': undefined }
  const path = '/data/wallet-balances'
  const wrong = { 'public-key': 'pub_nobody' }
  const post = { method: 'POST', path: '/payout/send-funds' }
  return [
    { path, headers: none },
    { path, headers: { 'secret-key': 'sec_wrong' } },
    { path: `${path}?public-key=${publicKey}&secret-key=${secretKey}`, headers: none },
    { path, headers: { ...none, cookie: `public-key=${publicKey}; secret-key=${secretKey}` } },
    { path, headers: { ...none, authorization: `Bearer ${publicKey}` } },
    { path, headers: { 'secret-key': undefined, 'x-api-key': secretKey } },
    { path, headers: { 'public-key': `"${publicKey}"` } },
    { path, headers: { ...wrong, 'x-api-version': '2' } },
    ...[undefined, '2', 'v1'].map((version) => ({ path, headers: { 'x-api-version': version } })),
    { ...post, headers: none, body: { public_key: publicKey, secret_key: secretKey } },
    { ...post, headers: { ...wrong, 'content-type': 'text/plain' }, body: '{}' },
    { ...post, headers: wrong, body: ' '.repeat(65_537) },
    { ...post, headers: { 'x-api-version': '2', 'content-type': 'text/plain' }, body: '{}' },
    { ...post, headers: { 'content-type': 'text/plain' }, body: ' '.repeat(65_537) },
    { ...post, headers: { 'content-type': 'text/plain' }, body: '{' },
    { ...post, body: '{' },
    { ...post, body: ' '.repeat(65_536) },
    { ...post, body: ' '.repeat(65_537) },
  ]
}

const COLLECTION = {
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  currency: 'UGX',
  amount: 5000,
  description: 'Two coffees please',
}
const PAYOUT = { ...COLLECTION, amount: 1000, customer_name: 'Amina Nakato' }
/** A number of each country with the wanted outcome. */
const NUMBER: Readonly<Record<string, string>> = {
  mtn_ug: '256772000',
  mpesa_ke: '254712000',
  airtel_ke: '254732000',
  vodacom_tz: '255742000',
  tigopesa_tz: '255652000',
  airtel_tz: '255682000',
  mtn_rw: '250782000',
  airtel_rw: '250722000',
  mtn_gh: '233242000',
  airtel_gh: '233262000',
  mtn_zm: '260962000',
  airtel_zm: '260972000',
}
const at = (provider_code: string, currency: string, more: Body = {}, ending = '123') => ({
  provider_code,
  currency,
  number: `${NUMBER[provider_code] ?? '25677200'}${ending}`,
  ...more,
})
const bank = (provider_code: string, currency: string, bank_code?: string) => ({
  transaction_method: 'BANK',
  provider_code,
  currency,
  ...(bank_code === undefined
    ? { redirect_url: 'http://127.0.0.1:9/back?b=2+1&a=%2B' }
    : { number: '0012345123', extra_params: { bank_code } }),
})
type NumberedBody = Body & { readonly number?: string }

/** With defaults for everything else; `number` is the customer's. */
const COLLECTIONS: readonly NumberedBody[] = [
  at('mtn_ug', 'UGX', {
    customer_name: 'Amina  "Mina" O\'Brien & sons \u200e\u0041\u030a Nakato ﬁ\u{1F600} of the long road to Kampala ',
  }),
  at('airtel_ke', 'KES', { amount: 100.55, customer_name: 'amina' }),
  at('airtel_ke', 'KES', { amount: 250_001 }),
  at('airtel_tz', 'TZS', { charge_customer: true }),
  at('vodacom_tz', 'TZS'),
  at('tigopesa_tz', 'TZS', { amount: 1000.5 }),
  at('mtn_rw', 'RWF', { amount: 250 }),
  at('airtel_rw', 'RWF'),
  at('airtel_rw', 'RWF', {}, '002'),
  at('airtel_gh', 'GHS', { amount: 50 }),
  at('mtn_zm', 'ZMW', { amount: 20_000 }),
  at('airtel_zm', 'ZMW', { amount: 100, number: '260962000123' }),
  at('mtn_ug', 'USD', { amount: 10.5 }),
  at('mtn_ug', 'USD', { amount: 1000 }),
  at('mtn_ug', 'USD', { amount: 20, charge_customer: true }),
  at('mpesa_ke', 'USD', { amount: 20 }),
  at('mtn_ug', 'UGX', { number: '256392000123' }),
  at('mtn_ug', 'UGX', {}, '004'),
  at('mtn_ug', 'UGX', {}, '006'),
  at('mtn_ug', 'UGX', { number: '0772000123' }),
  at('mtn_ug', 'UGX', { number: '00256772000123' }),
  at('mtn_ug', 'UGX', { number: '256 772 000 123' }),
  at('mtn_ug', 'UGX', { number: '256-772-000-123' }),
  at('mtn_ug', 'UGX', { number: '256.772.000.123' }),
  at('mtn_ug', 'UGX', { number: '772000123' }),
  at('mtn_ug', 'UGX', { number: '2567720001239' }),
  at('mtn_ug', 'UGX', { number: '+256752000123' }),
  at('mtn_ug', 'UGX', { amount: 100 }),
  at('mtn_ug', 'UGX', { amount: 5.5 }),
  at('mtn_ug', 'UGX', { mobile_money_hpp: true, redirect_url: 'http://127.0.0.1:9/back?b=2+1&a=%2B' }),
  bank('bank_za', 'ZAR'),
  bank('bank_ng', 'NGN'),
  at('mtn_xx', 'UGX'),
  at('mtn_xx', 'UGX', { description: 'This says much more than thirty characters' }),
  { ...at('mtn_ug', 'UGX'), transaction_method: 'BANK', redirect_url: 'https://shop.example:8443/paid' },
  { ...at('mtn_ug', 'UGX'), redirect_url: 'https://shop.example:8443/paid' },
  ...["o'brien+1@shop.example", `${'a'.repeat(60)}@${'b'.repeat(60)}.example`].map((customer_email) =>
    at('mtn_ug', 'UGX', { customer_email }),
  ),
  ...[
    'AUTO',
    'auto',
    'ORDER~0001',
    '.ORDER-0002',
    '1234567890',
    'ORDER-08',
    'R'.repeat(36),
    'Order-Mixed-1',
    'ORDER-MIXED-1',
    'ORDER-END.',
  ].map((merchant_reference) => at('mtn_ug', 'UGX', { merchant_reference })),
  at('mtn_xx', 'UGX', { merchant_reference: 'ORDER~0001' }),
  at('mtn_ug', 'UGX', { merchant_reference: 'ORDER~0001' }),
  at('mtn_ug', 'ugx'),
  at('mtn_ug', 'UGX', { transaction_method: 'mobile_money' }),
  at('mtn_ug', 'UGX', { customer_name: 'أمينة' }),
  at('mtn_ug', 'UGX', { description: 'ã'.repeat(20) }),
  at('mtn_ug', 'UGX', { description: 'Ten chars.' }),
  at('mtn_ug', 'UGX', { description: undefined }),
  at('mtn_ug', 'UGX', {
    amount: undefined,
    currency: undefined,
    description: 'This says much more than thirty characters',
  }),
  at('mtn_ug', 'UGX', { amount: undefined, merchant_id: 7 }),
  at('mtn_ug', 'UGX', { merchant_id: 7 }),
  at('mtn_ug', 'USD', { amount: 1_000_000 }),
  at('mtn_ug', 'EUR'),
  at('mtn_ug', 'UGX', { amount: undefined, description: undefined }),
  ...[1, 2, 3].map(() => at('airtel_ug', 'UGX', { amount: 3_000_000, number: '256752000123' })),
]
const PAYOUTS: readonly NumberedBody[] = [
  at('mtn_ug', 'UGX'),
  at('mtn_ug', 'UGX', {}, '004'),
  at('mtn_zm', 'ZMW', { amount: 100 }),
  at('airtel_zm', 'ZMW', { amount: 100 }),
  at('mpesa_ke', 'KES'),
  at('airtel_rw', 'RWF'),
  at('tigopesa_tz', 'TZS', { amount: 1000 }),
  at('mtn_ug', 'USD', { amount: 10 }),
  ...['access_bank_ng', 'no_such_bank'].map((code) => bank('bank_ng', 'NGN', code)),
  ...['tymebank_za', 'capitec_za'].map((code) => bank('bank_za', 'ZAR', code)),
  { ...bank('bank_za', 'ZAR', 'capitec_za'), extra_params: {} },
]
let count = 0
const reference = (): string => `SAMPLE-${String((count += 1)).padStart(5, '0')}`
const spelled = (kind: 'msisdn' | 'account_number', usual: Body, { number, ...special }: NumberedBody): Body => ({
  merchant_reference: reference(),
  ...usual,
  ...(number !== undefined && { [kind]: number }),
  ...special,
})
export const collection = (special: NumberedBody): SampleRequest => ({
  method: 'POST',
  path: '/collections/initialize',
  body: spelled('msisdn', COLLECTION, special),
})
export const payout = (special: NumberedBody): SampleRequest => ({
  method: 'POST',
  path: '/payout/send-funds',
  body: spelled('account_number', PAYOUT, special),
})
const written = (body: Body, from: RegExp, to: string): string => JSON.stringify(body).replace(from, to)

/** One request under one key, its number in two spellings. */
const spelledTwice = (): readonly SampleRequest[] => {
  const { body, ...rest } = collection(at('mtn_ug', 'UGX'))
  return ['256772000123', '+256 772 000 123'].map((msisdn) => ({
    ...rest,
    body: { ...(body as Body), msisdn },
    headers: { 'idempotency-key': 'Key-2' },
  }))
}

/** Payments, repeated in another spelling. */
export const payments = (): readonly SampleRequest[] => [
  ...spelledTwice(),
  ...COLLECTIONS.map(collection),
  ...PAYOUTS.map(payout),
  ...['5e3', '5000.00'].map((amount) => {
    const given = collection(at('mtn_ug', 'UGX'))
    return { ...given, body: written(given.body as Body, /"amount":\d+/, `"amount":${amount}`) }
  }),
  { ...collection(at('mtn_ug', 'UGX')), body: '{"amount":1,"amount":2}' },
  { ...collection(at('mtn_ug', 'UGX')), headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
  ...['K'.repeat(255), 'K'.repeat(256), 'Key-1', 'Key-1'].map((key) => ({
    ...collection(at('mtn_ug', 'UGX')),
    headers: { 'idempotency-key': key },
  })),
]

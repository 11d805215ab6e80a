import { present } from '../../domain/present.ts'
export type RequestKind = 'providers' | 'collection' | 'payout' | 'verify'

export const PUBLIC_KEY = 'pub_sandbox_demo'
export const SECRET_KEY = 'sec_sandbox_demo'
export const PROVIDERS_PATH = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
export const API_HEADERS = {
  'public-key': PUBLIC_KEY,
  'x-api-version': '1',
  'Accept-Language': 'en',
  Accept: 'application/json',
} as const

export interface RequestsOptions {
  readonly kind: RequestKind
  readonly port: number
  /** Different for every run on one database: references must never repeat. */
  readonly run: number
  /** Alternates between two merchants when there is a second one. */
  readonly secondPublicKey?: string
  /** This many merchants (many-merchants.ts) request providers in rotation. Absent: the demo merchant only. */
  readonly merchants?: number
  /** How many transactions of the history (sections/history.ts) can be looked up. */
  readonly stored?: number
}

// Numbers that end in 123 are paid after the usual delay. Sixty thousand of them, so that payments share neither a lock
// nor a daily limit.
const NUMBERS = [
  ['mtn_ug', '77'],
  ['airtel_ug', '75'],
  ['mtn_ug', '78'],
  ['airtel_ug', '70'],
  ['mtn_ug', '76'],
  ['airtel_ug', '74'],
] as const
const NUMBERS_PER_PREFIX = 10_000

/** Generates the text of HTTP requests: each payment has its own reference and phone number. */
export function requestFactory({
  kind,
  port,
  run,
  secondPublicKey = PUBLIC_KEY,
  merchants = 0,
  stored = 0,
}: RequestsOptions): () => string {
  const headersFor = (publicKey: string) =>
    [
      `Host: 127.0.0.1:${port}`,
      ...Object.entries({ ...API_HEADERS, 'public-key': publicKey }).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n')
  const headers = [headersFor(PUBLIC_KEY), headersFor(secondPublicKey)] as const
  const get = (path: string, headersSent = headers[0]) => `GET ${path} HTTP/1.1\r\n${headersSent}\r\n\r\n`
  const post = (path: string, count: number, body: string) =>
    `POST ${path} HTTP/1.1\r\n${headers[(count % 2) as 0 | 1]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const providers = get(PROVIDERS_PATH)
  let count = 0
  switch (kind) {
    case 'providers':
      return merchants === 0
        ? () => providers
        : () => get(PROVIDERS_PATH, headersFor(keysOf((count++ % merchants) + 1).publicKey))
    case 'collection':
      return () => post('/collections/initialize', count, collectionBody(run, count++))
    case 'payout':
      return () =>
        post('/payout/send-funds', count, payoutBody(run, count++)).replace('\r\n', `\r\nsecret-key: ${SECRET_KEY}\r\n`)
    case 'verify':
      return () => get(`/data/transaction/verify/${storedReference(spread(run * 1_000_003 + count++) % stored)}`)
  }
}

/** Public and secret key of the n-th merchant that many-merchants.ts adds. */
export const keysOf = (n: number) => ({ publicKey: `pub_bench_${n}`, secretKey: `sec_bench_${n}` }) as const

/** The merchant reference of the n-th transaction of the history. */
export const storedReference = (n: number): string => `HISTORY-${String(n).padStart(8, '0')}`

// An odd factor makes a permutation of 32 bits: spread like merchants' references, without repetition.
const spread = (count: number): number => Math.imul(count, 0x9e3779b1) >>> 0
const referenceOf = (run: number, count: number): string =>
  `BENCH-${run}-${spread(count).toString(16).padStart(8, '0')}`

function numberOf(count: number): { readonly provider: string; readonly phone: string } {
  const [provider, prefix] = present(NUMBERS[count % NUMBERS.length], 'a provider')
  return {
    provider,
    phone: `256${prefix}${String(Math.floor(count / NUMBERS.length) % NUMBERS_PER_PREFIX).padStart(4, '0')}123`,
  }
}

function collectionBody(run: number, count: number): string {
  const { provider, phone } = numberOf(count)
  return JSON.stringify({
    transaction_method: 'MOBILE_MONEY',
    provider_code: provider,
    merchant_reference: referenceOf(run, count),
    msisdn: phone,
    currency: 'UGX',
    amount: 500,
    description: 'Bench collection',
    customer_name: 'Amina Nakato',
  })
}

function payoutBody(run: number, count: number): string {
  const { provider, phone } = numberOf(count)
  return JSON.stringify({
    transaction_method: 'MOBILE_MONEY',
    provider_code: provider,
    merchant_reference: referenceOf(run, count),
    account_number: phone,
    currency: 'UGX',
    amount: 500,
    description: 'Bench payout',
    customer_name: 'Amina Nakato',
  })
}

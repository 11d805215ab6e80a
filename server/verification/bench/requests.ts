import { present } from '../../domain/present.ts'
type RequestKind = 'providers' | 'collection' | 'payout' | 'verify'

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
  /** How many stored transactions (stored-payments.ts) can be looked up. */
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
/** Two runs at the same time begin half of the numbers apart: otherwise each waits for the other's locks. */
const RUN_OFFSET = (NUMBERS.length * NUMBERS_PER_PREFIX) / 2

/** Generates the text of HTTP requests: each payment has its own reference and phone number. */
export function requestFactory({ kind, port, run, stored = 0 }: RequestsOptions): () => string {
  const headers = [
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(API_HEADERS).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`
  const post = (path: string, body: string) =>
    `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const providers = get(PROVIDERS_PATH)
  let count = 0
  switch (kind) {
    case 'providers':
      return () => providers
    case 'collection':
      return () => post('/collections/initialize', bodyOf('msisdn', 'Bench collection', run, count++))
    case 'payout':
      return () =>
        post('/payout/send-funds', bodyOf('account_number', 'Bench payout', run, count++)).replace(
          '\r\n',
          `\r\nsecret-key: ${SECRET_KEY}\r\n`,
        )
    case 'verify':
      return () => get(`/data/transaction/verify/${storedReference(spread(run * 1_000_003 + count++) % stored)}`)
  }
}

/** The merchant reference of the n-th stored transaction. */
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

function bodyOf(phoneField: 'msisdn' | 'account_number', description: string, run: number, count: number): string {
  const { provider, phone } = numberOf(run * RUN_OFFSET + count)
  return JSON.stringify({
    transaction_method: 'MOBILE_MONEY',
    provider_code: provider,
    merchant_reference: referenceOf(run, count),
    [phoneField]: phone,
    currency: 'UGX',
    amount: 500,
    description,
    customer_name: 'Amina Nakato',
  })
}

export type RequestKind = 'providers' | 'collection'

export const PUBLIC_KEY = 'pub_sandbox_demo'
export const PROVIDERS_PATH = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
export const API_HEADERS = { 'public-key': PUBLIC_KEY, 'x-api-version': '1', 'Accept-Language': 'en', Accept: 'application/json' } as const

// Numbers that end in 123 are paid after the usual delay. Sixty thousand of them, so that neither a lock nor a daily limit is shared.
const NUMBERS = [['mtn_ug', '77'], ['airtel_ug', '75'], ['mtn_ug', '78'], ['airtel_ug', '70'], ['mtn_ug', '76'], ['airtel_ug', '74']] as const
const NUMBERS_PER_PREFIX = 10_000

/** Makes the text of one HTTP request after the other: each collection with a reference and a phone number of its own. */
export function requestFactory(kind: RequestKind, port: number, run: number): () => string {
  const headers = [`Host: 127.0.0.1:${port}`, ...Object.entries(API_HEADERS).map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  if (kind === 'providers') {
    const request = `GET ${PROVIDERS_PATH} HTTP/1.1\r\n${headers}\r\n\r\n`
    return () => request
  }
  let count = 0
  return () => {
    const body = collectionBody(run, count++)
    return `POST /collections/initialize HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
}

function collectionBody(run: number, count: number): string {
  // An odd factor makes a permutation of 32 bits: spread like merchants' references, and never the same one twice.
  const spread = Math.imul(count, 0x9e3779b1) >>> 0
  const [provider, prefix] = NUMBERS[count % NUMBERS.length]!
  const digits = String(Math.floor(count / NUMBERS.length) % NUMBERS_PER_PREFIX).padStart(4, '0')
  return JSON.stringify({
    transaction_method: 'MOBILE_MONEY', provider_code: provider, merchant_reference: `BENCH-${run}-${spread.toString(16).padStart(8, '0')}`,
    msisdn: `256${prefix}${digits}123`, currency: 'UGX', amount: 500, description: 'Bench collection', customer_name: 'Amina Nakato',
  })
}

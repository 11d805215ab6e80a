import { mobileCollection } from '../../harness/bodies.ts'

/** Allowed after a request: one of these statuses in the envelope, or (`close`) the end without a reply. */
export type AllowedOutcomes = readonly (number | 'close')[]

/** Bytes that go to the server unchanged, and the replies that are allowed. */
export interface WireCase {
  /** Says what is sent; unique. */
  readonly name: string
  /** Each one is a write of its own. */
  readonly pieces: readonly Buffer[]
  /** Pause between the pieces. */
  readonly pauseMs?: number
  /** Expected replies, in order; after one that ends the connection no other is required. */
  readonly allowed: readonly AllowedOutcomes[]
  /** The client's action after the last byte: wait for the replies (absent), end its side, or reset the connection. */
  readonly afterwards?: 'end' | 'reset'
  /** Replies that come without the body they describe (HEAD). */
  readonly bodiless?: boolean
}

/** Expected for invalid HTTP: a client error in the envelope, or a closed connection. */
export const REFUSED: AllowedOutcomes = [400, 'close']

interface RequestParts {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  /** Lines on top of the usual ones; one character, one byte. */
  readonly headers?: readonly string[]
  /** Names of usual headers to omit. */
  readonly without?: readonly string[]
  /** A body without a `content-length` line of its own in `headers` gets the right one. */
  readonly body?: string | Buffer
}

/** Writes requests with the keys of the target. */
export interface RequestWriter {
  request(parts?: RequestParts): Buffer
  /** A valid collection with changed fields, as an object. */
  collection(changes?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** POST of text or bytes to /collections/initialize. */
  collect(body: string | Buffer | object, parts?: RequestParts): Buffer
  readonly host: string
  readonly secretKey: string
  /** The reply to a valid collection: a gateway that is no sandbox may not know provider and number. */
  readonly accepted: readonly number[]
}

export const LOOKUP = '/data/payment-providers?currency=UGX&transaction_type=COLLECTION'
export const INITIALIZE = '/collections/initialize'

export function createRequestWriter({
  host,
  publicKey,
  secretKey,
  sandbox,
  start,
}: {
  readonly host: string
  readonly publicKey: string
  readonly secretKey: string
  readonly sandbox: boolean
  /** Where its account numbers begin. */
  readonly start: number
}): RequestWriter {
  let count = 0
  const usual = { host, 'public-key': publicKey, 'x-api-version': '1' }
  const writer: RequestWriter = {
    host,
    secretKey,
    accepted: sandbox ? [202] : [202, 400, 409],
    request({ method = 'GET', target = LOOKUP, version = 'HTTP/1.1', headers = [], without = [], body } = {}) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body
      const framed = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line))
      const lines = [
        `${method} ${target} ${version}`,
        ...Object.entries(usual)
          .filter(([name]) => !without.includes(name))
          .map(([name, value]) => `${name}: ${value}`),
        ...headers,
        ...(bytes && !framed ? [`content-length: ${bytes.length}`] : []),
      ]
      return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes ?? Buffer.alloc(0)])
    },
    collection: (changes = {}) =>
      mobileCollection({
        merchant_reference: 'auto',
        // A new number for each, in every run: neither daily limits nor bounds of prompts matter here.
        msisdn: `25677${String((start + ++count) % 10_000).padStart(4, '0')}123`,
        amount: 500,
        ...changes,
      }),
    collect: (body, { headers = [], ...parts } = {}) =>
      writer.request({
        method: 'POST',
        target: INITIALIZE,
        ...parts,
        headers: [...(parts.without?.includes('content-type') ? [] : ['content-type: application/json']), ...headers],
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
  }
  return writer
}

/** A case of one request and one reply. */
export const one = (name: string, bytes: Buffer, allowed: AllowedOutcomes, more: Partial<WireCase> = {}): WireCase => ({
  name,
  pieces: [bytes],
  allowed: [allowed],
  ...more,
})

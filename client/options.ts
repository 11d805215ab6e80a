import { MalipoError } from './errors.ts'
import { realWaiting, type WaitingTools } from './waiting.ts'

/**
 * The part of `fetch` that the client uses: a string URL and plain options, so that any implementation and any stub
 * fits.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of `createMalipo`. */
export interface MalipoOptions {
  /**
   * The URL of the gateway: `http://127.0.0.1:8080` for a local sandbox. A path prefix is kept. With a `secretKey` it
   * must be https, except on this machine, in a private network, and under names that no public server has (`malipo`,
   * `malipo.internal`).
   */
  readonly baseUrl: string
  /**
   * Identifies your account; sent with every request. Confidential, although it alone sends no payout: it reads names,
   * accounts and references, and starts collections. Servers only: in a browser `createMalipo` throws.
   */
  readonly publicKey: string
  /** For wallets and payouts, and sent only with these. */
  readonly secretKey?: string | undefined
  /** Language of the messages, `en` if absent. */
  readonly language?: string | undefined
  /** Longest time from call to complete reply, retries included, in milliseconds; 30,000 if absent. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a failed call is retried where that is safe: 0 to 10, 2 if absent. 0 also means that no idempotency key
   * is generated.
   */
  readonly maxRetries?: number | undefined
  /** Replaces the global `fetch`: for a proxy, a test, a log. */
  readonly fetch?: Fetch | undefined
  /** For tests: replaces the real randomness and time. */
  readonly waiting?: Partial<WaitingTools> | undefined
}

/** Options of every call: its last argument. */
export interface CallOptions {
  /** Longest time from call to complete reply, retries included, in milliseconds; if absent, that of `createMalipo`. */
  readonly timeoutMs?: number | undefined
  /** How often this call is retried where that is safe; if absent, that of `createMalipo`. */
  readonly maxRetries?: number | undefined
  /**
   * Aborts the call: it rejects with the signal's own reason, as `fetch` does. A POST may have arrived all the same.
   */
  readonly signal?: AbortSignal | undefined
}

/** The last argument of calls that start something. */
export interface PostOptions extends CallOptions {
  /**
   * Makes a retry safe: for 24 hours the same key with the same body returns the first reply again. A rejected call
   * leaves its key free, so the corrected request may use it too; a wrong one-time password does not. 1 to 255
   * printable ASCII characters; a good key is a random UUID, stored with your order before the call: then your own
   * retries are safe too, even after a crash. If absent, the client generates a key for its own retries; see
   * `MalipoError.idempotencyKey`.
   */
  readonly idempotencyKey?: string | undefined
}

/** The options of `createMalipo`, checked, with the defaults filled in. */
export interface Settings {
  readonly baseUrl: string
  readonly publicKey: string
  readonly secretKey: string | undefined
  readonly language: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly fetch: Fetch
  readonly waiting: WaitingTools
}

const TIMEOUT_MS = 30_000
const RETRIES = 2
const RETRIES_MAX = 10
/** Timers count in 32 bits: a longer one would fire at once. */
const TIMEOUT_MS_MAX = 2_147_483_647

/** @throws TypeError or RangeError that names the option: a missing key must not be sent as the text "undefined" */
export function settingsFrom(options: MalipoOptions): Settings {
  if (isBrowser()) throw new TypeError('createMalipo is for servers, not for browsers')
  return {
    baseUrl: checkedBaseUrl(options.baseUrl, options.secretKey !== undefined),
    publicKey: checkedKey('publicKey', options.publicKey),
    secretKey: options.secretKey === undefined ? undefined : checkedKey('secretKey', options.secretKey),
    language: checkedLanguage(options.language ?? 'en'),
    timeoutMs: checkedTimeout(options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: checkedRetries(options.maxRetries ?? RETRIES),
    // Looked up at each call, so that a `fetch` that is replaced later (tracing, tests) is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    waiting: { ...realWaiting, ...options.waiting },
  }
}

/**
 * A page, or a worker of one. Only pages have a `document`; Deno had a `window` too. Workers of Deno, Bun and at the
 * edge (Cloudflare) are WorkerGlobalScopes like those of browsers, but only browsers have Mozilla in their user agent,
 * and all of them do.
 */
const isBrowser = (): boolean =>
  'document' in globalThis ||
  ('WorkerGlobalScope' in globalThis && globalThis.navigator?.userAgent.startsWith('Mozilla'))

/** @throws RangeError unless it is a number of milliseconds that a timer can count */
export function checkedTimeout(timeoutMs: number): number {
  if (timeoutMs >= 1 && timeoutMs <= TIMEOUT_MS_MAX) return timeoutMs
  throw new RangeError(`timeoutMs must be between 1 and ${TIMEOUT_MS_MAX}`)
}

/** @throws RangeError unless it is a plausible whole number */
export function checkedRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= RETRIES_MAX) return maxRetries
  throw new RangeError(`maxRetries must be a whole number between 0 and ${RETRIES_MAX}`)
}

/** @throws MalipoError of kind `validation`: the rule is the contract's, but a line break would fail far from here */
export function checkedIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new MalipoError('idempotencyKey must have 1 to 255 printable ASCII characters', {
    kind: 'validation',
    retryable: false,
  })
}

/**
 * Hosts of this machine and of private networks; a name with a dot belongs there only if its last label is reserved for
 * it. Of IPv6: ::1, fc00::/7, fe80::/10.
 */
const PRIVATE_HOST =
  /^([^.:]+|\[(::1|f(c.|d.|e[89ab]).:[^.]+)\]|.+\.(localhost|local|internal|test)|(10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+)$/

function checkedBaseUrl(baseUrl: string, hasSecretKey: boolean): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new TypeError('baseUrl must be an http or https URL without user name, query or fragment')
  }
  if (hasSecretKey && url.protocol === 'http:' && !PRIVATE_HOST.test(url.hostname)) {
    throw new TypeError('baseUrl must be https here: else everybody could read the secretKey')
  }
  return url.href.replace(/\/+$/, '')
}

// The value is not repeated in the message: it would end up in a log.
function checkedKey(name: 'publicKey' | 'secretKey', key: unknown): string {
  // A public key is sent with every request, so a secret in its place would be too.
  const [other] = (name === 'publicKey' ? /^(sec|whsec)_/ : /^(pub|whsec)_/).exec(String(key)) ?? []
  if (other !== undefined) throw new TypeError(`${name} begins with ${other}: are two keys swapped?`)
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError(`${name} must be a text without spaces or line breaks; is its environment variable set?`)
}

function checkedLanguage(language: string): string {
  if (/^[\x20-\x7e]+$/.test(language)) return language
  throw new TypeError('language must be a language tag, such as en')
}

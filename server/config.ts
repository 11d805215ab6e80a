import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'

export type Mode = 'sandbox' | 'live'
export type Role = 'all' | 'api' | 'worker'

/** Everything the environment says, read once. This module is the only reader of process.env. */
export interface Config {
  readonly mode: Mode
  /** Absent: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Absent: the address the server listens on. */
  readonly publicBaseUrl: string | undefined
  readonly paymentPageBaseUrl: string | undefined
  /** Absent in sandbox mode: one is made and kept in the data folder. */
  readonly masterKey: string | undefined
  /** The one before it, for `malipo keys reseal` alone. */
  readonly formerMasterKey: string | undefined
  readonly logLevel: string
  readonly sandboxDelayMs: number
  /**
   * Requests per second of each merchant, on average over ten seconds: so many with the secret key, and as many
   * without.
   */
  readonly rateLimitPerSecond: number
  /** One-time passwords sent to an account number in 24 hours. */
  readonly otpSendsMax: number
  /** Wrong one-time passwords that are looked at for an account number in 24 hours. */
  readonly otpWrongTriesMax: number
  /** Refused keys and unknown payment pages per second of each client address, on average over ten seconds. */
  readonly rateLimitPerAddress: number
  /** Addresses and ranges of the proxies in front, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Connections to PostgreSQL of this process. */
  readonly databaseConnectionsMax: number
  /** Absent: no metrics are kept or served. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** Further names under which the sandbox's inbox and the metrics may be asked for. */
  readonly allowedHosts: readonly string[]
}

/** A setting that cannot be used, with the name of its variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** @throws ConfigError naming the variable and what it must be */
export function readConfig(env: Environment): Config {
  const mode = oneOf(env, 'MALIPO_MODE', ['sandbox', 'live'], 'sandbox')
  const masterKey = optional(env, 'MALIPO_MASTER_KEY')
  if (mode === 'live' && masterKey === undefined)
    throw new ConfigError(
      'MALIPO_MASTER_KEY is required in live mode: it encrypts signing keys and webhook secrets at rest',
    )
  if (masterKey !== undefined && masterKey.length < 32)
    throw new ConfigError(
      'MALIPO_MASTER_KEY must have at least 32 characters, for example from: openssl rand -base64 32',
    )
  return Object.freeze({
    mode,
    masterKey,
    formerMasterKey: optional(env, 'MALIPO_MASTER_KEY_OLD'),
    databaseUrl: databaseUrl(env),
    dataDir: absolute(optional(env, 'MALIPO_DATA_DIR') ?? '.malipo'),
    host: optional(env, 'HOST') ?? '127.0.0.1',
    port: integer(env, 'PORT', { default: 8080, min: 0, max: 65_535 }),
    publicBaseUrl: baseUrl(env, 'PUBLIC_BASE_URL', mode),
    paymentPageBaseUrl: baseUrl(env, 'PAYMENT_PAGE_BASE_URL', mode),
    logLevel: oneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    sandboxDelayMs: integer(env, 'MALIPO_SANDBOX_DELAY_MS', { default: 1000, min: 0, max: 600_000 }),
    rateLimitPerAddress: integer(env, 'MALIPO_RATE_LIMIT_ADDRESS', { default: 20, min: 1, max: 1_000_000 }),
    trustedProxies: addressRanges(env, 'MALIPO_TRUSTED_PROXIES'),
    rateLimitPerSecond: integer(env, 'MALIPO_RATE_LIMIT', { default: 2000, min: 1, max: 1_000_000 }),
    otpSendsMax: integer(env, 'MALIPO_OTP_SENDS_MAX', { default: 20, min: 1, max: 1_000_000 }),
    otpWrongTriesMax: integer(env, 'MALIPO_OTP_WRONG_TRIES_MAX', { default: 30, min: 1, max: 1_000_000 }),
    databaseConnectionsMax: integer(env, 'MALIPO_DATABASE_CONNECTIONS', { default: 16, min: 4, max: 1000 }),
    metricsPort:
      optional(env, 'MALIPO_METRICS_PORT') === undefined
        ? undefined
        : integer(env, 'MALIPO_METRICS_PORT', { default: 0, min: 0, max: 65_535 }),
    metricsHost: optional(env, 'MALIPO_METRICS_HOST') ?? '127.0.0.1',
    allowedHosts: hostNames(env, 'MALIPO_ALLOWED_HOSTS'),
  })
}

/**
 * What a server needs beyond what every command needs: the links that live mode gives to customers are never made up
 * from a listening address.
 * @throws ConfigError naming the variable
 */
export function checkServer({ mode, publicBaseUrl }: Config, role: Role): void {
  if (mode === 'sandbox' || role === 'worker' || publicBaseUrl !== undefined) return
  throw new ConfigError(
    'PUBLIC_BASE_URL is required in live mode: the https address at which merchants and customers reach this gateway, for example https://pay.example.com',
  )
}

/** For the command line, which reads the same environment. */
export const readProcessConfig = (): Config => readConfig(process.env)

const optional = (env: Environment, name: string): string | undefined => env[name] || undefined
const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path))

function oneOf<Value extends string>(env: Environment, name: string, values: readonly Value[], fallback: Value): Value {
  const text = optional(env, name)
  if (text === undefined) return fallback
  if (!values.includes(text as Value)) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${text}`)
  return text as Value
}

function integer(
  env: Environment,
  name: string,
  { default: fallback, min, max }: { default: number; min: number; max: number },
): number {
  const text = optional(env, name)
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max)
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${text}`)
  return Number(text)
}

/** Each an address, or a range as in 10.0.0.0/8. A name would not do: whoever answers for it could be anybody. */
function addressRanges(env: Environment, name: string): readonly string[] {
  const ranges = (optional(env, name) ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '')
  const wrong = ranges.find((range) => !isAddressRange(range))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must be addresses or ranges such as 10.0.0.0/8, with commas between them, not ${wrong}`,
    )
  return ranges
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** What every tool takes as it is, in a shell line, a JSON text or an attribute of a page. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:/[\]~_%-]+$/

/** The origin, without a slash at the end. In live mode https: keys, links to pay and one-time passwords go there. */
function baseUrl(env: Environment, name: string, mode: Mode): string | undefined {
  const text = optional(env, name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url && (url.username !== '' || url.password !== ''))
    throw new ConfigError(`${name} must not hold a user name or a password`)
  if (!url || !PLAIN_URL.test(url.href))
    throw new ConfigError(`${name} must be an http or https URL without query, not ${text}`)
  // Pages, cookies, docs and routes are all at the root of their host.
  if (/[^/]/.test(url.pathname))
    throw new ConfigError(`${name} must be a URL without path, not ${text}: give the gateway a host name of its own`)
  if (mode === 'live' && url.protocol !== 'https:')
    throw new ConfigError(`${name} must be an https URL in live mode, not ${text}`)
  return url.origin
}

function hostNames(env: Environment, name: string): readonly string[] {
  const names = (optional(env, name) ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  for (const one of names) {
    if (!/^[A-Za-z0-9._-]+$|^\[?[0-9A-Fa-f:.]+\]?$/.test(one))
      throw new ConfigError(`${name} must be host names without port, separated by commas, not ${one}`)
  }
  return names
}

function databaseUrl(env: Environment): string | undefined {
  const text = optional(env, 'DATABASE_URL')
  // The value is never repeated: it usually carries a password.
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://')
  return text
}

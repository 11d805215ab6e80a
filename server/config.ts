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
  /** Requests per second and public key, on average over ten seconds. */
  readonly rateLimitPerSecond: number
  /** Connections to PostgreSQL of this process. */
  readonly databaseConnectionsMax: number
  /** Absent: no metrics are kept or served. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
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
  if (mode === 'live' && masterKey === undefined) throw new ConfigError('MALIPO_MASTER_KEY is required in live mode: it encrypts signing keys and webhook secrets at rest')
  if (masterKey !== undefined && masterKey.length < 32) throw new ConfigError('MALIPO_MASTER_KEY must have at least 32 characters, for example from: openssl rand -base64 32')
  return Object.freeze({
    mode,
    masterKey,
    formerMasterKey: optional(env, 'MALIPO_MASTER_KEY_OLD'),
    databaseUrl: databaseUrl(env),
    dataDir: absolute(optional(env, 'MALIPO_DATA_DIR') ?? '.malipo'),
    host: optional(env, 'HOST') ?? '127.0.0.1',
    port: integer(env, 'PORT', { default: 8080, min: 0, max: 65_535 }),
    publicBaseUrl: baseUrl(env, 'PUBLIC_BASE_URL'),
    paymentPageBaseUrl: baseUrl(env, 'PAYMENT_PAGE_BASE_URL'),
    logLevel: oneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    sandboxDelayMs: integer(env, 'MALIPO_SANDBOX_DELAY_MS', { default: 1000, min: 0, max: 600_000 }),
    rateLimitPerSecond: integer(env, 'MALIPO_RATE_LIMIT', { default: 2000, min: 1, max: 1_000_000 }),
    databaseConnectionsMax: integer(env, 'MALIPO_DATABASE_CONNECTIONS', { default: 16, min: 4, max: 1000 }),
    metricsPort: optional(env, 'MALIPO_METRICS_PORT') === undefined ? undefined : integer(env, 'MALIPO_METRICS_PORT', { default: 0, min: 0, max: 65_535 }),
    metricsHost: optional(env, 'MALIPO_METRICS_HOST') ?? '127.0.0.1',
  })
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

function integer(env: Environment, name: string, { default: fallback, min, max }: { default: number; min: number; max: number }): number {
  const text = optional(env, name)
  if (text === undefined) return fallback
  if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${text}`)
  return Number(text)
}

function baseUrl(env: Environment, name: string): string | undefined {
  const text = optional(env, name)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash) throw new ConfigError(`${name} must be an http or https URL without query, not ${text}`)
  return text.replace(/\/+$/, '')
}

function databaseUrl(env: Environment): string | undefined {
  const text = optional(env, 'DATABASE_URL')
  // The value is never repeated: it usually carries a password.
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://')
  return text
}

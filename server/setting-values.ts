import { isIP } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { maskUrl } from './domain/mask-url.ts'
import { BadDatabaseUrl, databaseHosts } from './storage/database-hosts.ts'

/** An invalid setting, with the name of its variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** Parses the text of a variable. @throws ConfigError naming the variable and what it must be */
export type Parse<Value> = (text: string, name: string) => Value

/** Any text, unchanged. */
export const asGiven: Parse<string> = (text) => text

/** An absolute path: a relative one is resolved against the folder that the process was started in. */
export const folder: Parse<string> = (text) => (isAbsolute(text) ? text : resolve(text))

/** One of these words. @throws ConfigError naming them */
export const oneOf =
  <const Value extends string>(...values: readonly Value[]): Parse<Value> =>
  (text, name) => {
    const value = values.find((candidate) => candidate === text)
    if (value === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not ${text}`)
    return value
  }

/** A whole number within these limits, both included. @throws ConfigError naming them */
export const integer =
  (min: number, max: number): Parse<number> =>
  (text, name) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not ${text}`)
    return Number(text)
  }

/** The key that seals secrets. @throws ConfigError when it is shorter than 32 characters */
export const masterKey: Parse<string> = (text, name) => {
  if (text.length < 32)
    throw new ConfigError(`${name} must have at least 32 characters, for example from: openssl rand -base64 32`)
  return text
}

/** An address of PostgreSQL, also with several hosts. @throws ConfigError */
export const postgresUrl: Parse<string> = (text, name) => {
  // The value is never repeated: it usually contains a password.
  if (!/^postgres(ql)?:\/\//.test(text)) throw new ConfigError(`${name} must begin with postgres:// or postgresql://`)
  try {
    databaseHosts(text)
  } catch (error) {
    if (error instanceof BadDatabaseUrl) throw new ConfigError(`${name} ${error.message}`)
    throw error
  }
  return text
}

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/**
 * A list of addresses and ranges such as 10.0.0.0/8. Names are not accepted: whoever controls their DNS could be
 * anybody.
 */
export const addressRanges: Parse<readonly string[]> = (text, name) => {
  const ranges = listed(text)
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

/**
 * Files with their SHA-256, separated by commas: `/opt/rails/rail.mjs#sha256=9f86…`.
 * @throws ConfigError for one without a hash
 */
export const hashedFiles: Parse<readonly { readonly path: string; readonly sha256: string }[]> = (text, name) =>
  listed(text).map((file) => {
    const [, path, sha256] = /^([^#]+)#sha256=([0-9a-f]{64})$/i.exec(file) ?? []
    if (path === undefined || sha256 === undefined)
      throw new ConfigError(
        `${name} must be files with their SHA-256 and commas between them, such as /opt/rails/rail.mjs#sha256=<64 hexadecimal digits>, not ${file}`,
      )
    return { path: resolve(path), sha256: sha256.toLowerCase() }
  })

/** Host names, separated by commas. @throws ConfigError for an invalid name */
export const hostNames: Parse<readonly string[]> = (text, name) => {
  const names = listed(text)
  const wrong = names.find((one) => !/^[A-Za-z0-9._-]+$|^\[?[0-9A-Fa-f:.]+\]?$/.test(one))
  if (wrong !== undefined)
    throw new ConfigError(`${name} must be host names without port, separated by commas, not ${wrong}`)
  return names
}

/** Characters that need no escaping in a shell line, a JSON text or an HTML attribute. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:/[\]~_%-]+$/

/** The value is not repeated where it may contain a password. @throws ConfigError */
const plainUrl: Parse<URL> = (text, name) => {
  const url = URL.parse(text)
  if (url && (url.username !== '' || url.password !== ''))
    throw new ConfigError(`${name} must not hold a user name or a password`)
  if (!url || !PLAIN_URL.test(url.href))
    throw new ConfigError(`${name} must be an http or https URL without query, not ${maskUrl(text)}`)
  return url
}

/** The origin, without a trailing slash. */
export const baseUrl: Parse<string> = (text, name) => {
  const url = plainUrl(text, name)
  // Pages, cookies, docs and routes are all at the root of their host.
  if (/[^/]/.test(url.pathname))
    throw new ConfigError(
      `${name} must be a URL without path, not ${maskUrl(text)}: give the gateway a host name of its own`,
    )
  return url.origin
}

/** A fraction, as in 0.01. @throws ConfigError */
export const ratio: Parse<number> = (text, name) => {
  if (!/^(0|1|0?\.\d{1,12}|1\.0{1,12})$/.test(text))
    throw new ConfigError(`${name} must be a number from 0 to 1, not ${text}`)
  return Number(text)
}

/**
 * The telemetry endpoint, without a trailing slash. Its path is kept: collectors may be behind one.
 * @throws ConfigError
 */
export const collectorUrl: Parse<string> = (text, name) => {
  // OTEL_EXPORTER_OTLP_HEADERS is the place for a password.
  return plainUrl(text, name).href.replace(/\/+$/, '')
}

/** A port, `off`, or `next`: the one after PORT, or any free one. @throws ConfigError */
export const adminPort: Parse<number | 'next' | undefined> = (text, name) => {
  if (text === 'off') return undefined
  return text === 'next' ? text : integer(0, 65_535)(text, name)
}

/** An issuer of OpenID Connect, exactly as it calls itself; http only on this machine. @throws ConfigError */
export const issuerUrl: Parse<string> = (text, name) => {
  const url = URL.parse(text)
  const isLoopback = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  if (!url || !PLAIN_URL.test(url.href) || (url.protocol === 'http:' && !isLoopback))
    throw new ConfigError(`${name} must be an https URL without query, not ${maskUrl(text)}`)
  return text
}

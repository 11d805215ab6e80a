import { createHash, createPublicKey } from 'node:crypto'
import type { WireHeaders } from '../proxy.ts'
import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'

export const NEWEST = '/.well-known/malipo-rsa.pem'
const BY_ID = /^\/\.well-known\/malipo-rsa\/([^/]+)\.pem$/
/** Minimum key length today (decisions: 2048 bits by default). */
const BITS_MIN = 2048
/** "Ask again after an hour". */
const CACHED_SECONDS_MAX = 3_600
/** PEM is text; these headers cannot make a browser show or run it. */
const OF_KEYS = /^(?:application\/(?:x-pem-file|pem-certificate-chain|octet-stream)|text\/plain)\b/i
const ONE_KEY = /^-----BEGIN PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END PUBLIC KEY-----\r?\n?$/

/** The public keys are valid, and an id belongs to its key (page "Verifying callbacks"). */
export const rsaKeyJudge: Judge = ({ exchange: { request, reply }, direction, path }) => {
  const named = BY_ID.exec(path)?.[1]
  if (direction === 'received' || request.method !== 'GET' || reply.status !== 200) return []
  if (path !== NEWEST && named === undefined) return []
  const read = rsaKeyIn(reply.body.toString('latin1'))
  if (typeof read === 'string')
    return faultIf(true, `rsa key ${read}`, `${path === NEWEST ? NEWEST : 'the RSA key of an id'} ${read}`)
  const said = onlyHeader(reply.headers, 'rsa-key-id')
  const what = path === NEWEST ? NEWEST : 'the RSA key of an id'
  const kept = cachedSeconds(reply.headers, path !== NEWEST)
  const type = onlyHeader(reply.headers, 'content-type')
  return [
    ...faultIf(
      kept > CACHED_SECONDS_MAX,
      `rsa key cached ${path === NEWEST}`,
      `${what} may be cached for ${kept === Infinity ? 'ever' : `${kept} s`} (Cache-Control: ${onlyHeader(reply.headers, 'cache-control') ?? 'none'}); a key may be withdrawn, so it must be fetched again after an hour`,
    ),
    ...faultIf(
      type === undefined || !OF_KEYS.test(type),
      'rsa key type',
      `${what} has the content-type ${type ?? 'of nothing'}, which is none of a PEM`,
    ),
    ...faultIf(
      named !== undefined && named !== read.id,
      'rsa key of another id',
      'the RSA key of an id is one of another id',
    ),
    ...faultIf(
      said !== read.id && (path === NEWEST || said !== undefined),
      'rsa-key-id',
      `the header rsa-key-id of ${path === NEWEST ? NEWEST : 'an RSA key'} is not the id of the key that it serves`,
    ),
  ]
}

/**
 * How long a cache may serve it without revalidation (RFC 9111, section 4.2.1).
 * @param mustSay whether a cache depends on `Cache-Control`, and keeps the key for ever without it
 */
function cachedSeconds(headers: WireHeaders, mustSay: boolean): number {
  const text = headers['cache-control']?.join(', ').toLowerCase()
  if (text === undefined) return mustSay ? Infinity : 0
  if (/\b(?:no-store|no-cache)\b/.test(text)) return 0
  const ages = [...text.matchAll(/\b(?:s-maxage|max-age|stale-[a-z-]+)="?(\d+)/g)].map(([, seconds]) => Number(seconds))
  return /\bimmutable\b/.test(text) || ages.length === 0 ? Infinity : Math.max(...ages)
}

/** The id of a PEM: the first 16 hexadecimal digits of the SHA-256 of the DER key. Otherwise what is wrong with it. */
export function rsaKeyIn(pem: string): { readonly id: string } | string {
  if (!ONE_KEY.test(pem)) return 'is no PEM of one public key'
  try {
    const key = createPublicKey(pem)
    const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {}
    if (key.asymmetricKeyType !== 'rsa' || publicExponent !== 65_537n) return 'is no usual RSA key'
    if (modulusLength < BITS_MIN) return `has ${modulusLength} bits, fewer than ${BITS_MIN}`
    return {
      id: createHash('sha256')
        .update(key.export({ type: 'spki', format: 'der' }))
        .digest('hex')
        .slice(0, 16),
    }
  } catch {
    return 'cannot be read as a key'
  }
}

import { faultIf, onlyHeader, type Judge } from './observed-exchange.ts'
import { cachedSeconds } from './rsa-keys/cached-seconds.ts'
import { KEY_BY_ID, NEWEST, rsaKeyIn } from './rsa-keys/pem.ts'
import type { Rule } from './rule.ts'

/** "Ask again after an hour". */
const CACHED_SECONDS_MAX = 3_600
/** PEM is text; these headers cannot make a browser show or run it. */
const OF_KEYS = /^(?:application\/(?:x-pem-file|pem-certificate-chain|octet-stream)|text\/plain)\b/i

/** The public keys are valid, and an id belongs to its key (page "Verifying callbacks"). */
const rsaKeyJudge: Judge = ({ exchange: { request, reply }, direction, path }) => {
  const named = KEY_BY_ID.exec(path)?.[1]
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

export const rsaKeysRule: Rule = {
  name: 'RSA keys',
  reason: 'A merchant verifies with the keys that are served: each is valid, and belongs to its id.',
  plantedFault: 'key-by-id-is-another',
  judging: () => ({ each: rsaKeyJudge }),
}

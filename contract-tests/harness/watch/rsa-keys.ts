import { createHash, createPublicKey } from 'node:crypto'
import { faultIf, onlyHeader, type Judge } from './seen.ts'

export const NEWEST = '/.well-known/malipo-rsa.pem'
const BY_ID = /^\/\.well-known\/malipo-rsa\/([^/]+)\.pem$/
/** As short as a key may be today (decisions: 2048 bits by default). */
const BITS_MIN = 2048
const ONE_KEY = /^-----BEGIN PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END PUBLIC KEY-----\r?\n?$/

/** The public keys are keys, and an id is that of its key (page "Verifying callbacks"). */
export const rsaKeyJudge: Judge = ({ exchange: { request, reply }, direction, path }) => {
  const named = BY_ID.exec(path)?.[1]
  if (direction === 'received' || request.method !== 'GET' || reply.status !== 200) return []
  if (path !== NEWEST && named === undefined) return []
  const read = rsaKeyIn(reply.body.toString('latin1'))
  if (typeof read === 'string')
    return faultIf(true, `rsa key ${read}`, `${path === NEWEST ? NEWEST : 'the RSA key of an id'} ${read}`)
  const said = onlyHeader(reply.headers, 'rsa-key-id')
  return [
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

/** The id of a PEM: the first 16 hexadecimal digits of the SHA-256 of the key in DER. Else what is wrong with it. */
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

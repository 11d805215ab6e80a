import { createHash, createPublicKey } from 'node:crypto'

export const NEWEST = '/.well-known/malipo-rsa.pem'
export const KEY_BY_ID = /^\/\.well-known\/malipo-rsa\/([^/]+)\.pem$/
/** Minimum key length today (decisions: 2048 bits by default). */
const BITS_MIN = 2048
const ONE_KEY = /^-----BEGIN PUBLIC KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END PUBLIC KEY-----\r?\n?$/

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

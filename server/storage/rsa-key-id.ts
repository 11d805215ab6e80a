import { createHash, createPublicKey } from 'node:crypto'

/** How long an id is: 64 bits tell a gateway's keys apart, and are short enough for a header and a URL. */
const RSA_KEY_ID_DIGITS = 16
export const RSA_KEY_ID = /^[0-9a-f]{16}$/

/**
 * What receivers know an RSA key by: the beginning of the SHA-256 of its public half (SubjectPublicKeyInfo in DER, RFC
 * 5280). Unlike the number of a row it is the same in every copy of the database, can be computed by whoever holds the
 * key, and cannot be guessed before the key exists, so no cache on the way can be made to remember that there is no
 * such key.
 */
export const rsaKeyId = (publicPem: string): string =>
  createHash('sha256')
    .update(createPublicKey(publicPem).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, RSA_KEY_ID_DIGITS)

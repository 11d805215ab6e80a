import { createHash, createPublicKey } from 'node:crypto'

/** Length of an id: 64 bits distinguish the keys of a gateway, and are short enough for a header and a URL. */
const RSA_KEY_ID_DIGITS = 16
export const RSA_KEY_ID = /^[0-9a-f]{16}$/

/**
 * The id by which receivers know an RSA key: the beginning of the SHA-256 of its public half (SubjectPublicKeyInfo in
 * DER, RFC 5280). Unlike a row number, it is the same in every copy of the database, and can be computed by whoever
 * holds the key. It cannot be guessed before the key exists, so nobody can make a cache on the way store a "no such
 * key" for it.
 */
export const rsaKeyId = (publicPem: string): string =>
  createHash('sha256')
    .update(createPublicKey(publicPem).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, RSA_KEY_ID_DIGITS)

import { constants, publicEncrypt, type KeyObject } from 'node:crypto'

/** PKCS#1 v1.5 (RFC 8017, section 7.2.1) uses this many bytes of the key's length for padding. */
const PADDING_BYTES = 11

/** @returns what is wrong with a password that is too long for the key; undefined when it fits */
export function credentialFault(password: string, { asymmetricKeyDetails }: KeyObject): string | undefined {
  const bytesMax = (asymmetricKeyDetails?.modulusLength ?? 0) / 8 - PADDING_BYTES
  return Buffer.byteLength(password) <= bytesMax
    ? undefined
    : `must have at most ${bytesMax} bytes for this certificate`
}

/**
 * Encrypts the initiator's password for Safaricom: with the public key of its certificate, in base64. The padding is
 * random, so each result differs.
 * @throws Error when the password is too long for the key
 */
export const securityCredential = (password: string, key: KeyObject): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(password)).toString('base64')

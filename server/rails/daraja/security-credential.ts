import { constants, publicEncrypt, type KeyObject } from 'node:crypto'

/** PKCS#1 v1.5 (RFC 8017, section 7.2.1) spends so many bytes of the key's length. */
const PADDING_BYTES = 11

/** @returns what is wrong with a password that does not fit into the key; undefined when it fits */
export function credentialFault(password: string, { asymmetricKeyDetails }: KeyObject): string | undefined {
  const bytesMax = (asymmetricKeyDetails?.modulusLength ?? 0) / 8 - PADDING_BYTES
  return Buffer.byteLength(password) <= bytesMax
    ? undefined
    : `must have at most ${bytesMax} bytes for this certificate`
}

/**
 * The initiator's password as Safaricom takes it: encrypted with the key of its certificate, in base64. The padding is
 * random, so that no two are alike. @throws Error when the password is too long for the key
 */
export const securityCredential = (password: string, key: KeyObject): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(password)).toString('base64')

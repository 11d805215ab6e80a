import { constants, createCipheriv, createPublicKey, publicEncrypt, type KeyObject } from 'node:crypto'
import type { RailWorld } from '../rail-kind.ts'

/** Keys are handed out as PEM, as SPKI in base64, or as base64 of either. @returns undefined for anything else */
export function publicKeyIn(text: string): KeyObject | undefined {
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return [text, decoded].map(keyOf).find((key) => key?.asymmetricKeyType === 'rsa')
}

function keyOf(text: string): KeyObject | undefined {
  try {
    return text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

export type PinPadding = 'pkcs1' | 'oaep'

/** The PIN of the wallet as a payout carries it. */
export function encryptedPin(pin: string, key: KeyObject, padding: PinPadding): string {
  const how =
    padding === 'oaep'
      ? { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
      : { key, padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt(how, Buffer.from(pin)).toString('base64')
}

/** The headers that sign a body: the bytes that are sent have to be exactly these. */
export interface SignatureHeaders {
  readonly 'x-signature': string
  readonly 'x-key': string
}

/**
 * AES-256-CBC over the bytes of the body, with a key and an IV of its own, which RSA encrypts (PKCS#1 v1.5: OAEP with
 * SHA-256 has no room for them in 1024 bits).
 */
export function signatureOf(body: string, key: KeyObject, random: RailWorld['random']): SignatureHeaders {
  const [secret, iv] = [Buffer.from(random.bytes(32)), Buffer.from(random.bytes(16))]
  const cipher = createCipheriv('aes-256-cbc', secret, iv)
  const parts = Buffer.from(`${secret.toString('base64')}:${iv.toString('base64')}`)
  return {
    'x-signature': Buffer.concat([cipher.update(body), cipher.final()]).toString('base64'),
    'x-key': publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, parts).toString('base64'),
  }
}

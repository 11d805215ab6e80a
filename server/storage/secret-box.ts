import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import type { Random } from '../domain/references.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4

/** Seals secrets that must be used again (signing keys, webhook secrets, the RSA private key) for the database. */
export interface SecretBox {
  seal(secret: string): Buffer
  /** @throws Error when it was sealed with another master key, or altered */
  open(sealed: Uint8Array): string
  /** Keyed digest (HMAC-SHA256) of what need only be recognised again; `purpose` keeps digests of different things apart. */
  mac(purpose: string, text: string): Buffer
}

/**
 * AES-256-GCM under a key derived from MALIPO_MASTER_KEY. A sealed text is: id of the key (4 bytes), nonce (12), tag (16), ciphertext;
 * the id tells a wrong master key from a damaged row.
 */
export function createSecretBox(masterKey: string, random: Random): SecretBox {
  const key = createHash('sha256').update('malipo secret box\0').update(masterKey).digest()
  const macKey = createHash('sha256').update('malipo mac\0').update(masterKey).digest()
  const keyId = createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)
  return {
    mac: (purpose, text) => createHmac('sha256', macKey).update(`${purpose}\0${text}`).digest(),
    seal(secret) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([keyId, nonce, cipher.getAuthTag(), text])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed)
      if (!bytes.subarray(0, KEY_ID_BYTES).equals(keyId)) throw new Error('MALIPO_MASTER_KEY is not the key that this database was written with')
      const nonce = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES)
      const tag = bytes.subarray(KEY_ID_BYTES + NONCE_BYTES, KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}

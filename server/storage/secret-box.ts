import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../domain/references.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4
/** The first byte of a sealed text. */
const VERSION = 2

/** What a secret is for: each purpose has its own key. */
type SecretPurpose =
  | 'signing_key'
  | 'webhook_secret'
  | 'rsa_private_key'
  | 'digest_key'
  | 'rail_settings'
  | 'callback_keys'
  | 'rail_callback'
  | 'approval_input'
  | 'rail_token'
  | 'account_holder'

/** What a sealed secret is bound to. It opens nowhere else, not even in another row of the same table. */
export interface SealedFor {
  readonly purpose: SecretPurpose
  /** For example the merchant. */
  readonly owner: string
}

/** Seals secrets that must be recoverable (signing keys, webhook secrets, the RSA private key) for the database. */
export interface SecretBox {
  seal(secret: string, place: SealedFor): Buffer
  /** @throws WrongMasterKey; Error when it was sealed for another purpose or owner, or altered */
  open(sealed: Uint8Array, place: SealedFor): string
  /** Whether it was sealed with this master key, so that no resealing is needed. It may still belong elsewhere. */
  isCurrent(sealed: Uint8Array): boolean
}

/** The value was sealed with another master key. */
export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey'

  constructor() {
    super('MALIPO_MASTER_KEY is not the key that this database was written with')
  }
}

/**
 * AES-256-GCM under keys derived from MALIPO_MASTER_KEY by HKDF-SHA256 (RFC 5869), one for each purpose; purpose and
 * owner are authenticated as additional data. A sealed text is: version (1 byte), id of the master key (4), nonce
 * (12), tag (16), ciphertext. The id distinguishes a wrong master key from a damaged row.
 *
 * HKDF, not scrypt: the master key comes from `openssl rand`, and scrypt would cost each command and each start 80 ms.
 */
export function createSecretBox(masterKey: string, random: Random): SecretBox {
  const derive = (label: string, bytes: number) => Buffer.from(hkdfSync('sha256', masterKey, 'malipo', label, bytes))
  const keys = new Map<SecretPurpose, Buffer>()
  const keyFor = (purpose: SecretPurpose): Buffer => {
    const key = keys.get(purpose) ?? derive(`seal ${purpose}`, KEY_BYTES)
    keys.set(purpose, key)
    return key
  }
  const header = Buffer.concat([Buffer.of(VERSION), derive('id', KEY_ID_BYTES)])
  const isCurrent = (sealed: Uint8Array) => header.equals(Buffer.from(sealed).subarray(0, header.length))
  return {
    isCurrent,
    seal(secret, place) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(place.purpose), nonce).setAAD(boundTo(header, place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed)
      if (!isCurrent(bytes)) throw new WrongMasterKey()
      return decrypt(keyFor(place.purpose), bytes.subarray(header.length), place, boundTo(header, place))
    },
  }
}

/** Encoded as JSON, so that no two purpose and owner pairs have the same bytes. */
const boundTo = (header: Buffer, { purpose, owner }: SealedFor): Buffer =>
  Buffer.concat([header, Buffer.from(JSON.stringify([purpose, owner]))])

function decrypt(key: Buffer, sealed: Buffer, { purpose, owner }: SealedFor, bound: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(bound)
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error(`the sealed ${purpose} of ${owner} was sealed for something else, or altered in the database`, {
      cause,
    })
  }
}

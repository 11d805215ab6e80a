import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import type { Random } from '../domain/references.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4
/** The first byte of a sealed text. The older format had no version byte: it began with the id of its key. */
const VERSION = 2

/** What a secret is for: each purpose has its own key. */
export type SecretPurpose =
  | 'signing_key'
  | 'webhook_secret'
  | 'rsa_private_key'
  | 'digest_key'
  | 'rail_settings'
  | 'callback_keys'
  | 'rail_callback'

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
  /**
   * Whether this version sealed it with this master key, so that no resealing is needed. It may still belong
   * elsewhere.
   */
  isCurrent(sealed: Uint8Array): boolean
  /** The prefix of every current sealed text. */
  readonly currentHeader: Buffer
  /** The key of digests before they had a key of their own (`openDigests`): older databases keep it. */
  readonly formerDigestKey: Buffer
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
 * A slow derivation would protect a passphrase invented by a person only if it applied to everything that the database
 * stores under the key, and it would not apply to what older versions wrote.
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
  const former = formerBox(masterKey)
  return {
    isCurrent,
    currentHeader: header,
    formerDigestKey: former.digestKey,
    seal(secret, place) {
      const nonce = random.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(place.purpose), nonce).setAAD(boundTo(header, place))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed)
      if (isCurrent(bytes))
        return decrypt(keyFor(place.purpose), bytes.subarray(header.length), place, boundTo(header, place))
      if (former.sealed(bytes)) return decrypt(former.key, bytes.subarray(KEY_ID_BYTES), place)
      throw new WrongMasterKey()
    },
  }
}

/** Encoded as JSON, so that no two purpose and owner pairs have the same bytes. */
const boundTo = (header: Buffer, { purpose, owner }: SealedFor): Buffer =>
  Buffer.concat([header, Buffer.from(JSON.stringify([purpose, owner]))])

/**
 * The format before version 2: one key for everything, the digest of a label and the master key, without binding to a
 * purpose and owner.
 */
function formerBox(masterKey: string) {
  const labelled = (label: string) => createHash('sha256').update(`${label}\0`).update(masterKey).digest()
  const key = labelled('malipo secret box')
  const keyId = createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES)
  return {
    key,
    digestKey: labelled('malipo mac'),
    sealed: (bytes: Buffer) => keyId.equals(bytes.subarray(0, KEY_ID_BYTES)),
  }
}

function decrypt(key: Buffer, sealed: Buffer, { purpose, owner }: SealedFor, bound?: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    if (bound) decipher.setAAD(bound)
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error(`the sealed ${purpose} of ${owner} was sealed for something else, or altered in the database`, {
      cause,
    })
  }
}

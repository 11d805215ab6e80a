import { present } from '../../domain/present.ts'
import type { Random } from '../../domain/references.ts'
import { newMerchantKeys, newRsaKey, secretKeyDigest } from './merchants.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import { rsaKeyId } from '../../storage/rsa-key-id.ts'
import { merchantSecret, rsaPrivateKey } from '../../storage/sealed-places.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { rowsOf } from './rows.ts'

export const KEY_KINDS = ['secret_key', 'signing_key', 'webhook_secret'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** The public view of a key: never the key itself. */
export interface KeyView {
  readonly id: bigint
  readonly kind: KeyKind
  readonly created_at: Date
  /** Time from which it is no longer valid; null until it is rotated. */
  readonly expires_at: Date | null
}

/** Grouped by kind, the newest first. */
export const listKeys = (pool: Pool, merchantId: bigint): Promise<KeyView[]> =>
  rowsOf<KeyView>(
    pool,
    'select id, kind, created_at, expires_at from merchant_keys where merchant_id = $1 order by kind, id desc',
    [merchantId],
  )

interface Rotation {
  readonly merchantId: bigint
  readonly kind: KeyKind
  /** How long the replaced key stays valid. */
  readonly keepOldMs: number
}

export interface KeyRotation {
  readonly created: KeyView
  /** In plain text, this once. */
  readonly secret: string
  /** The keys that were valid before, and until when they still are. */
  readonly replaced: readonly ReplacedKey[]
}

export interface ReplacedKey extends KeyView {
  readonly expires_at: Date
}

/**
 * Creates a new key. Of secret keys and webhook secrets at most two are valid then: the new one, and the previous one
 * for a while. Every signing key stays until its own expiry, because the oldest valid one signs: if one ended early, a
 * key that receivers do not expect yet would start to sign.
 */
export function rotateKey(
  pool: AuditedPool,
  box: SecretBox,
  random: Random,
  { merchantId, kind, keepOldMs }: Rotation,
  now: Date,
): Promise<KeyRotation> {
  const keys = newMerchantKeys(random)
  const secret = { secret_key: keys.secretKey, signing_key: keys.signingKey, webhook_secret: keys.webhookSecret }[kind]
  return inTransaction(pool, async (client) => {
    // Two concurrent rotations of one merchant would each leave a key of their own.
    await client.query('select from merchants where id = $1 for update', [merchantId])
    const replaced = await expireOld(client, merchantId, kind, now, new Date(now.getTime() + keepOldMs))
    const { rows } = await client.query<KeyView>(
      `insert into merchant_keys (merchant_id, kind, digest, sealed, created_at) values ($1, $2, $3, $4, $5)
       returning id, kind, created_at, expires_at`,
      [
        merchantId,
        kind,
        kind === 'secret_key' ? secretKeyDigest(secret) : null,
        kind === 'secret_key' ? null : box.seal(secret, merchantSecret(kind, merchantId)),
        now,
      ],
    )
    return { created: present(rows[0], 'the new key'), secret, replaced }
  })
}

/**
 * The newest valid key stays until `keepUntil`, or until its own earlier expiry. The older ones expire now, except
 * that signing keys expire like the newest one.
 */
async function expireOld(
  client: Queryable,
  merchantId: bigint,
  kind: KeyKind,
  now: Date,
  keepUntil: Date,
): Promise<ReplacedKey[]> {
  const { rows } = await client.query<ReplacedKey>(
    `with valid as (
       select id, row_number() over (order by id desc) = 1 as newest from merchant_keys
         where merchant_id = $1 and kind = $2 and (expires_at is null or expires_at > $3)
     )
     update merchant_keys k set expires_at = case when v.newest or k.kind = 'signing_key' then least(k.expires_at, $4)
       else $3 end
     from valid v where k.id = v.id returning k.id, k.kind, k.created_at, k.expires_at`,
    [merchantId, kind, now, keepUntil],
  )
  return rows.sort((a, b) => Number(b.id - a.id))
}

export interface RsaKeyView {
  /** The id that merchants see: `rsa-key-id`. */
  readonly id: string
  readonly public_pem: string
  readonly created_at: Date
  /** No longer served since then; null while something that it signed may need checking. */
  readonly withdrawn_at: Date | null
}

type RsaKeyRow = Omit<RsaKeyView, 'id'>
const withId = (row: RsaKeyRow): RsaKeyView => ({ id: rsaKeyId(row.public_pem), ...row })

/** The current signing key first, then the previous ones. */
export const listRsaKeys = async (pool: Pool): Promise<RsaKeyView[]> => {
  const rows = await rowsOf<RsaKeyRow>(
    pool,
    'select public_pem, created_at, withdrawn_at from rsa_keys order by id desc',
  )
  return rows.map(withId)
}

/**
 * Creates a new RSA key, which signs from now on. Earlier public keys stay until they are withdrawn, because their
 * signatures must still be verifiable.
 */
export async function rotateRsaKey(pool: AuditedPool, box: SecretBox, now: Date): Promise<RsaKeyView> {
  const { publicKey, privateKey } = await newRsaKey()
  return available(async () => {
    const { rows } = await pool.query<RsaKeyRow>(
      `insert into rsa_keys (public_pem, sealed_private_pem, created_at) values ($1, $2, $3)
       returning public_pem, created_at, withdrawn_at`,
      [publicKey, box.seal(privateKey, rsaPrivateKey(publicKey)), now],
    )
    return withId(present(rows[0], 'the new RSA key'))
  })
}

import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { AccountKind } from '../../domain/ledger.ts'
import { present } from '../../domain/present.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { Random } from '../../domain/references.ts'
import { openAccounts } from '../../storage/ledger.ts'
import type { MerchantFields } from '../../storage/merchant-row.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import type { Row } from '../../storage/rows.ts'
import { merchantSecret, rsaPrivateKey } from '../../storage/sealed-places.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { firstRowOf, rowsOf } from './rows.ts'

export interface MerchantSettings {
  readonly name?: string
  readonly collectionCallbackUrl?: string
  readonly payoutCallbackUrl?: string
  readonly refundCallbackUrl?: string
  readonly verificationUrl?: string
  readonly refundsByPayout?: boolean
  readonly pageRetries?: boolean
  readonly batchHandshake?: boolean
  /** In the form that `parseRedirectHosts` returns; an empty list allows any host. */
  readonly redirectHosts?: readonly string[]
}

export interface MerchantKeys {
  readonly publicKey: string
  readonly secretKey: string
  readonly signingKey: string
  readonly webhookSecret: string
}

interface NewMerchant extends MerchantSettings {
  readonly name: string
  readonly keys: MerchantKeys
  readonly sandboxOnly: boolean
}

/** What staff see of a merchant: no secret of any kind. */
export interface MerchantView extends Row<MerchantFields> {
  readonly sandbox_only: boolean
  readonly created_at: Date
  readonly options: readonly { readonly provider_code: string; readonly transaction_type: TransactionType }[]
  readonly keys: readonly { readonly kind: string; readonly created_at: string; readonly expires_at: string | null }[]
}

/** SHA-256: the only stored form of a secret key, which is long and random. */
export const secretKeyDigest = (secretKey: string): Buffer => createHash('sha256').update(secretKey).digest()

/**
 * New credentials of at least 160 bits each, except the signing key. That has 20 capital letters and digits, as
 * merchants' tools expect it: 103 bits.
 */
export function newMerchantKeys(random: Random): MerchantKeys {
  const text = (length: number, alphabet: string) => {
    let out = ''
    while (out.length < length)
      for (const byte of random.bytes(length))
        if (byte < 256 - (256 % alphabet.length) && out.length < length) out += alphabet[byte % alphabet.length]
    return out
  }
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return {
    publicKey: `pub_${text(32, letters)}`,
    secretKey: `sec_${text(48, letters)}`,
    signingKey: text(20, letters.toUpperCase()),
    webhookSecret: `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`,
  }
}

/**
 * Creates a merchant with its keys, all existing payment options, and an empty pair of wallets per currency.
 * @returns its id
 */
export function createMerchant(pool: AuditedPool, box: SecretBox, merchant: NewMerchant, now: Date): Promise<bigint> {
  return inTransaction(pool, (client) => insertMerchant(client, box, merchant, now))
}

/** Adds a merchant with its keys. @returns its id */
export async function insertMerchant(
  client: Queryable,
  box: SecretBox,
  merchant: NewMerchant,
  now: Date,
): Promise<bigint> {
  const { rows } = await client.query<{ id: bigint }>(
    `insert into merchants (public_key, name, collection_callback_url, payout_callback_url, verification_url,
       redirect_hosts, sandbox_only, created_at, refund_callback_url, refunds_by_payout, page_retries,
       batch_handshake)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [
      merchant.keys.publicKey,
      merchant.name,
      merchant.collectionCallbackUrl,
      merchant.payoutCallbackUrl,
      merchant.verificationUrl,
      hostsOrAny(merchant.redirectHosts),
      merchant.sandboxOnly,
      now,
      merchant.refundCallbackUrl,
      merchant.refundsByPayout ?? false,
      merchant.pageRetries ?? false,
      merchant.batchHandshake ?? false,
    ],
  )
  const { id } = present(rows[0], 'the new merchant')
  await client.query(
    `insert into merchant_keys (merchant_id, kind, digest, sealed, created_at)
     values ($1, 'secret_key', $2, null, $5), ($1, 'signing_key', null, $3, $5), ($1, 'webhook_secret', null, $4, $5)`,
    [
      id,
      secretKeyDigest(merchant.keys.secretKey),
      box.seal(merchant.keys.signingKey, merchantSecret('signing_key', id)),
      box.seal(merchant.keys.webhookSecret, merchantSecret('webhook_secret', id)),
      now,
    ],
  )
  await enableAllOptions(client, id)
  return id
}

const WALLET_ACCOUNTS: readonly AccountKind[] = [
  'collection_available',
  'collection_uncleared',
  'collection_reserve',
  'collection_held',
  'payout_available',
  'payout_uncleared',
  'payout_reserve',
  'payout_held',
]

/** Enables every payment option and opens the wallets of their currencies; existing ones do not change. */
async function enableAllOptions(client: Queryable, merchantId: bigint): Promise<void> {
  await client.query(
    `insert into merchant_options (merchant_id, provider_code, transaction_type)
     select $1, provider_code, transaction_type from payment_options on conflict do nothing`,
    [merchantId],
  )
  const { rows } = await client.query<{ currency: string }>('select distinct currency from providers order by 1')
  await openAccounts(
    client,
    rows.flatMap(({ currency }) =>
      WALLET_ACCOUNTS.map((kind) => ({ kind, currency, merchantId, providerCode: undefined })),
    ),
  )
}

const MERCHANT_VIEW = `
  select m.*,
    coalesce((select json_agg(json_build_object('provider_code', provider_code, 'transaction_type', transaction_type)
      order by provider_code, transaction_type)
      from merchant_options where merchant_id = m.id), '[]') as options,
    coalesce((select json_agg(json_build_object('kind', kind, 'created_at', created_at, 'expires_at', expires_at)
      order by id)
      from merchant_keys where merchant_id = m.id), '[]') as keys
  from merchants m`

const PAGE_ROWS = 1_000

/**
 * All merchants in the order of their creation. Reads them page by page, so each is as it was when its page was read.
 */
export async function* eachMerchant(pool: Pool): AsyncGenerator<MerchantView> {
  const after = (id: bigint): Promise<MerchantView[]> =>
    rowsOf<MerchantView>(pool, `${MERCHANT_VIEW} where m.id > $1 order by m.id limit ${PAGE_ROWS}`, [id])
  for (let page = await after(0n); page.length > 0; page = await after(page.at(-1)?.id ?? 0n)) yield* page
}

/** The first merchants in the order of their creation. */
export const firstMerchants = (
  pool: Pool,
  max: number,
): Promise<readonly { readonly id: bigint; readonly name: string }[]> =>
  rowsOf<{ id: bigint; name: string }>(pool, 'select id, name from merchants order by id limit $1', [max])

interface MerchantSearch {
  /** A part of the name, a public key or an id. */
  readonly text: string | undefined
  readonly after: bigint | undefined
  readonly limit: number
  /** Whether merchants of the sandbox are shown. */
  readonly sandbox: boolean
}

/** The merchants that a text finds, the newest first. */
export const findMerchants = (pool: Pool, { text, after, limit, sandbox }: MerchantSearch): Promise<MerchantView[]> =>
  rowsOf<MerchantView>(
    pool,
    `${MERCHANT_VIEW} where ($1::bigint is null or m.id < $1) and ($2 or not m.sandbox_only) and ($3::text is null
             or position(lower($3) in lower(m.name)) > 0 or m.public_key = $3 or m.id::text = $3)
           order by m.id desc limit $4`,
    [after, sandbox, text, limit],
  )

/** Finds a merchant by public key or id. */
export const findMerchant = (pool: Pool, name: string): Promise<MerchantView | undefined> =>
  firstRowOf<MerchantView>(pool, `${MERCHANT_VIEW} where m.public_key = $1 or m.id::text = $1`, [name])

const hostsOrAny = (hosts: readonly string[] = []) => (hosts.length > 0 ? hosts : null)

/** Changes the given settings; an empty text removes a URL, an empty list of hosts allows any. */
export async function updateMerchant(pool: AuditedPool, id: bigint, settings: MerchantSettings): Promise<void> {
  const url = (value: string | undefined) => [value !== undefined, value === '' ? null : value]
  await available(() =>
    pool.query(
      `update merchants set name = coalesce($2, name),
       collection_callback_url = case when $3::boolean then $4 else collection_callback_url end,
       payout_callback_url = case when $5::boolean then $6 else payout_callback_url end,
       verification_url = case when $7::boolean then $8 else verification_url end,
       redirect_hosts = case when $9::boolean then $10::text[] else redirect_hosts end,
       refund_callback_url = case when $11::boolean then $12 else refund_callback_url end,
       refunds_by_payout = coalesce($13, refunds_by_payout), page_retries = coalesce($14, page_retries),
       batch_handshake = coalesce($15, batch_handshake)
     where id = $1`,
      [
        id,
        settings.name,
        ...url(settings.collectionCallbackUrl),
        ...url(settings.payoutCallbackUrl),
        ...url(settings.verificationUrl),
        settings.redirectHosts !== undefined,
        hostsOrAny(settings.redirectHosts),
        ...url(settings.refundCallbackUrl),
        settings.refundsByPayout,
        settings.pageRetries,
        settings.batchHandshake,
      ],
    ),
  )
}

/**
 * Suspends a merchant, or ends that; nothing changes if it is so already. Payouts that waited are due at once: one that
 * a worker reschedules at this moment follows a minute later.
 */
export const setSuspended = (pool: AuditedPool, id: bigint, isSuspended: boolean, now: Date): Promise<void> =>
  available(async () => {
    await pool.query(
      isSuspended
        ? 'update merchants set suspended_at = $2 where id = $1 and suspended_at is null'
        : 'update merchants set suspended_at = null, resumed_at = $2 where id = $1 and suspended_at is not null',
      [id, now],
    )
    if (isSuspended) return
    await pool.query(
      `update jobs w set due_at = $2 from transactions t
       where w.kind in ('submitToRail', 'submitRefund') and w.due_at > $2 and w.token is null
         and t.id = w.subject_id and t.merchant_id = $1 and t.type <> 'COLLECTION' and t.status = 'PENDING'`,
      [id, now],
    )
  })

/** Allows or forbids a merchant to use an option of a provider. */
export const setOptionEnabled = (
  pool: AuditedPool,
  merchantId: bigint,
  providerCode: string,
  type: TransactionType,
  enabled: boolean,
): Promise<void> =>
  available(async () => {
    await pool.query(
      enabled
        ? `insert into merchant_options (merchant_id, provider_code, transaction_type)
         values ($1, $2, $3) on conflict do nothing`
        : 'delete from merchant_options where merchant_id = $1 and provider_code = $2 and transaction_type = $3',
      [merchantId, providerCode, type],
    )
  })

/** Creates the gateway's RSA key at the first start. Two processes that start at the same time get the same key. */
export async function ensureRsaKey(pool: Pool, box: SecretBox, now: Date): Promise<void> {
  const { rowCount } = await pool.query('select from rsa_keys limit 1')
  if (rowCount) return
  const { publicKey, privateKey } = await newRsaKey()
  await inTransaction(pool, async (client) => {
    await client.query('lock table rsa_keys in exclusive mode')
    await client.query(
      `insert into rsa_keys (public_pem, sealed_private_pem, created_at) select $1, $2, $3
       where not exists (select from rsa_keys)`,
      [publicKey, box.seal(privateKey, rsaPrivateKey(publicKey)), now],
    )
  })
}

/** 2048 bits, as PEM. */
export const newRsaKey = (): Promise<{ publicKey: string; privateKey: string }> =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

import type { Clock } from '../actions/ports/clock.ts'
import type { ReferenceData, RsaSigningKey } from '../actions/ports/reference-data.ts'
import type { ExchangeRate } from '../domain/exchange.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import { present } from '../domain/present.ts'
import type { Bank, PaymentOption, TransactionMethod, TransactionType } from '../domain/provider.ts'
import { available, type Pool } from './pool.ts'
import { RSA_KEY_ID, rsaKeyId } from './rsa-key-id.ts'
import { merchantSecret, rsaPrivateKey } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'
import { sharedRun } from './shared-run.ts'

interface Snapshot {
  readonly version: bigint
  readonly merchantsByPublicKey: ReadonlyMap<string, Merchant>
  readonly merchantsById: ReadonlyMap<bigint, Merchant>
  readonly keysByMerchant: ReadonlyMap<bigint, MerchantKeyring>
  readonly options: ReadonlyMap<string, PaymentOption>
  readonly banks: ReadonlyMap<string, readonly Bank[]>
  readonly rates: ReadonlyMap<string, ExchangeRate>
  readonly rsaSigningKey: RsaSigningKey | undefined
  readonly rsaPublicKeys: readonly RsaPublicKey[]
  readonly withdrawnRsaKeys: ReadonlySet<string>
  /** When the next key expires: it is left out from that moment on, and everything is read again. */
  readonly nextExpiryAt: Date | undefined
}

/** Something that is valid until its time; null: without an end. */
interface Timed<Value> {
  readonly value: Value
  readonly expiresAt: Date | null
}

interface MerchantKeyring {
  readonly secretKeyDigests: readonly Timed<Uint8Array>[]
  readonly signingKeys: readonly Timed<string>[]
  readonly webhookSecrets: readonly Timed<string>[]
}

const NO_KEYS: MerchantKeyring = { secretKeyDigests: [], signingKeys: [], webhookSecrets: [] }

const validAt = <Value>(now: Date, timed: readonly Timed<Value>[]): Value[] =>
  timed.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ value }) => value)

export interface RsaPublicKey {
  /** See `rsaKeyId`. */
  readonly id: string
  readonly pem: string
}

/** Nothing is accepted for a provider that no rail leads to. */
export interface RailCoverage {
  readonly providersWithRail: readonly string[]
  readonly providersWithoutRail: readonly string[]
}

export interface LiveReferenceData extends ReferenceData {
  /** The key that signs now, then those before it that are not withdrawn: what they signed can still be checked. */
  rsaPublicKeys(): readonly RsaPublicKey[]
  /**
   * Any key, also one with which another process signs already while this one has not heard of it: for an unknown id
   * the database is asked.
   * @throws StorageUnavailable when that cannot be found out
   */
  findRsaPublicKey(id: string): Promise<RsaPublicKey | 'withdrawn' | undefined>
  /** Codes of all providers, in order, by whether this gateway is connected to them. */
  rails(): RailCoverage
  /** Reads again when something has changed. @returns whether it did */
  refresh(): Promise<boolean>
}

/** How often a process looks for changes: they are seen by all within a second. */
export const REFRESH_MS = 500
/**
 * Anybody may ask for RSA keys that do not exist: all of them together make us look at the database this often at most.
 */
const UNKNOWN_KEY_SPACING_MS = 100

export interface ReferenceDataOptions {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  /** Live mode leaves out the demo merchant, whose keys everybody knows. */
  readonly sandbox: boolean
  /**
   * Which providers this gateway is connected to. Absent: all in the sandbox, whose operators are simulated, and none
   * in live mode.
   */
  readonly hasRail?: (providerCode: string) => boolean
}

/** Loads all reference data into memory; `refresh` follows changes by the version counter that triggers keep. */
export async function loadReferenceData(options: ReferenceDataOptions): Promise<LiveReferenceData> {
  let snapshot = await available(() => readSnapshot(options))
  // The end of a key is a promise to the merchant: it does not wait for the next refresh, which may be late, or fail.
  const someKeyEnded = () => snapshot.nextExpiryAt !== undefined && options.clock.now() >= snapshot.nextExpiryAt
  const keysOf = (merchantId: bigint) => snapshot.keysByMerchant.get(merchantId) ?? NO_KEYS
  const withValidKeys = (merchant: Merchant | undefined) =>
    merchant && someKeyEnded()
      ? { ...merchant, secretKeyDigests: validAt(options.clock.now(), keysOf(merchant.id).secretKeyDigests) }
      : merchant
  // One at a time: of two that overlap, the one that read earlier could end later and bring back what has been
  // replaced.
  const refresh = sharedRun(() =>
    available(async () => {
      const {
        rows: [row],
      } = await options.pool.query<{ version: bigint }>({
        name: 'reference-version',
        text: 'select version from reference_version',
      })
      if (row?.version === snapshot.version && !someKeyEnded()) return false
      snapshot = await readSnapshot(options)
      return true
    }),
  )
  const refreshForUnknownKey = sharedRun(refresh, { spacingMs: UNKNOWN_KEY_SPACING_MS })
  const knownRsaKey = (id: string) =>
    snapshot.withdrawnRsaKeys.has(id) ? 'withdrawn' : snapshot.rsaPublicKeys.find((key) => key.id === id)
  return {
    merchantByPublicKey: (publicKey) => withValidKeys(snapshot.merchantsByPublicKey.get(publicKey)),
    merchantById: (id) => withValidKeys(snapshot.merchantsById.get(id)),
    option: (providerCode, type) => snapshot.options.get(optionKey(providerCode, type)),
    options: (currency, type) =>
      [...snapshot.options.values()].filter((option) => option.currency === currency && option.type === type),
    banks: (providerCode) => snapshot.banks.get(providerCode) ?? [],
    rate: (from, to) => snapshot.rates.get(`${from}:${to}`),
    callbackSecrets(merchantId) {
      const [now, { signingKeys, webhookSecrets }] = [options.clock.now(), keysOf(merchantId)]
      return { signingKeys: validAt(now, signingKeys), webhookSecrets: validAt(now, webhookSecrets) }
    },
    rsaSigningKey() {
      if (!snapshot.rsaSigningKey) throw new Error('there is no RSA key to sign with')
      return snapshot.rsaSigningKey
    },
    rsaPublicKeys: () => snapshot.rsaPublicKeys,
    async findRsaPublicKey(id) {
      const known = knownRsaKey(id)
      if (known || !RSA_KEY_ID.test(id)) return known
      await refreshForUnknownKey()
      return knownRsaKey(id)
    },
    rails: () => {
      const codes = (hasRail: boolean) =>
        [
          ...new Set(
            [...snapshot.options.values()]
              .filter((option) => option.hasRail === hasRail)
              .map(({ providerCode }) => providerCode),
          ),
        ].sort()
      return { providersWithRail: codes(true), providersWithoutRail: codes(false) }
    },
    refresh,
  }
}

interface MerchantRow {
  readonly id: bigint
  readonly name: string
  readonly public_key: string
  readonly collection_callback_url: string | null
  readonly payout_callback_url: string | null
  readonly verification_url: string | null
  readonly redirect_hosts: readonly string[] | null
}
interface SecretKeyRow extends KeyOfMerchant {
  readonly kind: 'secret_key'
  readonly digest: Uint8Array
}
interface SigningKeyRow extends KeyOfMerchant {
  readonly kind: 'signing_key'
  readonly sealed: Uint8Array
}
interface WebhookSecretRow extends KeyOfMerchant {
  readonly kind: 'webhook_secret'
  readonly sealed: Uint8Array
}
interface KeyOfMerchant {
  readonly merchant_id: bigint
  readonly expires_at: Date | null
}
type SealedKeyRow = SigningKeyRow | WebhookSecretRow
type KeyRow = SecretKeyRow | SealedKeyRow
interface OptionRow {
  readonly code: string
  readonly name: string
  readonly method: TransactionMethod
  readonly currency: string
  readonly calling_code: string
  readonly prefixes: string[]
  readonly asks_for_otp: boolean
  readonly transaction_type: TransactionType
  readonly min_amount_minor: bigint
  readonly max_amount_minor: bigint
  readonly max_daily_amount_minor: bigint
  readonly charge_bps: number
  readonly charge_flat_minor: bigint
  readonly is_active: boolean
  readonly clearing_delay_seconds: number
  readonly reserve_bps: number
  readonly reserve_seconds: number
}

interface RsaKeyRow {
  readonly public_pem: string
  /** Null: the key was withdrawn, and only its name is left. */
  readonly sealed_private_pem: Uint8Array | null
}

async function readSnapshot({
  pool,
  box,
  clock,
  sandbox,
  hasRail = () => sandbox,
}: ReferenceDataOptions): Promise<Snapshot> {
  // The version is read first: a change that comes while we read makes us read once more, never once too few.
  const { rows: versions } = await pool.query<{ version: bigint }>('select version from reference_version')
  const { version } = present(versions[0], 'the version of the reference data')
  const [merchants, keys, enabled, options, banks, rates, rsa] = await Promise.all([
    pool.query<MerchantRow>('select * from merchants where $1 or not sandbox_only', [sandbox]),
    pool.query<KeyRow>(
      'select merchant_id, kind, digest, sealed, expires_at from merchant_keys where expires_at is null or expires_at > $1 order by id desc',
      [clock.now()],
    ),
    pool.query<{ merchant_id: bigint; provider_code: string; transaction_type: TransactionType }>(
      'select merchant_id, provider_code, transaction_type from merchant_options',
    ),
    pool.query<OptionRow>(
      'select p.*, o.* from payment_options o join providers p on p.code = o.provider_code order by p.currency, p.code, o.transaction_type',
    ),
    pool.query<{ provider_code: string; bank_code: string; bank_name: string; is_active: boolean }>(
      'select * from banks order by provider_code, bank_name',
    ),
    pool.query<{ from_currency: string; to_currency: string; rate: string }>(
      'select from_currency, to_currency, rate::text from exchange_rates',
    ),
    pool.query<RsaKeyRow>('select public_pem, sealed_private_pem from rsa_keys order by id desc'),
  ])
  const keysOf = groupBy(keys.rows, ({ merchant_id }) => merchant_id)
  const enabledOf = groupBy(enabled.rows, ({ merchant_id }) => merchant_id)
  const list = merchants.rows.map((row) =>
    toMerchant(
      row,
      keysOf.get(row.id) ?? [],
      (enabledOf.get(row.id) ?? []).map((o) => optionKey(o.provider_code, o.transaction_type)),
    ),
  )
  const [served, withdrawn] = [
    rsa.rows.filter((key) => key.sealed_private_pem),
    rsa.rows.filter((key) => !key.sealed_private_pem),
  ]
  const [newest] = served
  const keyring = (merchantId: bigint): MerchantKeyring => {
    const ofMerchant = keysOf.get(merchantId) ?? []
    const opened = ({ kind, sealed, expires_at }: SealedKeyRow): Timed<string> => ({
      value: box.open(sealed, merchantSecret(kind, merchantId)),
      expiresAt: expires_at,
    })
    return {
      secretKeyDigests: ofMerchant
        .filter((key) => key.kind === 'secret_key')
        .map(({ digest, expires_at }) => ({ value: digest, expiresAt: expires_at })),
      signingKeys: ofMerchant.filter((key) => key.kind === 'signing_key').map(opened),
      webhookSecrets: ofMerchant.filter((key) => key.kind === 'webhook_secret').map(opened),
    }
  }
  return {
    version,
    merchantsByPublicKey: new Map(list.map((merchant) => [merchant.publicKey, merchant])),
    merchantsById: new Map(list.map((merchant) => [merchant.id, merchant])),
    keysByMerchant: new Map(list.map(({ id }) => [id, keyring(id)])),
    options: new Map(
      options.rows
        .map((row) => toOption(row, hasRail(row.code)))
        .map((option) => [optionKey(option.providerCode, option.type), option]),
    ),
    banks: groupBy(
      banks.rows.map((row): Bank => ({
        providerCode: row.provider_code,
        bankCode: row.bank_code,
        bankName: row.bank_name,
        isActive: row.is_active,
      })),
      ({ providerCode }) => providerCode,
    ),
    rates: new Map(
      rates.rows.map(({ from_currency, to_currency, rate }) => [
        `${from_currency}:${to_currency}`,
        { from: from_currency, to: to_currency, rate },
      ]),
    ),
    rsaSigningKey: newest?.sealed_private_pem
      ? {
          id: rsaKeyId(newest.public_pem),
          privatePem: box.open(newest.sealed_private_pem, rsaPrivateKey(newest.public_pem)),
        }
      : undefined,
    rsaPublicKeys: served.map(({ public_pem }) => ({ id: rsaKeyId(public_pem), pem: public_pem })),
    withdrawnRsaKeys: new Set(withdrawn.map(({ public_pem }) => rsaKeyId(public_pem))),
    nextExpiryAt: keys.rows.flatMap(({ expires_at }) => expires_at ?? []).sort((a, b) => a.getTime() - b.getTime())[0],
  }
}

const toMerchant = (row: MerchantRow, keys: readonly KeyRow[], enabledOptions: readonly string[]): Merchant => ({
  id: row.id,
  name: row.name,
  publicKey: row.public_key,
  secretKeyDigests: keys.filter((key) => key.kind === 'secret_key').map(({ digest }) => digest),
  ...(row.collection_callback_url !== null && { collectionCallbackUrl: row.collection_callback_url }),
  ...(row.payout_callback_url !== null && { payoutCallbackUrl: row.payout_callback_url }),
  ...(row.verification_url !== null && { verificationUrl: row.verification_url }),
  ...(row.redirect_hosts !== null && { redirectHosts: row.redirect_hosts }),
  enabledOptions: new Set(enabledOptions),
})

const toOption = (row: OptionRow, hasRail: boolean): PaymentOption => ({
  providerCode: row.code,
  providerName: row.name,
  method: row.method,
  type: row.transaction_type,
  currency: row.currency,
  minAmountMinor: row.min_amount_minor,
  maxAmountMinor: row.max_amount_minor,
  maxDailyAmountMinor: row.max_daily_amount_minor,
  chargeBps: row.charge_bps,
  chargeFlatMinor: row.charge_flat_minor,
  isActive: row.is_active,
  hasRail,
  callingCode: row.calling_code,
  prefixes: row.prefixes,
  asksForOtp: row.asks_for_otp,
  clearingDelaySeconds: row.clearing_delay_seconds,
  reserveBps: row.reserve_bps,
  reserveSeconds: row.reserve_seconds,
})

const groupBy = <Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> => Map.groupBy(rows, keyOf)

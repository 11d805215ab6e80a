import type { Clock } from '../actions/ports/clock.ts'
import type { RsaSigningKey } from '../actions/ports/reference-data.ts'
import type { ExchangeRate } from '../domain/exchange.ts'
import type { Installation } from '../domain/installation.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import { present } from '../domain/present.ts'
import type { Bank, PaymentOption, TransactionType } from '../domain/provider.ts'
import { MERCHANT, type MerchantFields } from './merchant-row.ts'
import { OPTION, OPTIONS, toOption, type OptionRow, type RailLink, type UnlinkedOption } from './option-row.ts'
import type { Pool } from './pool.ts'
import { readInstallations, toInstallation } from './rail-installations.ts'
import { columns, type Row } from './rows.ts'
import { rsaKeyId } from './rsa-key-id.ts'
import { merchantSecret, rsaPrivateKey } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** All reference data as it was at one moment. */
export interface Snapshot extends RsaKeys {
  readonly version: bigint
  readonly merchantsByPublicKey: ReadonlyMap<string, Merchant>
  readonly merchantsById: ReadonlyMap<bigint, Merchant>
  readonly keysByMerchant: ReadonlyMap<bigint, MerchantKeyring>
  readonly options: ReadonlyMap<string, PaymentOption>
  readonly banks: ReadonlyMap<string, readonly Bank[]>
  readonly rates: ReadonlyMap<string, ExchangeRate>
  /** By name. */
  readonly installations: ReadonlyMap<string, Installation>
  /** When the next key expires: it is left out from that moment on, and everything is read again. */
  readonly nextExpiryAt: Date | undefined
}

/** Something that is valid until its time; null: without an end. */
export interface Timed<Value> {
  readonly value: Value
  readonly expiresAt: Date | null
}

export interface MerchantKeyring {
  readonly secretKeyDigests: readonly Timed<Uint8Array>[]
  readonly signingKeys: readonly Timed<string>[]
  readonly webhookSecrets: readonly Timed<string>[]
}

export interface RsaPublicKey {
  /** See `rsaKeyId`. */
  readonly id: string
  readonly pem: string
}

interface RsaKeys {
  readonly rsaSigningKey: RsaSigningKey | undefined
  readonly rsaPublicKeys: readonly RsaPublicKey[]
  readonly withdrawnRsaKeys: ReadonlySet<string>
}

export interface SnapshotSource {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  /** Live mode leaves out the demo merchant, whose keys everybody knows. */
  readonly sandbox: boolean
  /**
   * Which providers this gateway is connected to. Absent: all in the sandbox, whose operators are simulated, and none
   * in live mode.
   */
  readonly hasRail?: (option: UnlinkedOption, installation: Installation | undefined) => boolean
  /** See `PaymentOption`. */
  readonly amountStepOf?: (installation: Installation) => bigint | undefined
}

interface OfMerchant {
  readonly merchant_id: bigint
}
interface KeyOfMerchant extends OfMerchant {
  readonly expires_at: Date | null
}
interface SecretKeyRow extends KeyOfMerchant {
  readonly kind: 'secret_key'
  readonly digest: Uint8Array
}
interface SealedKeyRow extends KeyOfMerchant {
  readonly kind: 'signing_key' | 'webhook_secret'
  readonly sealed: Uint8Array
}
type KeyRow = SecretKeyRow | SealedKeyRow
interface EnabledRow extends OfMerchant {
  readonly provider_code: string
  readonly transaction_type: TransactionType
}
interface RateRow {
  readonly from_currency: string
  readonly to_currency: string
  readonly rate: string
}
interface RsaKeyRow {
  readonly public_pem: string
  /** Null: the key was withdrawn, and only its name is left. */
  readonly sealed_private_pem: Uint8Array | null
}

const BANK = columns<Bank>({ providerCode: 'text', bankCode: 'text', bankName: 'text', isActive: 'boolean' })

async function readRows({ pool, clock, sandbox }: SnapshotSource) {
  // The version is read first: a change that comes while we read makes us read once more, never once too few.
  const { rows: versions } = await pool.query<{ version: bigint }>('select version from reference_version')
  const { version } = present(versions[0], 'the version of the reference data')
  const [merchants, keys, enabled, options, banks, rates, rsa, installations] = await Promise.all([
    pool.query<Row<MerchantFields>>(`select ${MERCHANT.names()} from merchants where $1 or not sandbox_only`, [
      sandbox,
    ]),
    pool.query<KeyRow>(
      `select merchant_id, kind, digest, sealed, expires_at from merchant_keys
       where expires_at is null or expires_at > $1 order by id desc`,
      [clock.now()],
    ),
    pool.query<EnabledRow>('select merchant_id, provider_code, transaction_type from merchant_options'),
    pool.query<OptionRow>(
      `select ${OPTION.names()} from ${OPTIONS} order by currency, provider_code, transaction_type`,
    ),
    pool.query<Row<Bank>>(`select ${BANK.names()} from banks order by provider_code, bank_name`),
    pool.query<RateRow>('select from_currency, to_currency, rate::text from exchange_rates'),
    pool.query<RsaKeyRow>('select public_pem, sealed_private_pem from rsa_keys order by id desc'),
    readInstallations(pool),
  ])
  return {
    version,
    merchants: merchants.rows,
    keys: keys.rows,
    enabled: enabled.rows,
    options: options.rows,
    banks: banks.rows,
    rates: rates.rows,
    rsa: rsa.rows,
    installations,
  }
}

function linkOf(
  option: UnlinkedOption,
  installation: Installation | undefined,
  { hasRail, amountStepOf }: Required<Pick<SnapshotSource, 'hasRail' | 'amountStepOf'>>,
): RailLink {
  const amountStepMinor = installation && amountStepOf(installation)
  return {
    hasRail: hasRail(option, installation),
    ...(amountStepMinor !== undefined && { amountStepMinor }),
    ...(installation?.downSince && { isDown: true }),
    ...(installation?.settings['inactive_while_down'] === 'no' && { isShownWhileDown: true }),
  }
}

/** Reads all of it in one go. @throws WrongMasterKey when a secret does not open */
export async function readSnapshot(source: SnapshotSource): Promise<Snapshot> {
  const { box, sandbox, hasRail = () => sandbox, amountStepOf = () => undefined } = source
  const { version, merchants, keys, enabled, options, banks, rates, rsa, installations } = await readRows(source)
  const keysOf = Map.groupBy(keys, ({ merchant_id }) => merchant_id)
  const enabledOf = Map.groupBy(enabled, ({ merchant_id }) => merchant_id)
  const list = merchants.map((row) => toMerchant(row, keysOf.get(row.id), enabledOf.get(row.id)))
  const open = new Map(installations.map((row) => [row.name, toInstallation(box, row)]))
  return {
    version,
    merchantsByPublicKey: new Map(list.map((merchant) => [merchant.publicKey, merchant])),
    merchantsById: new Map(list.map((merchant) => [merchant.id, merchant])),
    keysByMerchant: new Map(list.map(({ id }) => [id, openKeys(box, id, keysOf.get(id))])),
    options: new Map(
      options
        .map((row) =>
          toOption(row, (option) => linkOf(option, open.get(option.installation ?? ''), { hasRail, amountStepOf })),
        )
        .map((option) => [optionKey(option.providerCode, option.type), option]),
    ),
    banks: Map.groupBy(banks.map(BANK.toFields), ({ providerCode }) => providerCode),
    rates: new Map(
      rates.map(({ from_currency, to_currency, rate }) => [
        `${from_currency}:${to_currency}`,
        { from: from_currency, to: to_currency, rate },
      ]),
    ),
    installations: open,
    nextExpiryAt: keys.flatMap(({ expires_at }) => expires_at ?? []).sort((a, b) => a.getTime() - b.getTime())[0],
    ...openRsaKeys(box, rsa),
  }
}

const isSecretKey = (key: KeyRow): key is SecretKeyRow => key.kind === 'secret_key'

function openKeys(box: SecretBox, merchantId: bigint, keys: readonly KeyRow[] = []): MerchantKeyring {
  const opened = (wanted: SealedKeyRow['kind']) =>
    keys.flatMap((key): Timed<string>[] =>
      isSecretKey(key) || key.kind !== wanted
        ? []
        : [{ value: box.open(key.sealed, merchantSecret(wanted, merchantId)), expiresAt: key.expires_at }],
    )
  return {
    secretKeyDigests: keys
      .filter(isSecretKey)
      .map(({ digest, expires_at }) => ({ value: digest, expiresAt: expires_at })),
    signingKeys: opened('signing_key'),
    webhookSecrets: opened('webhook_secret'),
  }
}

/** @param rows the newest first: it signs */
function openRsaKeys(box: SecretBox, rows: readonly RsaKeyRow[]): RsaKeys {
  const named = rows.map(({ public_pem: pem, sealed_private_pem: sealed }) => ({ id: rsaKeyId(pem), pem, sealed }))
  const served = named.filter(({ sealed }) => sealed)
  const [newest] = served
  return {
    rsaSigningKey: newest?.sealed
      ? { id: newest.id, privatePem: box.open(newest.sealed, rsaPrivateKey(newest.pem)) }
      : undefined,
    rsaPublicKeys: served.map(({ id, pem }) => ({ id, pem })),
    withdrawnRsaKeys: new Set(named.filter(({ sealed }) => !sealed).map(({ id }) => id)),
  }
}

const toMerchant = (
  row: Row<MerchantFields>,
  keys: readonly KeyRow[] = [],
  enabled: readonly EnabledRow[] = [],
): Merchant => ({
  ...MERCHANT.toFields(row),
  secretKeyDigests: keys.filter(isSecretKey).map(({ digest }) => digest),
  enabledOptions: new Set(enabled.map((option) => optionKey(option.provider_code, option.transaction_type))),
})

import type { Clock } from '../actions/ports/clock.ts'
import type { Merchants, ReferenceData } from '../actions/ports/reference-data.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { createMerchantCache, type MerchantCache } from './merchant-cache.ts'
import { readChanges, readPosition } from './merchant-changes.ts'
import { createRecordReader, type MerchantRecord, type Expiring } from './merchant-records.ts'
import { available } from './pool.ts'
import { readSnapshot, type RsaPublicKey, type Snapshot, type SnapshotSource } from './reference-snapshot.ts'
import { RSA_KEY_ID } from './rsa-key-id.ts'
import { sharedRun } from './shared-run.ts'

/** A payment is accepted only if a rail leads to its provider. */
export interface RailCoverage {
  readonly providersWithRail: readonly string[]
  readonly providersWithoutRail: readonly string[]
}

export interface LiveReferenceData extends ReferenceData {
  /** The current signing key, then earlier ones that are not withdrawn: their signatures can still be verified. */
  rsaPublicKeys(): readonly RsaPublicKey[]
  /**
   * Finds any key, even one that another process already signs with and this one does not know yet: an unknown id is
   * looked up in the database.
   * @throws StorageUnavailable when the lookup fails
   */
  findRsaPublicKey(id: string): Promise<RsaPublicKey | 'withdrawn' | undefined>
  /** Sorted codes of all providers, by whether this gateway is connected to them for at least one type of payment. */
  rails(): RailCoverage
  /** All rail accounts, with their credentials. */
  railAccounts(): ReadonlyMap<string, RailAccount>
  /** The rail account that handles the orders of a provider. */
  railAccountOf(providerCode: string): string | undefined
  /**
   * Reloads what has changed.
   * @returns whether anything had
   */
  refresh(): Promise<boolean>
}

/** How often a process polls for changes: all processes see them within a second. */
export const REFRESH_MS = 500
/** Anybody may request RSA keys that do not exist: all such requests together query the database at most this often. */
const UNKNOWN_KEY_SPACING_MS = 100

/**
 * The most recently used merchants are cached, about 2 kB each. A large gateway has fewer on a busy day; a merchant
 * beyond them costs one query, shared with concurrent lookups.
 */
const MERCHANTS_KEPT_MAX = 10_000

/** About 100 bytes each, loaded at startup: they distinguish merchants from third parties without a query. */
const KNOWN_KEYS_MAX = 50_000

interface ReferenceSource extends SnapshotSource {
  readonly clock: Clock
}

/**
 * Loads the platform's data into memory, and merchants on demand. `refresh` follows changes of both, by counters that
 * triggers maintain.
 */
export async function loadReferenceData(source: ReferenceSource): Promise<LiveReferenceData> {
  const { pool, clock } = source
  // Reads the counters before the data that they cover: a change in between is read twice, but never missed.
  let position = await available(() => readPosition(pool))
  let snapshot = await available(() => readSnapshot(source))
  const readRecords = createRecordReader(source)
  const merchants = createMerchantCache({
    entriesMax: MERCHANTS_KEPT_MAX,
    read: (queried) => available(() => readRecords(queried)),
  })
  const knownKeys = await available(() => readPublicKeys(source))
  // One at a time: of two overlapping refreshes, the one that read earlier could finish later and restore outdated
  // data.
  const refresh = sharedRun(() =>
    available(async () => {
      const { position: current, changed } = await readChanges(pool, position)
      merchants.forget(changed)
      const isSame = current.platform === position.platform && current.merchants === position.merchants
      position = { ...position, merchants: current.merchants }
      if (current.platform !== position.platform) {
        snapshot = await readSnapshot(source)
        position = current
      }
      return !isSame
    }),
  )
  const refreshForUnknownKey = sharedRun(refresh, { spacingMs: UNKNOWN_KEY_SPACING_MS })
  const knownRsaKey = (id: string) =>
    snapshot.withdrawnRsaKeys.has(id) ? 'withdrawn' : snapshot.rsaPublicKeys.find((key) => key.id === id)
  return {
    ...merchantLookups(merchants, knownKeys, clock),
    ...providerLookups(() => snapshot),
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
    refresh,
  }
}

async function readPublicKeys({ pool, sandbox }: ReferenceSource): Promise<Set<string>> {
  const { rows } = await pool.query<{ public_key: string }>({
    name: 'public-keys',
    text: 'select public_key from merchants where $1 or not sandbox_only order by id desc limit $2',
    values: [sandbox, KNOWN_KEYS_MAX],
  })
  return new Set(rows.map(({ public_key: publicKey }) => publicKey))
}

function merchantLookups(merchants: MerchantCache<MerchantRecord>, knownKeys: Set<string>, clock: Clock): Merchants {
  return {
    async merchantByPublicKey(publicKey) {
      const record = await merchants.find({ publicKey })
      knownKeys[record ? 'add' : 'delete'](publicKey)
      return toMerchant(record, clock)
    },
    isKnownKey: (publicKey) => knownKeys.has(publicKey),
    async merchantById(id) {
      return toMerchant(await merchants.find({ id }), clock)
    },
    async callbackSecrets(id) {
      const record = await merchants.find({ id })
      if (!record) return { signingKeys: [], webhookSecrets: [] }
      const [now, { signingKeys, webhookSecrets }] = [clock.now(), record.callbackKeys()]
      return { signingKeys: validAt(now, signingKeys), webhookSecrets: validAt(now, webhookSecrets) }
    },
  }
}

/**
 * Checks the expiry of keys here: it is a promise to the merchant, and cannot wait for the next refresh, which may be
 * late or fail.
 */
function toMerchant(record: MerchantRecord | undefined, clock: Clock): Merchant | undefined {
  if (!record?.nextExpiryAt || clock.now() < record.nextExpiryAt) return record?.merchant
  return { ...record.merchant, secretKeyDigests: validAt(clock.now(), record.secretKeyDigests) }
}

const validAt = <Value>(now: Date, timed: readonly Expiring<Value>[]): Value[] =>
  timed.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now).map(({ value }) => value)

function providerLookups(
  snapshot: () => Snapshot,
): Pick<LiveReferenceData, 'option' | 'options' | 'banks' | 'rate' | 'rails' | 'railAccounts' | 'railAccountOf'> {
  const options = () => [...snapshot().options.values()]
  return {
    option: (providerCode, type) => snapshot().options.get(optionKey(providerCode, type)),
    options: (currency, type) => options().filter((option) => option.currency === currency && option.type === type),
    banks: (providerCode) => snapshot().banks.get(providerCode) ?? [],
    railAccounts: () => snapshot().railAccounts,
    railAccountOf: (providerCode) =>
      (
        snapshot().options.get(optionKey(providerCode, 'COLLECTION')) ??
        snapshot().options.get(optionKey(providerCode, 'PAYOUT'))
      )?.railAccount,
    rate: (from, to) => snapshot().rates.get(`${from}:${to}`),
    rails() {
      const codesOf = (those: readonly PaymentOption[]) => new Set(those.map(({ providerCode }) => providerCode).sort())
      const [all, connected] = [codesOf(options()), codesOf(options().filter(({ hasRail }) => hasRail))]
      return {
        providersWithRail: [...connected],
        providersWithoutRail: [...all].filter((code) => !connected.has(code)),
      }
    },
  }
}

import type { Clock } from '../actions/ports/clock.ts'
import type { Merchants, ReferenceData } from '../actions/ports/reference-data.ts'
import type { Installation } from '../domain/installation.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { createMerchantCache, type MerchantCache } from './merchant-cache.ts'
import { readChanges, readPosition } from './merchant-changes.ts'
import { createRecordReader, type MerchantRecord, type Timed } from './merchant-records.ts'
import { available } from './pool.ts'
import { readSnapshot, type RsaPublicKey, type Snapshot, type SnapshotSource } from './reference-snapshot.ts'
import { RSA_KEY_ID } from './rsa-key-id.ts'
import { sharedRun } from './shared-run.ts'

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
  /** Codes of all providers, in order, by whether this gateway is connected to them, if only for one type of payment. */
  rails(): RailCoverage
  /** All connections to operators, with their credentials. */
  installations(): ReadonlyMap<string, Installation>
  /** Where the orders of a provider go. */
  installationOf(providerCode: string): string | undefined
  /** Reads again when something has changed. @returns whether it did */
  refresh(): Promise<boolean>
}

/** How often a process looks for changes: they are seen by all within a second. */
export const REFRESH_MS = 500
/**
 * Anybody may ask for RSA keys that do not exist: all of them together make us look at the database this often at most.
 */
const UNKNOWN_KEY_SPACING_MS = 100

/**
 * Those that were asked for last are kept, about 2 kB each: a busy day of a large gateway has fewer, and everybody else
 * costs a statement that is shared by all who are asked for at that moment.
 */
const MERCHANTS_KEPT_MAX = 10_000

/** About 100 bytes each, read at the start: by them a merchant is told from a stranger without asking anybody. */
const KNOWN_KEYS_MAX = 50_000

export interface ReferenceSource extends SnapshotSource {
  readonly clock: Clock
}

/**
 * Loads the data of the platform into memory, and looks merchants up when they are asked for; `refresh` follows the
 * changes of both by the counters that triggers keep.
 */
export async function loadReferenceData(source: ReferenceSource): Promise<LiveReferenceData> {
  const { pool, clock } = source
  // The counters are read before the data that they tell of: a change that comes in between is read once more, never
  // once too few.
  let position = await available(() => readPosition(pool))
  let snapshot = await available(() => readSnapshot(source))
  const readRecords = createRecordReader(source)
  const merchants = createMerchantCache({
    entriesMax: MERCHANTS_KEPT_MAX,
    read: (asked) => available(() => readRecords(asked)),
  })
  const knownKeys = await available(() => readPublicKeys(source))
  // One at a time: of two that overlap, the one that read earlier could end later and bring back what has been
  // replaced.
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

/** The end of a key is a promise to the merchant: it does not wait for the next refresh, which may be late, or fail. */
function toMerchant(record: MerchantRecord | undefined, clock: Clock): Merchant | undefined {
  if (!record?.nextExpiryAt || clock.now() < record.nextExpiryAt) return record?.merchant
  return { ...record.merchant, secretKeyDigests: validAt(clock.now(), record.secretKeyDigests) }
}

const validAt = <Value>(now: Date, timed: readonly Timed<Value>[]): Value[] =>
  timed.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now).map(({ value }) => value)

function providerLookups(
  snapshot: () => Snapshot,
): Pick<LiveReferenceData, 'option' | 'options' | 'banks' | 'rate' | 'rails' | 'installations' | 'installationOf'> {
  const options = () => [...snapshot().options.values()]
  return {
    option: (providerCode, type) => snapshot().options.get(optionKey(providerCode, type)),
    options: (currency, type) => options().filter((option) => option.currency === currency && option.type === type),
    banks: (providerCode) => snapshot().banks.get(providerCode) ?? [],
    installations: () => snapshot().installations,
    installationOf: (providerCode) =>
      (
        snapshot().options.get(optionKey(providerCode, 'COLLECTION')) ??
        snapshot().options.get(optionKey(providerCode, 'PAYOUT'))
      )?.installation,
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

import type { Clock } from '../actions/ports/clock.ts'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import type { Installation } from '../domain/installation.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { available } from './pool.ts'
import {
  readSnapshot,
  type MerchantKeyring,
  type RsaPublicKey,
  type Snapshot,
  type SnapshotSource,
  type Timed,
} from './reference-snapshot.ts'
import { RSA_KEY_ID } from './rsa-key-id.ts'
import { sharedRun } from './shared-run.ts'

const NO_KEYS: MerchantKeyring = { secretKeyDigests: [], signingKeys: [], webhookSecrets: [] }

const validAt = <Value>(now: Date, timed: readonly Timed<Value>[]): Value[] =>
  timed.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ value }) => value)

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

/** Loads all reference data into memory; `refresh` follows changes by the version counter that triggers keep. */
export async function loadReferenceData(source: SnapshotSource): Promise<LiveReferenceData> {
  let snapshot = await available(() => readSnapshot(source))
  // One at a time: of two that overlap, the one that read earlier could end later and bring back what has been
  // replaced.
  const refresh = sharedRun(() =>
    available(async () => {
      const {
        rows: [row],
      } = await source.pool.query<{ version: bigint }>({
        name: 'reference-version',
        text: 'select version from reference_version',
      })
      if (row?.version === snapshot.version && !someKeyEnded(snapshot, source.clock)) return false
      snapshot = await readSnapshot(source)
      return true
    }),
  )
  const refreshForUnknownKey = sharedRun(refresh, { spacingMs: UNKNOWN_KEY_SPACING_MS })
  const knownRsaKey = (id: string) =>
    snapshot.withdrawnRsaKeys.has(id) ? 'withdrawn' : snapshot.rsaPublicKeys.find((key) => key.id === id)
  return {
    ...merchantLookups(() => snapshot, source.clock),
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

/** The end of a key is a promise to the merchant: it does not wait for the next refresh, which may be late, or fail. */
const someKeyEnded = ({ nextExpiryAt }: Snapshot, clock: Clock): boolean =>
  nextExpiryAt !== undefined && clock.now() >= nextExpiryAt

function merchantLookups(
  snapshot: () => Snapshot,
  clock: Clock,
): Pick<LiveReferenceData, 'merchantByPublicKey' | 'merchantById' | 'callbackSecrets'> {
  const keysOf = (merchantId: bigint) => snapshot().keysByMerchant.get(merchantId) ?? NO_KEYS
  const withValidKeys = (merchant: Merchant | undefined) =>
    merchant && someKeyEnded(snapshot(), clock)
      ? { ...merchant, secretKeyDigests: validAt(clock.now(), keysOf(merchant.id).secretKeyDigests) }
      : merchant
  return {
    merchantByPublicKey: async (publicKey) => withValidKeys(snapshot().merchantsByPublicKey.get(publicKey)),
    merchantById: async (id) => withValidKeys(snapshot().merchantsById.get(id)),
    async callbackSecrets(merchantId) {
      const [now, { signingKeys, webhookSecrets }] = [clock.now(), keysOf(merchantId)]
      return { signingKeys: validAt(now, signingKeys), webhookSecrets: validAt(now, webhookSecrets) }
    },
  }
}

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

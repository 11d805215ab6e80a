import type { Clock } from '../actions/ports/clock.ts'
import { optionKey, type Merchant, type MerchantTerms } from '../domain/merchant.ts'
import type { MerchantKey } from './merchant-cache.ts'
import { MERCHANT, type MerchantFields } from './merchant-row.ts'
import { TERMS, type TermsRow } from './merchant-terms.ts'
import type { Pool } from './pool.ts'
import type { Row } from './rows.ts'
import { merchantSecret } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** A value that is valid until a certain time; without one it never expires. */
export interface Expiring<Value> {
  readonly value: Value
  readonly expiresAt: Date | undefined
}

interface CallbackKeys {
  readonly signingKeys: readonly Expiring<string>[]
  readonly webhookSecrets: readonly Expiring<string>[]
}

/** A merchant at the time of its lookup, with the keys that were valid then. */
export interface MerchantRecord extends Pick<Merchant, 'id' | 'publicKey'> {
  readonly merchant: Merchant
  readonly secretKeyDigests: readonly Expiring<Uint8Array>[]
  /** When the first of its keys expires; absent: none does. */
  readonly nextExpiryAt: Date | undefined
  /**
   * Unsealed on first use: a process that only serves the API never unseals them.
   * @throws WrongMasterKey; Error when one was altered
   */
  callbackKeys(): CallbackKeys
}

interface RecordSource {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  /** Live mode excludes the demo merchant, whose keys are public. */
  readonly sandbox: boolean
}

/** Bytes as hexadecimal digits, the time in milliseconds. */
interface KeyRow {
  readonly kind: 'secret_key' | 'signing_key' | 'webhook_secret'
  readonly bytes: string
  readonly expires_ms: number | null
}
type RecordRow = Row<MerchantFields> & {
  readonly keys: readonly KeyRow[] | null
  readonly options: string | null
  readonly terms: readonly TermsJson[] | null
}

/** The amounts as text: JSON numbers do not hold every bigint. */
type TermsJson = {
  readonly [Name in keyof TermsRow]: TermsRow[Name] extends bigint | null ? string | null : TermsRow[Name]
}

/** Looks up merchants by id or public key in one statement. Returns one result each, in the order of the request. */
export function createRecordReader({
  pool,
  box,
  clock,
  sandbox,
}: RecordSource): (queried: readonly MerchantKey[]) => Promise<(MerchantRecord | undefined)[]> {
  const optionsOf = createOptionSets()
  return async (queried) => {
    const { rows } = await pool.query<RecordRow>({
      name: 'merchants',
      text: READ,
      values: [
        queried.flatMap((one) => ('id' in one ? one.id : [])),
        queried.flatMap((one) => ('id' in one ? [] : one.publicKey)),
        sandbox,
        clock.now(),
      ],
    })
    const records = rows.map((row) => toRecord(box, row, optionsOf(row.options ?? '')))
    const byId = new Map(records.map((record) => [record.id, record]))
    const byPublicKey = new Map(records.map((record) => [record.publicKey, record]))
    return queried.map((one) => ('id' in one ? byId.get(one.id) : byPublicKey.get(one.publicKey)))
  }
}

/** The options in the format of `optionKey`. */
const READ = `
  select ${MERCHANT.names('m')},
    (select json_agg(json_build_object('kind', kind, 'bytes', encode(coalesce(digest, sealed), 'hex'),
       'expires_ms', floor(extract(epoch from expires_at) * 1000)) order by id desc)
     from merchant_keys where merchant_id = m.id and (expires_at is null or expires_at > $4)) as keys,
    (select string_agg(provider_code || ':' || transaction_type, ',' order by provider_code, transaction_type)
     from merchant_options where merchant_id = m.id) as options,
    (select json_agg(json_build_object('provider_code', provider_code, 'transaction_type', transaction_type,
       'min_amount_minor', min_amount_minor::text, 'max_amount_minor', max_amount_minor::text,
       'max_daily_amount_minor', max_daily_amount_minor::text, 'charge_bps', charge_bps,
       'charge_flat_minor', charge_flat_minor::text))
     from merchant_terms where merchant_id = m.id) as terms
  from merchants m where (m.id = any($1) or m.public_key = any($2)) and ($3 or not m.sandbox_only)`

function toRecord(box: SecretBox, row: RecordRow, enabledOptions: Merchant['enabledOptions']): MerchantRecord {
  const keys = row.keys ?? []
  const fields = MERCHANT.toFields(row)
  const secretKeyDigests = keys
    .filter(({ kind }) => kind === 'secret_key')
    .map(({ bytes, expires_ms }) => ({ value: Buffer.from(bytes, 'hex'), expiresAt: momentOf(expires_ms) }))
  let opened: CallbackKeys | undefined
  return {
    id: fields.id,
    publicKey: fields.publicKey,
    merchant: {
      ...fields,
      enabledOptions,
      ...(row.terms && { terms: new Map(row.terms.map(toTerms)) }),
      secretKeyDigests: secretKeyDigests.map(({ value }) => value),
    },
    secretKeyDigests,
    nextExpiryAt: momentOf(keys.reduce<number | null>((first, { expires_ms }) => earlier(first, expires_ms), null)),
    callbackKeys: () => (opened ??= openKeys(box, fields.id, keys)),
  }
}

function toTerms(row: TermsJson): readonly [string, MerchantTerms] {
  const minor = (text: string | null) => (text === null ? null : BigInt(text))
  const { providerCode, transactionType, ...terms } = TERMS.toFields({
    ...row,
    min_amount_minor: minor(row.min_amount_minor),
    max_amount_minor: minor(row.max_amount_minor),
    max_daily_amount_minor: minor(row.max_daily_amount_minor),
    charge_flat_minor: minor(row.charge_flat_minor),
  })
  return [optionKey(providerCode, transactionType), terms]
}

const momentOf = (ms: number | null): Date | undefined => (ms === null ? undefined : new Date(ms))

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

function openKeys(box: SecretBox, merchantId: bigint, keys: readonly KeyRow[]): CallbackKeys {
  const opened = (wanted: 'signing_key' | 'webhook_secret') =>
    keys
      .filter(({ kind }) => kind === wanted)
      .map(({ bytes, expires_ms }): Expiring<string> => ({
        value: box.open(Buffer.from(bytes, 'hex'), merchantSecret(wanted, merchantId)),
        expiresAt: momentOf(expires_ms),
      }))
  return { signingKeys: opened('signing_key'), webhookSecrets: opened('webhook_secret') }
}

/** Maximum number of different option sets that are cached; few exist. */
const OPTION_SETS_MAX = 1_000

/** Interns option sets: most merchants have the same options and share one set. */
function createOptionSets(): (list: string) => Merchant['enabledOptions'] {
  const sets = new Map<string, Merchant['enabledOptions']>()
  return (list) => {
    const known = sets.get(list)
    if (known) return known
    if (sets.size >= OPTION_SETS_MAX) sets.clear()
    const options = new Set(list === '' ? [] : list.split(','))
    sets.set(list, options)
    return options
  }
}

import type { Clock } from '../actions/ports/clock.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { MerchantAsked } from './merchant-cache.ts'
import { MERCHANT, type MerchantFields } from './merchant-row.ts'
import type { Pool } from './pool.ts'
import type { Row } from './rows.ts'
import { merchantSecret } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

/** Something that is valid until its time; without one it has no end. */
export interface Timed<Value> {
  readonly value: Value
  readonly expiresAt: Date | undefined
}

export interface CallbackKeys {
  readonly signingKeys: readonly Timed<string>[]
  readonly webhookSecrets: readonly Timed<string>[]
}

/** A merchant as it was when it was looked up, with the keys that were valid then. */
export interface MerchantRecord extends Pick<Merchant, 'id' | 'publicKey'> {
  readonly merchant: Merchant
  readonly secretKeyDigests: readonly Timed<Uint8Array>[]
  /** When the first of its keys ends; absent: none does. */
  readonly nextExpiryAt: Date | undefined
  /**
   * Opened when they are asked for first: who only serves the API never does.
   * @throws WrongMasterKey; Error when one was altered
   */
  callbackKeys(): CallbackKeys
}

export interface RecordSource {
  readonly pool: Pool
  readonly box: SecretBox
  readonly clock: Clock
  /** Live mode leaves out the demo merchant, whose keys everybody knows. */
  readonly sandbox: boolean
}

/** Bytes as hexadecimal digits, the moment in milliseconds. */
interface KeyRow {
  readonly kind: 'secret_key' | 'signing_key' | 'webhook_secret'
  readonly bytes: string
  readonly expires_ms: number | null
}
type RecordRow = Row<MerchantFields> & {
  readonly keys: readonly KeyRow[] | null
  readonly options: string | null
}

/** Looks up merchants by id or public key in one statement. One answer each, in the order of what is asked. */
export function createRecordReader({
  pool,
  box,
  clock,
  sandbox,
}: RecordSource): (asked: readonly MerchantAsked[]) => Promise<(MerchantRecord | undefined)[]> {
  const optionsOf = createOptionSets()
  return async (asked) => {
    const { rows } = await pool.query<RecordRow>({
      name: 'merchants',
      text: READ,
      values: [
        asked.flatMap((one) => ('id' in one ? one.id : [])),
        asked.flatMap((one) => ('id' in one ? [] : one.publicKey)),
        sandbox,
        clock.now(),
      ],
    })
    const records = rows.map((row) => toRecord(box, row, optionsOf(row.options ?? '')))
    const byId = new Map(records.map((record) => [record.id, record]))
    const byPublicKey = new Map(records.map((record) => [record.publicKey, record]))
    return asked.map((one) => ('id' in one ? byId.get(one.id) : byPublicKey.get(one.publicKey)))
  }
}

/** The options as `optionKey` writes them. */
const READ = `
  select ${MERCHANT.names('m')},
    (select json_agg(json_build_object('kind', kind, 'bytes', encode(coalesce(digest, sealed), 'hex'),
       'expires_ms', floor(extract(epoch from expires_at) * 1000)) order by id desc)
     from merchant_keys where merchant_id = m.id and (expires_at is null or expires_at > $4)) as keys,
    (select string_agg(provider_code || ':' || transaction_type, ',' order by provider_code, transaction_type)
     from merchant_options where merchant_id = m.id) as options
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
    merchant: { ...fields, enabledOptions, secretKeyDigests: secretKeyDigests.map(({ value }) => value) },
    secretKeyDigests,
    nextExpiryAt: momentOf(keys.reduce<number | null>((first, { expires_ms }) => earlier(first, expires_ms), null)),
    callbackKeys: () => (opened ??= openKeys(box, fields.id, keys)),
  }
}

const momentOf = (ms: number | null): Date | undefined => (ms === null ? undefined : new Date(ms))

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

function openKeys(box: SecretBox, merchantId: bigint, keys: readonly KeyRow[]): CallbackKeys {
  const opened = (wanted: 'signing_key' | 'webhook_secret') =>
    keys
      .filter(({ kind }) => kind === wanted)
      .map(({ bytes, expires_ms }): Timed<string> => ({
        value: box.open(Buffer.from(bytes, 'hex'), merchantSecret(wanted, merchantId)),
        expiresAt: momentOf(expires_ms),
      }))
  return { signingKeys: opened('signing_key'), webhookSecrets: opened('webhook_secret') }
}

/** Different sets that are kept; few exist. */
const OPTION_SETS_MAX = 1_000

/** Most merchants may use the same options: they share one set. */
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

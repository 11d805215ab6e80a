import type { CallbackKeys, TokenKey } from '../domain/callback-tokens.ts'
import type { Environment, RailAccount } from '../domain/rail-account.ts'
import { available, type Queryable } from './pool.ts'
import { callbackKeys, railSettings } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

export interface RailAccountRow {
  readonly name: string
  readonly rail: string
  readonly environment: Environment
  readonly currency: string
  readonly base_url: string
  readonly settings: Readonly<Record<string, string>>
  readonly sealed_settings: Uint8Array
  readonly updated_at: Date
  readonly down_since: Date | null
  /** Null once it is removed. */
  readonly sealed_callback_keys: Uint8Array | null
}

export const RAIL_ACCOUNT_COLUMNS =
  'name, rail, environment, currency, base_url, settings, sealed_settings, updated_at, down_since, sealed_callback_keys'

/** All rail accounts that are not removed, by name. */
export async function readRailAccounts(database: Queryable): Promise<readonly RailAccountRow[]> {
  const { rows } = await database.query<RailAccountRow>(
    `select ${RAIL_ACCOUNT_COLUMNS} from rail_accounts where removed_at is null order by name`,
  )
  return rows
}

/**
 * Unseals the secrets as well.
 * @throws WrongMasterKey
 */
export const toRailAccount = (box: SecretBox, row: RailAccountRow): RailAccount => ({
  name: row.name,
  rail: row.rail,
  environment: row.environment,
  currency: row.currency,
  baseUrl: row.base_url,
  callbackKeys: openCallbackKeys(box, row),
  settings: { ...row.settings, ...openSettings(box, row) },
  updatedAt: row.updated_at,
  ...(row.down_since && { downSince: row.down_since }),
})

/**
 * Unseals the secret settings of a rail account.
 * @throws WrongMasterKey
 */
export const openSettings = (
  box: SecretBox,
  { name, sealed_settings }: Pick<RailAccountRow, 'name' | 'sealed_settings'>,
): Readonly<Record<string, string>> =>
  JSON.parse(box.open(sealed_settings, railSettings(name))) as Record<string, string>

/** Seals the secret settings of a rail account. */
export const sealSettings = (box: SecretBox, name: string, secrets: Readonly<Record<string, string>>): Buffer =>
  box.seal(JSON.stringify(secrets), railSettings(name))

/**
 * Unseals the keys for the tokens in a rail account's callback URLs.
 * @throws WrongMasterKey
 */
export const openCallbackKeys = (
  box: SecretBox,
  { name, sealed_callback_keys: sealed }: Pick<RailAccountRow, 'name' | 'sealed_callback_keys'>,
): CallbackKeys => ({ keys: sealed ? readKeys(box.open(sealed, callbackKeys(name))) : [] })

const readKeys = (text: string): TokenKey[] =>
  (JSON.parse(text) as (Omit<TokenKey, 'retiredAt'> & { retiredAt?: string })[]).map(({ retiredAt, ...key }) => ({
    ...key,
    ...(retiredAt !== undefined && { retiredAt: new Date(retiredAt) }),
  }))

/** Seals the keys for the tokens in a rail account's callback URLs. */
export const sealCallbackKeys = (box: SecretBox, name: string, keys: readonly TokenKey[]): Buffer =>
  box.seal(JSON.stringify(keys), callbackKeys(name))

/** Records for all processes whether an operator responds. The first report counts; repeating it changes nothing. */
export async function markOutage(database: Queryable, name: string, downSince: Date | undefined): Promise<void> {
  await available(() =>
    database.query(
      `update rail_accounts set down_since = $2
       where name = $1 and (down_since is null) <> ($2::timestamptz is null) and removed_at is null`,
      [name, downSince],
    ),
  )
}

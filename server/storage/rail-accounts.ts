import { newTokenKey, type CallbackKeys, type TokenKey } from '../domain/callback-tokens.ts'
import type { Environment, RailAccount } from '../domain/rail-account.ts'
import type { Random } from '../domain/references.ts'
import { available, type Pool, type Queryable } from './pool.ts'
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
  /** Null until a server of this version has started. */
  readonly sealed_callback_keys: Uint8Array | null
  /**
   * Digest of the token that its orders shared before each order had its own; null where its orders never shared one.
   */
  readonly shared_token_digest: Uint8Array | null
  readonly shared_token_retired_at: Date | null
}

export const RAIL_ACCOUNT_COLUMNS =
  'name, rail, environment, currency, base_url, settings, sealed_settings, updated_at, down_since, ' +
  'sealed_callback_keys, shared_token_digest, shared_token_retired_at'

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
  {
    name,
    sealed_callback_keys: sealed,
    shared_token_digest: digest,
    shared_token_retired_at: retiredAt,
  }: Pick<RailAccountRow, 'name' | 'sealed_callback_keys' | 'shared_token_digest' | 'shared_token_retired_at'>,
): CallbackKeys => ({
  keys: sealed ? readKeys(box.open(sealed, callbackKeys(name))) : [],
  ...(digest && retiredAt && { shared: { digest, retiredAt } }),
})

const readKeys = (text: string): TokenKey[] =>
  (JSON.parse(text) as (Omit<TokenKey, 'retiredAt'> & { retiredAt?: string })[]).map(({ retiredAt, ...key }) => ({
    ...key,
    ...(retiredAt !== undefined && { retiredAt: new Date(retiredAt) }),
  }))

/** Seals the keys for the tokens in a rail account's callback URLs. */
export const sealCallbackKeys = (box: SecretBox, name: string, keys: readonly TokenKey[]): Buffer =>
  box.seal(JSON.stringify(keys), callbackKeys(name))

/** At startup, rail accounts of an older version get a key. With several processes, the first one wins. */
export async function ensureCallbackKeys(pool: Pool, box: SecretBox, random: Random): Promise<void> {
  await available(async () => {
    const { rows } = await pool.query<{ name: string }>(
      'select name from rail_accounts where sealed_callback_keys is null and removed_at is null',
    )
    for (const { name } of rows)
      await pool.query(
        'update rail_accounts set sealed_callback_keys = $2 where name = $1 and sealed_callback_keys is null',
        [name, sealCallbackKeys(box, name, [newTokenKey(random)])],
      )
  })
}

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

import { withNewKey, type TokenKey } from '../../domain/callback-tokens.ts'
import type { Environment } from '../../domain/rail-account.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { inTransaction, type Pool, type Queryable } from '../../storage/pool.ts'
import {
  RAIL_ACCOUNT_COLUMNS,
  openCallbackKeys,
  openSettings,
  sealCallbackKeys,
  sealSettings,
  type RailAccountRow,
} from '../../storage/rail-accounts.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { changeText, recordChange } from './rail-account-changes.ts'
import { firstRowOf, rowsOf } from './rows.ts'
import { HAS_JOB } from './transactions.ts'

type Values = Readonly<Record<string, string>>

export interface NewRailAccount {
  readonly name: string
  readonly rail: string
  readonly environment: Environment
  readonly currency: string
  readonly baseUrl: string
  readonly callbackKey: TokenKey
  readonly settings: Values
  /** Sealed at rest. */
  readonly secrets: Values
  /** Who adds it. */
  readonly by?: string
}

/** @returns false when the name was ever used, even by a removed rail account */
export const addRailAccount = (pool: AuditedPool, box: SecretBox, added: NewRailAccount, now: Date): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { name, rail, environment, currency, baseUrl, callbackKey, settings, secrets, by } = added
    const sealed = sealSettings(box, name, secrets)
    const keys = sealCallbackKeys(box, name, [callbackKey])
    const { rowCount } = await client.query(
      `insert into rail_accounts (${RAIL_ACCOUNT_COLUMNS}, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, null, $9, $8) on conflict do nothing`,
      [name, rail, environment, currency, baseUrl, JSON.stringify(settings), sealed, now, keys],
    )
    if (rowCount !== 1) return false
    const what = changeText({ base_url: baseUrl, ...settings }, Object.keys(secrets))
    await recordChange(client, name, `added: ${what}`, by, now)
    return true
  })

/** `orders_open`: its identity or address must not change while orders wait for a result. */
type RailAccountChanged = 'changed' | 'unknown' | 'orders_open'

/** What may change of a rail account. An empty setting is removed; undefined values do not change. */
export interface RailAccountChange {
  readonly baseUrl?: string | undefined
  /** Derives the tokens of future orders. */
  readonly callbackKey?: TokenKey | undefined
  /** Rejects callback addresses that were issued before, also those of orders in flight. */
  readonly endsFormerAddresses?: boolean
  readonly settings: Values
  readonly secrets: Values
  /** Its identity or address changes: orders that were submitted before could no longer be queried. */
  readonly requiresNoOpenOrders: boolean
  /** Who changes it. */
  readonly by?: string
}

export const changeRailAccount = (
  pool: AuditedPool,
  box: SecretBox,
  name: string,
  change: RailAccountChange,
  now: Date,
): Promise<RailAccountChanged> =>
  inTransaction(pool, async (client) => {
    const {
      baseUrl,
      callbackKey,
      endsFormerAddresses = false,
      settings,
      secrets,
      requiresNoOpenOrders: leavesOrders,
      by,
    } = change
    const row = await firstRowOf<RailAccountRow>(
      client,
      `select ${RAIL_ACCOUNT_COLUMNS} from rail_accounts where name = $1 and removed_at is null for update`,
      [name],
    )
    if (!row) return 'unknown'
    if (leavesOrders && (await hasOpenOrders(client, name))) return 'orders_open'
    await client.query(
      `update rail_accounts set base_url = coalesce($2, base_url), settings = $3, sealed_settings = $4,
         updated_at = $5, sealed_callback_keys = coalesce($6, sealed_callback_keys) where name = $1`,
      [
        name,
        baseUrl,
        JSON.stringify(merged(row.settings, settings)),
        sealSettings(box, name, merged(openSettings(box, row), secrets)),
        now,
        callbackKey && sealCallbackKeys(box, name, keysAfter(box, row, callbackKey, endsFormerAddresses, now)),
      ],
    )
    const addresses = endsFormerAddresses ? 'new, those before ended' : callbackKey && 'new'
    const what = changeText({ base_url: baseUrl, addresses, ...settings }, Object.keys(secrets))
    await recordChange(client, name, `changed: ${what}`, by, now)
    return 'changed'
  })

const keysAfter = (
  box: SecretBox,
  row: RailAccountRow,
  key: TokenKey,
  isAlone: boolean,
  now: Date,
): readonly TokenKey[] => (isAlone ? [key] : withNewKey(openCallbackKeys(box, row), key, now).keys)

/** They are found by their jobs: a scan of all payments would hold the lock of a rail account for too long. */
const OPEN_ORDERS = `from transactions t where t.status = 'PROCESSING' and ${HAS_JOB}`

/** Call it with the rail account locked: whoever submits an order to it waits, or has committed already. */
async function hasOpenOrders(client: Queryable, name: string): Promise<boolean> {
  const { rowCount } = await client.query(`select ${OPEN_ORDERS} and t.rail_account = $1 limit 1`, [name])
  return rowCount !== 0
}

const merged = (before: Values, change: Values): Values =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''))

/** A rail account with the providers routed to it and its orders without a result. */
export interface RailAccountView extends RailAccountRow {
  readonly providers: readonly string[]
  /** Orders without a result. */
  readonly open_orders: bigint
}

/** All that are not removed, or the one with this name. */
export const listRailAccounts = (pool: Pool, name?: string): Promise<RailAccountView[]> =>
  rowsOf<RailAccountView>(
    pool,
    `with open as (select t.rail_account, count(*) as orders ${OPEN_ORDERS} group by 1)
       select ${RAIL_ACCOUNT_COLUMNS.replaceAll(/\w+/g, 'i.$&')},
         array(select code from providers p where p.rail_account = i.name order by code) as providers,
         coalesce((select orders from open where rail_account = i.name), 0) as open_orders
       from rail_accounts i where removed_at is null and ($1::text is null or i.name = $1) order by i.name`,
    [name],
  )

/**
 * Takes a rail account out of use: deletes its credentials, keeps its name. One statement, so that no order can be
 * submitted to it in between.
 * @returns false when a provider is routed to it, or one of its orders has no result
 */
export const removeRailAccount = (
  pool: AuditedPool,
  box: SecretBox,
  name: string,
  now: Date,
  by?: string,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    await client.query('select from rail_accounts where name = $1 for update', [name])
    const { rowCount } = await client.query(
      `update rail_accounts set removed_at = $2, updated_at = $2, sealed_settings = $3, sealed_callback_keys = null
       where name = $1 and removed_at is null
         and not exists (select from providers where rail_account = $1)
         and not exists (select ${OPEN_ORDERS} and t.rail_account = $1)`,
      [name, now, sealSettings(box, name, {})],
    )
    if (rowCount === 1) await recordChange(client, name, 'removed', by, now)
    return rowCount === 1
  })

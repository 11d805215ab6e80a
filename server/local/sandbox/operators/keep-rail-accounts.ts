import { newTokenKey, type CallbackKeys } from '../../../domain/callback-tokens.ts'
import type { Random } from '../../../domain/references.ts'
import { railKind } from '../../../rails/registry.ts'
import { settingsOf } from '../../../rails/settings.ts'
import { inTransaction, type Pool } from '../../../storage/pool.ts'
import {
  openCallbackKeys,
  sealCallbackKeys,
  sealSettings,
  type RailAccountRow,
} from '../../../storage/rail-accounts.ts'
import type { SecretBox } from '../../../storage/secret-box.ts'
import { WIRE_RAIL_ACCOUNTS, type WireRailAccount } from './wire-rail-accounts.ts'

/** The desired state of one of the sandbox's rail accounts. */
interface SandboxRailAccount extends Pick<WireRailAccount, 'name' | 'rail' | 'currency' | 'settings'> {
  readonly baseUrl: string
}

/** What an earlier start has left of a rail account. */
interface LastRailAccount {
  readonly rail: string
  /** The last address of its operator. */
  readonly baseUrl: string
  readonly callbackKeys: CallbackKeys
}

/** By name. */
export async function lastRailAccounts(pool: Pool, box: SecretBox): Promise<ReadonlyMap<string, LastRailAccount>> {
  const { rows } = await pool.query<Pick<RailAccountRow, 'name' | 'rail' | 'base_url' | 'sealed_callback_keys'>>(
    'select name, rail, base_url, sealed_callback_keys from rail_accounts where name = any($1)',
    [WIRE_RAIL_ACCOUNTS.map(({ name }) => name)],
  )
  return new Map(
    rows.map((row) => [row.name, { rail: row.rail, baseUrl: row.base_url, callbackKeys: openCallbackKeys(box, row) }]),
  )
}

/**
 * Brings the rail accounts to their desired state: adds missing ones and restores removed ones. Where an operator or
 * the gateway has a new address it updates them, even while orders wait: it is the same operator.
 */
export const keepRailAccounts = (
  pool: Pool,
  box: SecretBox,
  random: Random,
  kept: readonly SandboxRailAccount[],
  now: Date,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    for (const { name, rail, currency, baseUrl, settings } of kept) {
      const { plain, secret } = divided(rail, settings)
      await client.query(
        `insert into rail_accounts as i (name, rail, environment, currency, base_url, settings, sealed_settings,
           sealed_callback_keys, updated_at, created_at)
         values ($1, $2, 'trial', $3, $4, $5, $6, $7, $8, $8)
         on conflict (name) do update
           set base_url = excluded.base_url, settings = excluded.settings, sealed_settings = excluded.sealed_settings,
             sealed_callback_keys = coalesce(i.sealed_callback_keys, excluded.sealed_callback_keys),
             updated_at = excluded.updated_at, removed_at = null, down_since = null
         where i.rail = excluded.rail and (i.base_url <> excluded.base_url or i.settings::jsonb <> excluded.settings::jsonb
           or i.removed_at is not null)`,
        [
          name,
          rail,
          currency,
          baseUrl,
          JSON.stringify(plain),
          sealSettings(box, name, secret),
          sealCallbackKeys(box, name, [newTokenKey(random)]),
          now,
        ],
      )
    }
  })

function divided(rail: string, settings: SandboxRailAccount['settings']) {
  const kind = railKind(rail)
  const known = kind ? settingsOf(kind) : {}
  const entries = Object.entries(settings)
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !known[name]?.secret)),
    secret: Object.fromEntries(entries.filter(([name]) => known[name]?.secret)),
  }
}

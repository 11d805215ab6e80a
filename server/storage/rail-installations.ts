import type { Environment, Installation } from '../domain/installation.ts'
import { available, type Queryable } from './pool.ts'
import { railSettings } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

export interface InstallationRow {
  readonly name: string
  readonly rail: string
  readonly environment: Environment
  readonly currency: string
  readonly base_url: string
  readonly callback_token: string
  readonly settings: Readonly<Record<string, string>>
  readonly sealed_settings: Uint8Array
  readonly updated_at: Date
  readonly down_since: Date | null
}

export const INSTALLATION_COLUMNS =
  'name, rail, environment, currency, base_url, callback_token, settings, sealed_settings, updated_at, down_since'

/** All that are not removed, in the order of their names. */
export async function readInstallations(database: Queryable): Promise<readonly InstallationRow[]> {
  const { rows } = await database.query<InstallationRow>(
    `select ${INSTALLATION_COLUMNS} from rail_installations where removed_at is null order by name`,
  )
  return rows
}

/** With its secrets opened. @throws WrongMasterKey */
export const toInstallation = (box: SecretBox, row: InstallationRow): Installation => ({
  name: row.name,
  rail: row.rail,
  environment: row.environment,
  currency: row.currency,
  baseUrl: row.base_url,
  callbackToken: row.callback_token,
  settings: { ...row.settings, ...openSettings(box, row) },
  updatedAt: row.updated_at,
  ...(row.down_since && { downSince: row.down_since }),
})

/** The secret ones among an installation's settings. @throws WrongMasterKey */
export const openSettings = (
  box: SecretBox,
  { name, sealed_settings }: Pick<InstallationRow, 'name' | 'sealed_settings'>,
): Readonly<Record<string, string>> =>
  JSON.parse(box.open(sealed_settings, railSettings(name))) as Record<string, string>

/** Seals the secret settings of an installation. */
export const sealSettings = (box: SecretBox, name: string, secrets: Readonly<Record<string, string>>): Buffer =>
  box.seal(JSON.stringify(secrets), railSettings(name))

/** Tells all processes whether an operator answers. Who says so first is believed; the same again changes nothing. */
export async function markOutage(database: Queryable, name: string, downSince: Date | undefined): Promise<void> {
  await available(() =>
    database.query(
      `update rail_installations set down_since = $2
       where name = $1 and (down_since is null) <> ($2::timestamptz is null) and removed_at is null`,
      [name, downSince],
    ),
  )
}

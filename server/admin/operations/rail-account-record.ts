import { directionsOf } from '../../rails/directions.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { packageOf, RAIL_KINDS, railKind } from '../../rails/registry.ts'
import { settingsOf, withDefaults } from '../../rails/settings.ts'
import { openSettings } from '../../storage/rail-accounts.ts'
import type { RailAccountView } from '../queries/rail-accounts.ts'
import type { OperationContext } from './operation.ts'
import type { NamedRailAccount } from './rail-account-named.ts'

/** Settings that name files of the servers. */
export const OF_THE_MACHINE: readonly string[] = ['ca_file']

/** All kinds of rails with the settings that an account takes, for people and forms. */
export const railKindRecords = () =>
  RAIL_KINDS.map((kind) => {
    const { sha256 } = packageOf(kind.name) ?? {}
    return {
      kind: kind.name,
      title: kind.title,
      ...(sha256 !== undefined && { package_sha256: sha256 }),
      settings: Object.entries(settingsOf(kind))
        .filter(([name]) => !OF_THE_MACHINE.includes(name))
        .map(([name, { meaning, secret, default: value, optional }]) => ({
          name,
          meaning,
          is_secret: secret === true,
          is_required: value === undefined && optional !== true,
          ...(value !== undefined && { default: value }),
        })),
    }
  })

const openedOf = async ({ secretBox }: Pick<OperationContext, 'secretBox'>, row: RailAccountView) => ({
  ...row.settings,
  ...openSettings(await secretBox(), row),
})

/** A rail account without settings; the types of payments are those for which it has the credentials. */
export async function railAccountRecord(context: Pick<OperationContext, 'secretBox'>, row: RailAccountView) {
  const kind = railKind(row.rail)
  return {
    name: row.name,
    kind: row.rail,
    title: kind?.title ?? row.rail,
    environment: row.environment,
    currency: row.currency,
    base_url: row.base_url,
    private_network: row.settings['private_network'] === 'yes',
    providers: row.providers,
    transaction_types: kind ? directionsOf(kind, await openedOf(context, row)) : [],
    open_orders: row.open_orders,
    updated_at: row.updated_at,
  }
}

/** The settings of a rail account for people, defaults included. Secrets are only reported as set. */
export const maskedSettings = async (
  context: Pick<OperationContext, 'secretBox'>,
  { railAccount, kind }: NamedRailAccount,
): Promise<{ name: string; value: string }[]> =>
  shownSettings(kind, await openedOf(context, railAccount)).map(([name, value]) => ({
    name,
    value: name === 'statement_account' ? `…${value.slice(-3)}` : value,
  }))

/**
 * Name, value and whether it is the default, for people, in the order of the docs. A secret is only reported as set.
 */
export function shownSettings(kind: RailKind, given: SettingValues): readonly (readonly [string, string])[] {
  const values = withDefaults(kind, given)
  return Object.entries(settingsOf(kind)).flatMap(([name, { secret }]) => {
    const value = values[name]
    if (value === undefined) return []
    if (secret) return [[name, 'set, not shown'] as const]
    return [[name, given[name] === undefined ? `${value} (default)` : onOneLine(value)] as const]
  })
}

/** For a certificate the first line is enough. */
function onOneLine(value: string): string {
  const [first = '', ...more] = value.split('\n')
  return more.length === 0 ? first : `${first} … (${more.length + 1} lines)`
}

import { randomBytes } from 'node:crypto'
import { newTokenKey, type TokenKey } from '../../domain/callback-tokens.ts'
import { directionsOf } from '../../rails/directions.ts'
import { fixedIn } from '../../rails/settings.ts'
import {
  changeRailAccount,
  listRailAccounts,
  removeRailAccount,
  type RailAccountView,
} from '../queries/rail-accounts.ts'
import type { Pool } from '../../storage/pool.ts'
import { toRailAccount } from '../../storage/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import { openSecretBox, withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { checkBaseUrl } from './rail-base-url.ts'
import { checkTogether } from './rail-connected.ts'
import { railAccountNamed } from './rail-named.ts'
import { checkSettings, divided, givenSettings, withoutEmpty, type SettingsInput } from './rail-settings.ts'
import { toRecord } from './rail-show.ts'
import { railAccountValues } from './rail-values.ts'
import { staffAction, type StaffOptions } from './staff-action.ts'

interface SetOptions extends SettingsInput, StaffOptions {
  readonly baseUrl?: string
  readonly newToken?: true
  readonly endOldTokens?: true
}

export const newKey = (): TokenKey => newTokenKey({ bytes: (size) => randomBytes(size) })

/** `malipo rail set` */
export async function set(name: string, options: SetOptions): Promise<void> {
  const { baseUrl, newToken, endOldTokens, json } = options
  const changed = await withDatabase(async (context) => {
    const { railAccount, kind } = await railAccountNamed(context, name)
    const box = await openSecretBox(context)
    const values = await givenSettings(kind, options)
    if (Object.keys(values).length === 0 && baseUrl === undefined && !newToken && !endOldTokens)
      throw usedWrongly(
        'malipo: say what to change, for example --set requests_per_second=20.\nAdd --help to see what it takes, with an example.',
      )
    const opened = toRailAccount(box, railAccount)
    const settings = withoutEmpty({ ...opened.settings, ...values })
    checkSettings(kind, settings)
    if (baseUrl !== undefined || values['private_network'] !== undefined)
      checkBaseUrl(context.config, kind, baseUrl ?? railAccount.base_url, settings)
    await checkTogether(context, kind, { ...opened, ...(baseUrl && { baseUrl: new URL(baseUrl).origin }), settings })
    const moved = baseUrl !== undefined && new URL(baseUrl).origin !== railAccount.base_url
    const fixed = [...(moved ? ['--base-url'] : []), ...fixedIn(kind, opened.settings, values)]
    const current = async (pool: Pool) => (await railAccountNamed({ ...context, pool }, name)).railAccount
    await staffAction(context, { command: 'rail set', subject: name, input: JSON.stringify(values) }, options, {
      async apply(pool) {
        const change = {
          baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
          callbackKey: newToken || endOldTokens ? newKey() : undefined,
          endsFormerAddresses: endOldTokens === true,
          ...divided(kind, values),
          requiresNoOpenOrders: fixed.length > 0,
          by: context.actor.name,
        }
        const result = await changeRailAccount(pool, box, name, change, context.clock.now())
        if (result === 'orders_open') throw ordersOpen(name, fixed)
        return result
      },
      read: async (pool, result) =>
        railAccountValues(kind, box, await current(pool), result && { settings: values, newToken, endOldTokens }),
    })
    return { railAccount: await current(context.pool), types: directionsOf(kind, settings) }
  })
  if (json) printJson(toRecord(changed.railAccount, changed.types))
  else print(`${name} is changed; running servers know it within a second.`)
}

const ordersOpen = (name: string, fixed: readonly string[]): CliError =>
  new CliError(
    `malipo: ${fixed.join(', ')} cannot change while orders of ${name} wait for a result: they could not be polled, and might be sent twice.\nAdd another connection and connect the providers to it; this one finishes its orders.`,
  )

/** `malipo rail remove` */
export async function remove(name: string, options: StaffOptions): Promise<void> {
  await withDatabase(async (context) => {
    const { railAccount, kind } = await railAccountNamed(context, name)
    const box = await openSecretBox(context)
    await staffAction(context, { command: 'rail remove', subject: name }, options, {
      async read(pool) {
        const [row] = await listRailAccounts(pool, name)
        return row ? railAccountValues(kind, box, row) : {}
      },
      async apply(pool) {
        if (!(await removeRailAccount(pool, box, name, context.clock.now(), context.actor.name)))
          throw stillUsed(railAccount)
      },
    })
  })
  if (options.json) printJson({ name, removed: true })
  else print(`${name} is removed; its credentials are gone from the database.`)
}

function stillUsed({ name, providers, open_orders: open }: RailAccountView): CliError {
  return new CliError(
    providers.length > 0
      ? `malipo: ${providers.join(', ')} ${providers.length === 1 ? 'leads' : 'lead'} to ${name}. Connect them elsewhere first: ${MALIPO} provider set <provider> --rail <other> --reason <text>, or --no-rail for --rail <other>`
      : `malipo: ${open} ${open === 1n ? 'order' : 'orders'} of ${name} ${open === 1n ? 'waits' : 'wait'} for a result. See them: ${MALIPO} transaction list --status PROCESSING`,
  )
}

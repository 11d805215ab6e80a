import { removeRailAccount, setRailAccount } from '../operations/change-rail-account.ts'
import { railAccountNamed } from '../operations/rail-account-named.ts'
import { withDatabase } from './database.ts'
import { print, printJson } from './output.ts'
import { recordNamed } from './rail-add.ts'
import { givenSettings, type SettingsInput } from './rail-settings.ts'
import { runChange } from './run-change.ts'
import type { StaffOptions } from './staff-action.ts'

interface SetOptions extends SettingsInput, StaffOptions {
  readonly baseUrl?: string
  readonly newToken?: true
  readonly endOldTokens?: true
}

/** `malipo rail set` */
export async function set(name: string, options: SetOptions): Promise<void> {
  const { baseUrl, newToken, endOldTokens, json } = options
  const changed = await withDatabase(async (context) => {
    const { kind } = await railAccountNamed(context, name)
    const settings = await givenSettings(kind, options)
    const input = { base_url: baseUrl, settings, new_token: newToken, end_old_tokens: endOldTokens }
    await runChange(context, setRailAccount, { rail_account: name, ...input }, options)
    return recordNamed(context, name)
  })
  if (json) printJson(changed)
  else print(`${name} is changed; running servers know it within a second.`)
}

/** `malipo rail remove` */
export async function remove(name: string, options: StaffOptions): Promise<void> {
  await withDatabase((context) => runChange(context, removeRailAccount, { rail_account: name }, options))
  if (options.json) printJson({ name, removed: true })
  else print(`${name} is removed; its credentials are gone from the database.`)
}

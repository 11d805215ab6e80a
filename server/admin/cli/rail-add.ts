import { directionsOf } from '../../rails/directions.ts'
import type { RailKind } from '../../rails/rail-kind.ts'
import { openSettings } from '../../storage/rail-accounts.ts'
import { addRailAccount } from '../operations/change-rail-account.ts'
import { kindNamed, railAccountNamed } from '../operations/rail-account-named.ts'
import { MALIPO } from './called-as.ts'
import { withDatabase, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { sandboxOperator } from './rail-sandbox.ts'
import { queryForMissing, givenSettings, type SettingsInput } from './rail-settings.ts'
import { toRecord } from './rail-show.ts'
import { runAddition } from './run-change.ts'
import type { RecordedOptions } from './staff-action.ts'

interface AddOptions extends SettingsInput, RecordedOptions {
  readonly currency?: string
  readonly baseUrl?: string
  readonly sandbox?: true
}

/** `malipo rail add` */
export async function add(name: string, kindName: string, { json, reason, ...options }: AddOptions): Promise<void> {
  const kind = kindNamed(kindName)
  const added = await withDatabase(async (context) => {
    const { given, ...place } = await leadingTo(context, kind, options)
    const settings = await queryForMissing(kind, given)
    await runAddition(context, addRailAccount, { rail_account: name, kind: kindName, ...place, settings }, { reason })
    return recordNamed(context, name)
  })
  if (json) return printJson(added)
  print(`${name} is connected to ${kind.title}; running servers know it within a second.

Test it, no money is moved:
  ${MALIPO} rail check ${name}
Connect a provider to it:
  ${MALIPO} provider set <provider> --rail ${name} --reason <text>
or add one: ${MALIPO} provider add --help`)
}

/** A rail account as `--json` prints it. */
export async function recordNamed(context: Context, name: string): Promise<object> {
  const { railAccount, kind } = await railAccountNamed(context, name)
  const secrets = openSettings(await context.secretBox(), railAccount)
  return toRecord(railAccount, directionsOf(kind, { ...railAccount.settings, ...secrets }))
}

/** @throws CliError when the options give neither the operator's address nor the simulator */
async function leadingTo(
  context: Context,
  kind: RailKind,
  { currency, baseUrl, sandbox, ...options }: Omit<AddOptions, 'json' | 'reason'>,
) {
  const given = await givenSettings(kind, options)
  if (sandbox) {
    if (baseUrl !== undefined) throw usedWrongly('malipo: --sandbox finds the address: unset --base-url')
    const operator = await sandboxOperator(context, kind, currency)
    return { currency: operator.currency, base_url: operator.baseUrl, given: { ...operator.settings, ...given } }
  }
  if (currency === undefined || baseUrl === undefined)
    throw usedWrongly(
      'malipo: say where the operator is with --currency and --base-url, or --sandbox for a simulator on this machine.\nAdd --help to see what it takes, with an example.',
    )
  return { currency, base_url: baseUrl, given }
}

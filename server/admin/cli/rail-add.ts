import { faultOfRailAccountName } from '../../domain/rail-account.ts'
import { directionsOf } from '../../rails/directions.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { addRailAccount, type RailAccountView } from '../queries/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import { openSecretBox, withDatabase, type Context } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { checkBaseUrl } from './rail-base-url.ts'
import { newKey } from './rail-change.ts'
import { checkTogether } from './rail-connected.ts'
import { railAccountNamed, kindNamed } from './rail-named.ts'
import { sandboxOperator } from './rail-sandbox.ts'
import {
  queryForMissing,
  checkSettings,
  divided,
  givenSettings,
  withoutEmpty,
  type SettingsInput,
} from './rail-settings.ts'
import { toRecord } from './rail-show.ts'
import { railAccountValues } from './rail-values.ts'
import { addition, recordedAction, type RecordedOptions } from './staff-action.ts'

interface AddOptions extends SettingsInput, RecordedOptions {
  readonly currency?: string
  readonly baseUrl?: string
  readonly sandbox?: true
}

/** `malipo rail add` */
export async function add(name: string, kindName: string, { json, reason, ...options }: AddOptions): Promise<void> {
  const fault = faultOfRailAccountName(name)
  if (fault !== undefined) throw usedWrongly(`malipo: the name ${fault}`)
  const kind = kindNamed(kindName)
  const { given, ...place } = await leadingTo(kind, options)
  const values = withoutEmpty(await queryForMissing(kind, given))
  checkSettings(kind, values)
  const added = await withDatabase((context) => connect(context, { name, kind, ...place, values }, { reason }))
  if (json) return printJson(toRecord(added, directionsOf(kind, values)))
  print(`${name} is connected to ${kind.title}; running servers know it within a second.

Test it, no money is moved:
  ${MALIPO} rail check ${name}
Connect a provider to it:
  ${MALIPO} provider set <provider> --rail ${name} --reason <text>
or add one: ${MALIPO} provider add --help`)
}

interface NewConnection {
  readonly name: string
  readonly kind: RailKind
  readonly currency: string
  readonly baseUrl: string
  readonly values: SettingValues
}

async function connect(
  context: Context,
  { name, kind, currency, baseUrl, values }: NewConnection,
  options: RecordedOptions,
): Promise<RailAccountView> {
  const { config, clock } = context
  checkBaseUrl(config, kind, baseUrl, values)
  const environment = config.mode === 'live' ? 'production' : 'trial'
  const railAccount = { name, rail: kind.name, environment, currency, baseUrl: new URL(baseUrl).origin } as const
  const callbackKey = newKey()
  const callbackKeys = { keys: [callbackKey] }
  await checkTogether(context, kind, { ...railAccount, callbackKeys, settings: values, updatedAt: clock.now() })
  const box = await openSecretBox(context)
  const added = { ...railAccount, callbackKey, ...divided(kind, values), by: context.actor.name }
  return recordedAction(
    context,
    { command: 'rail add', subject: name, input: JSON.stringify(values) },
    options,
    addition(
      async (pool) => {
        if (!(await addRailAccount(pool, box, added, clock.now())))
          throw usedWrongly(
            `malipo: the name ${name} was used before, and a name is never used twice. Change it: ${MALIPO} rail set`,
          )
        return (await railAccountNamed({ ...context, pool }, name)).railAccount
      },
      (row) => railAccountValues(kind, box, row),
    ),
  )
}

/** @throws CliError when the options give neither the operator's address nor the simulator */
async function leadingTo(
  kind: RailKind,
  { currency, baseUrl, sandbox, ...options }: Omit<AddOptions, 'json' | 'reason'>,
) {
  const given = await givenSettings(kind, options)
  if (sandbox) {
    if (baseUrl !== undefined) throw usedWrongly('malipo: --sandbox finds the address: unset --base-url')
    const operator = await withDatabase((context) => sandboxOperator(context, kind, currency))
    return { ...operator, given: { ...operator.settings, ...given } }
  }
  if (currency === undefined || baseUrl === undefined)
    throw usedWrongly(
      'malipo: say where the operator is with --currency and --base-url, or --sandbox for a simulator on this machine.\nAdd --help to see what it takes, with an example.',
    )
  return { currency, baseUrl, given }
}

import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { newTokenKey, type TokenKey } from '../domain/callback-tokens.ts'
import { faultOfInstallationName } from '../domain/installation.ts'
import { directionsOf } from '../rails/directions.ts'
import type { RailKind, SettingValues } from '../rails/rail-kind.ts'
import { fixedIn } from '../rails/settings.ts'
import { addInstallation, changeInstallation, removeInstallation } from '../storage/operators/rail-installations.ts'
import { toInstallation } from '../storage/rail-installations.ts'
import { MALIPO } from './called-as.ts'
import { openSecretBox, withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { checkBaseUrl } from './rail-base-url.ts'
import { checkTogether } from './rail-connected.ts'
import { installationNamed, kindNamed } from './rail-named.ts'
import { sandboxOperator } from './rail-sandbox.ts'
import { askForMissing, checkSettings, divided, givenSettings, type GivenSettings } from './rail-settings.ts'
import { toRecord } from './rail-show.ts'

interface AddOptions extends GivenSettings {
  readonly currency?: string
  readonly baseUrl?: string
  readonly sandbox?: true
  readonly json?: true
}
interface SetOptions extends GivenSettings {
  readonly baseUrl?: string
  readonly newToken?: true
  readonly endOldTokens?: true
  readonly json?: true
}

const newKey = (): TokenKey => newTokenKey({ bytes: (size) => randomBytes(size) })

/** `malipo rail add` */
export async function add(name: string, kindName: string, { json, ...options }: AddOptions): Promise<void> {
  const fault = faultOfInstallationName(name)
  if (fault !== undefined) throw usedWrongly(`malipo: the name ${fault}`)
  const kind = kindNamed(kindName)
  const { currency, baseUrl, given } = await leadingTo(kind, options)
  const values = withoutEmpty(await askForMissing(kind, given))
  checkSettings(kind, values)
  const added = await withDatabase(async (context) => {
    const { config, pool, clock } = context
    checkBaseUrl(config, kind, baseUrl, values)
    const installation = {
      name,
      rail: kind.name,
      environment: config.mode === 'live' ? 'production' : 'trial',
      currency,
      baseUrl: new URL(baseUrl).origin,
    } as const
    const callbackKey = newKey()
    await checkTogether(context, kind, {
      ...installation,
      callbackKeys: { keys: [callbackKey] },
      settings: values,
      updatedAt: clock.now(),
    })
    const isAdded = await addInstallation(
      pool,
      await openSecretBox(context),
      { ...installation, callbackKey, ...divided(kind, values), by: userInfo().username },
      clock.now(),
    )
    if (!isAdded)
      throw usedWrongly(
        `malipo: the name ${name} was given before, and is never given twice. Change it: ${MALIPO} rail set`,
      )
    return (await installationNamed(context, name)).installation
  })
  if (json) return printJson(toRecord(added, directionsOf(kind, values)))
  print(`${name} is connected to ${kind.title}; running servers know it within a second.

Try it, nothing is moved:
  ${MALIPO} rail check ${name}
Let a provider lead there:
  ${MALIPO} provider set <provider> --rail ${name} --reason <text>
or, for one that is not there yet, ${MALIPO} provider add --help`)
}

/** @throws CliError when it is said neither where the operator is nor that it is a simulator */
async function leadingTo(kind: RailKind, { currency, baseUrl, sandbox, ...options }: Omit<AddOptions, 'json'>) {
  const given = await givenSettings(kind, options)
  if (sandbox) {
    if (baseUrl !== undefined) throw usedWrongly('malipo: --sandbox finds the address by itself: leave --base-url away')
    const operator = await withDatabase((context) => sandboxOperator(context, kind, currency))
    return { ...operator, given: { ...operator.settings, ...given } }
  }
  if (currency === undefined || baseUrl === undefined)
    throw usedWrongly(
      'malipo: say where the operator is with --currency and --base-url, or --sandbox for a simulator on this machine.\nAdd --help to see what it takes, with an example.',
    )
  return { currency, baseUrl, given }
}

/** `malipo rail set` */
export async function set(
  name: string,
  { baseUrl, newToken, endOldTokens, json, ...given }: SetOptions,
): Promise<void> {
  const changed = await withDatabase(async (context) => {
    const { installation, kind } = await installationNamed(context, name)
    const box = await openSecretBox(context)
    const values = await givenSettings(kind, given)
    if (Object.keys(values).length === 0 && baseUrl === undefined && !newToken && !endOldTokens)
      throw usedWrongly(
        'malipo: say what to change, for example --set requests_per_second=20.\nAdd --help to see what it takes, with an example.',
      )
    const opened = toInstallation(box, installation)
    const settings = withoutEmpty({ ...opened.settings, ...values })
    checkSettings(kind, settings)
    if (baseUrl !== undefined || values['private_network'] !== undefined)
      checkBaseUrl(context.config, kind, baseUrl ?? installation.base_url, settings)
    await checkTogether(context, kind, { ...opened, ...(baseUrl && { baseUrl: new URL(baseUrl).origin }), settings })
    const moved = baseUrl !== undefined && new URL(baseUrl).origin !== installation.base_url
    const fixed = [...(moved ? ['--base-url'] : []), ...fixedIn(kind, opened.settings, values)]
    const result = await changeInstallation(
      context.pool,
      box,
      name,
      {
        baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
        callbackKey: newToken || endOldTokens ? newKey() : undefined,
        endsFormerAddresses: endOldTokens === true,
        ...divided(kind, values),
        leavesOrders: fixed.length > 0,
        by: userInfo().username,
      },
      context.clock.now(),
    )
    if (result === 'orders_open')
      throw new CliError(
        `malipo: ${fixed.join(', ')} cannot change while orders of ${name} wait for a result: they could not be asked about, and might be sent twice.\nAdd another connection and let the providers lead there; this one ends what it has.`,
      )
    const { installation: after } = await installationNamed(context, name)
    return { installation: after, types: directionsOf(kind, settings) }
  })
  if (json) printJson(toRecord(changed.installation, changed.types))
  else print(`${name} is changed; running servers know it within a second.`)
}

const withoutEmpty = (values: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

/** `malipo rail remove` */
export async function remove(name: string, { json }: { json?: true }): Promise<void> {
  await withDatabase(async (context) => {
    const { installation } = await installationNamed(context, name)
    const { pool, clock } = context
    if (await removeInstallation(pool, await openSecretBox(context), name, clock.now(), userInfo().username)) return
    const { providers, open_orders: open } = installation
    throw new CliError(
      providers.length > 0
        ? `malipo: ${providers.join(', ')} ${providers.length === 1 ? 'leads' : 'lead'} to ${name}. Lead them elsewhere first: ${MALIPO} provider set <provider> --rail <other>, or --no-rail`
        : `malipo: ${open} ${open === 1n ? 'order' : 'orders'} of ${name} ${open === 1n ? 'waits' : 'wait'} for a result. See them: ${MALIPO} transaction list --status PROCESSING`,
    )
  })
  if (json) printJson({ name, removed: true })
  else print(`${name} is removed; its credentials are gone from the database.`)
}

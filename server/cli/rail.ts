import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { type Command } from 'commander'
import { faultOfInstallationName } from '../domain/installation.ts'
import type { RailKind, SettingValues } from '../rails/rail-kind.ts'
import { fixedIn } from '../rails/settings.ts'
import {
  addInstallation,
  changeInstallation,
  listInstallations,
  removeInstallation,
  type InstallationView,
} from '../storage/operators/rail-installations.ts'
import { installationChanges } from '../storage/operators/installation-changes.ts'
import { listExchanges } from '../storage/operators/exchanges.ts'
import { openSettings, toInstallation } from '../storage/rail-installations.ts'
import {
  addExamples,
  addLeaf,
  LIMIT_MAX,
  parseCurrency,
  parseLimit,
  parseOneOf,
  parseSince,
  parseText,
  type Moment,
} from './command.ts'
import { openSecretBox, withDatabase } from './database.ts'
import { CliError, usedWrongly } from './errors.ts'
import { note, print, printable, printFields, printJson, printTable, shortTime } from './output.ts'
import { checkBaseUrl } from './rail-base-url.ts'
import { book } from './rail-book.ts'
import { check } from './rail-check.ts'
import { checkTogether } from './rail-connected.ts'
import { sandboxOperator } from './rail-sandbox.ts'
import { installationNamed, kindNamed, KINDS } from './rail-named.ts'
import {
  askForMissing,
  checkSettings,
  divided,
  givenSettings,
  parseSetting,
  shownSettings,
  type GivenSettings,
} from './rail-settings.ts'

interface AddOptions extends GivenSettings {
  readonly currency?: string
  readonly baseUrl?: string
  readonly sandbox?: true
  readonly json?: true
}
interface SetOptions extends GivenSettings {
  readonly baseUrl?: string
  readonly newToken?: true
  readonly json?: true
}

export function define(group: Command): void {
  addExamples(group, 'malipo rail list')
  addLeaf(group, 'list', 'list the connections to operators, and what leads to them', 'malipo rail list').action(list)
  addLeaf(group, 'show', 'show a connection with its settings; secrets are never shown', 'malipo rail show mtn-uganda')
    .argument('<installation>', 'its name')
    .action(show)
  withSettings(
    addLeaf(
      group,
      'add',
      'connect to an operator: what is missing is asked for, secrets are never echoed',
      'malipo rail add mtn-uganda mtn-momo --currency UGX --base-url https://proxy.momoapi.mtn.com --from mtn.env',
      'malipo rail add kenya daraja --sandbox',
    ),
  )
    .argument('<installation>', 'a name for it, for example mtn-uganda: part of the address at which it reports')
    .argument('<kind>', `the kind of rail: ${KINDS}`)
    .option('--currency <code>', 'what all its payments are in, for example UGX', parseCurrency)
    .option('--base-url <url>', "the operator's address, without a path")
    .option('--sandbox', 'to the simulator that runs on this machine: address and settings are its own')
    .action(add)
  withSettings(
    addLeaf(
      group,
      'set',
      'change settings of a connection; an empty value takes an optional one away',
      'malipo rail set mtn-uganda --set requests_per_second=20',
      'malipo rail set mtn-uganda --from new-keys.env',
    ),
  )
    .argument('<installation>', 'its name')
    .option('--base-url <url>', "the operator's address, when it has moved")
    .option('--new-token', 'give the operator new addresses to report at: the old ones end at once')
    .action(set)
  addLeaf(
    group,
    'check',
    'try credentials, balance and, if given, an account: nothing is moved',
    'malipo rail check mtn-uganda --account 256772000123',
  )
    .argument('<installation>', 'its name')
    .option('--account <number>', 'an account number that the operator knows')
    .action((name: string, options: { account?: string; json?: true }) => check(name, options))
  addLeaf(
    group,
    'log',
    'show what was said with an operator, and what it told by itself, the newest first; secrets and account numbers are masked',
    'malipo rail log --installation mtn-uganda --since 1h',
    'malipo rail log --order 3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11 --json',
  )
    .option('--installation <name>', 'only of this connection')
    .option('--order <id>', 'only about this order: the rail order id of malipo transaction show')
    .option('--since <when>', 'only since then: 90s, 15m, 1h, 7d, or a moment in ISO 8601', parseSince)
    .option('--limit <count>', `at most this many, up to ${LIMIT_MAX}`, parseLimit, 20)
    .action(log)
  addLeaf(
    group,
    'book',
    'book what was moved at the operator without Malipo, a top-up or a withdrawal; no wallet is touched',
    'malipo rail book mtn-uganda in 5000000 --reference 8412345678 --reason "Top-up from our bank, FT26324XK81"',
  )
    .argument('<installation>', 'its name')
    .argument('<direction>', 'in: there is more at the operator since; out: there is less', parseOneOf(['in', 'out']))
    .argument('<amount>', 'in major units, for example 5000 or 10.50')
    .requiredOption(
      '--reference <text>',
      "the operator's own name of the movement, as its statement has it: the same one twice is booked once",
      parseText,
    )
    .requiredOption('--reason <text>', 'why; kept with it', parseText)
    .option('--by <name>', 'who says so; without it whoever is logged in here', parseText)
    .action(book)
  addLeaf(
    group,
    'remove',
    'take a connection out of use: possible once no provider leads there and no order waits for a result',
    'malipo rail remove mtn-uganda',
  )
    .argument('<installation>', 'its name')
    .action(remove)
}

const withSettings = (command: Command): Command =>
  command
    .option('--set <name=value>', 'a setting that is no secret; may be repeated', parseSetting)
    .option('--from <file>', 'settings and secrets from a file with lines name=value; - is standard input')

const newToken = (): string => randomBytes(20).toString('hex')

async function add(name: string, kindName: string, { json, ...options }: AddOptions): Promise<void> {
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
      callbackToken: newToken(),
    } as const
    await checkTogether(context, kind, { ...installation, settings: values, updatedAt: clock.now() })
    const isAdded = await addInstallation(
      pool,
      await openSecretBox(context),
      { ...installation, ...divided(kind, values), by: userInfo().username },
      clock.now(),
    )
    if (!isAdded)
      throw usedWrongly(
        `malipo: the name ${name} was given before, and is never given twice. Change it: malipo rail set`,
      )
    return (await installationNamed(context, name)).installation
  })
  if (json) return printJson(toRecord(added))
  print(`${name} is connected to ${kind.title}; running servers know it within a second.

Try it, nothing is moved:
  malipo rail check ${name}
Let a provider lead there:
  malipo provider set <provider> --rail ${name}
or, for one that is not there yet, malipo provider add --help`)
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

async function set(name: string, { baseUrl, newToken: withNewToken, json, ...given }: SetOptions): Promise<void> {
  const changed = await withDatabase(async (context) => {
    const { installation, kind } = await installationNamed(context, name)
    const box = await openSecretBox(context)
    const values = await givenSettings(kind, given)
    if (Object.keys(values).length === 0 && baseUrl === undefined && !withNewToken)
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
    const changed = await changeInstallation(
      context.pool,
      box,
      name,
      {
        baseUrl: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
        callbackToken: withNewToken ? newToken() : undefined,
        ...divided(kind, values),
        leavesOrders: fixed.length > 0,
        by: userInfo().username,
      },
      context.clock.now(),
    )
    if (changed === 'orders_open')
      throw new CliError(
        `malipo: ${fixed.join(', ')} cannot change while orders of ${name} wait for a result: they could not be asked about, and might be sent twice.\nAdd another connection and let the providers lead there; this one ends what it has.`,
      )
    return (await installationNamed(context, name)).installation
  })
  if (json) printJson(toRecord(changed))
  else print(`${name} is changed; running servers know it within a second.`)
}

const withoutEmpty = (values: SettingValues): SettingValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

async function list({ json }: { json?: true }): Promise<void> {
  const installations = await withDatabase(({ pool }) => listInstallations(pool))
  if (json) return printJson(installations.map(toRecord))
  printTable(
    installations,
    [
      { title: 'INSTALLATION', of: ({ name }) => name },
      { title: 'KIND', of: ({ rail }) => rail },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'FOR', of: ({ environment }) => environment },
      { title: 'ADDRESS', of: addressText, cut: true },
      { title: 'PROVIDERS', of: ({ providers }) => providers.join(', ') || '-', cut: true },
      { title: 'OPEN', of: ({ open_orders }) => open_orders, align: 'right' },
    ],
    'No connection to an operator. Add one: malipo rail add --help',
  )
}

const isPrivate = ({ settings }: InstallationView): boolean => settings['private_network'] === 'yes'
const addressText = (installation: InstallationView): string =>
  `${installation.base_url}${isPrivate(installation) ? ' (private network)' : ''}`

const CHANGES_SHOWN = 5

async function show(name: string, { json }: { json?: true }): Promise<void> {
  const { installation, kind, values, changes } = await withDatabase(async (context) => {
    const found = await installationNamed(context, name)
    const secrets = openSettings(await openSecretBox(context), found.installation)
    const changes = await installationChanges(context.pool, name, CHANGES_SHOWN)
    return { ...found, changes, values: { ...found.installation.settings, ...secrets } }
  })
  const settings = shownSettings(kind, values)
  if (json) return printJson({ ...toRecord(installation), settings: Object.fromEntries(settings), changes })
  printFields([
    ['installation', installation.name],
    ['kind', `${kind.name}: ${kind.title}`],
    ['for', installation.environment],
    ['currency', installation.currency],
    ['address', addressText(installation)],
    ['providers', installation.providers.join(', ') || 'none'],
    ['open orders', installation.open_orders],
    ...settings,
    ...changes.map(({ changed_at, changed_by, what }) => [`${shortTime(changed_at)} by ${changed_by}`, what] as const),
  ])
}

interface LogOptions {
  readonly installation?: string
  readonly order?: string
  readonly since?: Moment
  readonly limit: number
  readonly json?: true
}

async function log({ installation, order, since, limit, json }: LogOptions): Promise<void> {
  const exchanges = await withDatabase(({ pool, clock }) =>
    listExchanges(pool, {
      limit,
      ...(installation !== undefined && { installation }),
      ...(order !== undefined && { orderId: order.toLowerCase() }),
      ...(since && { since: since(clock.now()) }),
    }),
  )
  if (json) return printJson(exchanges)
  if (exchanges.length === 0) return note('Nothing was said.')
  for (const {
    at,
    installation: name,
    purpose,
    method,
    path,
    status,
    durationMs,
    error,
    request,
    reply,
  } of exchanges) {
    const end = purpose === 'callback' ? 'told by itself' : `${status ?? 'no answer'}  ${durationMs} ms`
    print(`${shortTime(at)}  ${name}  ${purpose}  ${method} ${printable(path)}  ${end}`)
    for (const [what, text] of [
      ['sent', request],
      ['got', reply],
      ['fault', error],
    ] as const)
      if (text) print(`  ${what.padEnd(5)} ${printable(text)}`)
  }
}

async function remove(name: string, { json }: { json?: true }): Promise<void> {
  await withDatabase(async (context) => {
    const { installation } = await installationNamed(context, name)
    const { pool, clock } = context
    if (await removeInstallation(pool, await openSecretBox(context), name, clock.now(), userInfo().username)) return
    const { providers, open_orders: open } = installation
    throw new CliError(
      providers.length > 0
        ? `malipo: ${providers.join(', ')} ${providers.length === 1 ? 'leads' : 'lead'} to ${name}. Lead them elsewhere first: malipo provider set <provider> --rail <other>, or --no-rail`
        : `malipo: ${open} ${open === 1n ? 'order' : 'orders'} of ${name} ${open === 1n ? 'waits' : 'wait'} for a result. See them: malipo transaction list --stuck`,
    )
  })
  if (json) printJson({ name, removed: true })
  else print(`${name} is removed; its credentials are gone from the database.`)
}

const toRecord = (installation: InstallationView) => {
  const { name, rail, environment, currency, base_url, providers, open_orders, updated_at } = installation
  return {
    name,
    kind: rail,
    environment,
    currency,
    base_url,
    private_network: isPrivate(installation),
    providers,
    open_orders,
    updated_at,
  }
}

import type { TransactionType } from '../../domain/provider.ts'
import { directionsOf } from '../../rails/directions.ts'
import type { SettingValues } from '../../rails/rail-kind.ts'
import { packageOf, railKind, RAIL_KINDS } from '../../rails/registry.ts'
import { exchangeRecord, listExchanges } from '../queries/exchanges.ts'
import { railAccountChanges } from '../queries/rail-account-changes.ts'
import { listRailAccounts, type RailAccountView } from '../queries/rail-accounts.ts'
import { amountText } from '../../domain/money.ts'
import { railFloats, type RailFloat } from '../queries/rail-floats.ts'
import { railCircuits } from '../../storage/rail-circuits.ts'
import { openSettings } from '../../storage/rail-accounts.ts'
import { MALIPO } from './called-as.ts'
import type { RelativeTime } from './command.ts'
import { withDatabase } from './database.ts'
import { note, print, printable, printFields, printJson, printTable, shortTime } from './output.ts'
import { environmentText, takenAndLacking, takenText } from './rail-directions.ts'
import { railAccountNamed, refuseUnknownRail } from '../operations/rail-account-named.ts'
import { shownSettings } from '../operations/rail-account-record.ts'

/** `malipo rail list` */
export async function list({ json }: { json?: true }): Promise<void> {
  const railAccounts = await withDatabase(async (context) => {
    const box = await context.secretBox()
    const all = await listRailAccounts(context.pool)
    const [circuits, floats] = [await railCircuits(context.pool), await railFloats(context.pool)]
    return all.map((railAccount) => ({
      ...railAccount,
      types: typesOf(railAccount, openSettings(box, railAccount)),
      circuit: circuits.get(railAccount.name),
      float: floats.get(railAccount.name),
    }))
  })
  if (json)
    return printJson(
      railAccounts.map(({ circuit, float, ...railAccount }) => ({
        ...toRecord(railAccount, railAccount.types),
        circuit: circuit?.state ?? 'closed',
        circuit_since: circuit?.since,
        circuit_error: circuit?.last_error ?? undefined,
        next_try_at: circuit?.next_try_at ?? undefined,
        float: floatText(railAccount, float),
        days_left: float?.days_left,
      })),
    )
  printTable(
    railAccounts,
    [
      { title: 'RAIL ACCOUNT', of: ({ name }) => name },
      { title: 'KIND', of: ({ rail }) => rail },
      { title: 'CURRENCY', of: ({ currency }) => currency },
      { title: 'ENVIRONMENT', of: environmentText },
      { title: 'TAKES', of: ({ types }) => takenText(types) ?? '-' },
      { title: 'ADDRESS', of: addressText, cut: true },
      { title: 'PROVIDERS', of: ({ providers }) => providers.join(', ') || '-', cut: true },
      { title: 'DOWN SINCE', of: ({ down_since, circuit }) => downText(down_since ?? circuit?.since) },
      { title: 'FLOAT', of: (railAccount) => floatText(railAccount, railAccount.float), align: 'right' },
      { title: 'OPEN', of: ({ open_orders }) => open_orders, align: 'right' },
    ],
    `No connection to an operator. Add one: ${MALIPO} rail add --help`,
  )
}

const downText = (since: Date | undefined): string | undefined => since && shortTime(since)

/** What payouts may take; undefined where the operator does not say what it pays from. */
const floatText = ({ currency }: RailAccountView, float: RailFloat | undefined): string | undefined =>
  float && float.float_minor !== null ? amountText(float.float_minor, currency) : undefined

/** Empty for a kind that this version does not know. */
function typesOf({ rail, settings }: RailAccountView, secrets: SettingValues): readonly TransactionType[] {
  const kind = railKind(rail)
  return kind ? directionsOf(kind, { ...settings, ...secrets }) : []
}

const isPrivate = ({ settings }: RailAccountView): boolean => settings['private_network'] === 'yes'
const addressText = (railAccount: RailAccountView): string =>
  `${railAccount.base_url}${isPrivate(railAccount) ? ' (private network)' : ''}`

const CHANGES_SHOWN = 5

/** `malipo rail show` */
export async function show(name: string, { json }: { json?: true }): Promise<void> {
  const { railAccount, kind, values, changes } = await withDatabase(async (context) => {
    const found = await railAccountNamed(context, name)
    const secrets = openSettings(await context.secretBox(), found.railAccount)
    const changes = await railAccountChanges(context.pool, name, CHANGES_SHOWN)
    return { ...found, changes, values: { ...found.railAccount.settings, ...secrets } }
  })
  const settings = shownSettings(kind, values)
  if (json)
    return printJson({
      ...toRecord(railAccount, directionsOf(kind, values)),
      settings: Object.fromEntries(settings),
      changes,
    })
  printFields([
    ['rail account', railAccount.name],
    ['kind', `${kind.name}: ${kind.title}`],
    ['package', packageOf(kind.name) && originText(kind.name)],
    ['environment', environmentText(railAccount)],
    ['currency', railAccount.currency],
    ['takes', takenAndLacking(kind, values)],
    ['address', addressText(railAccount)],
    ['providers', railAccount.providers.join(', ') || 'none'],
    ['down since', railAccount.down_since && shortTime(railAccount.down_since)],
    ['open orders', railAccount.open_orders],
    ...settings,
    ...changes.map(({ changed_at, changed_by, what }) => [`${shortTime(changed_at)} by ${changed_by}`, what] as const),
  ])
}

interface LogOptions {
  readonly railAccount?: string
  readonly order?: string
  readonly since?: RelativeTime
  readonly limit: number
  readonly json?: true
}

/** `malipo rail log` */
export async function log({ railAccount, order, since, limit, json }: LogOptions): Promise<void> {
  const exchanges = await withDatabase(async (context) => {
    const found = await listExchanges(context.pool, {
      limit,
      ...(railAccount !== undefined && { railAccount }),
      ...(order !== undefined && { orderId: order.toLowerCase() }),
      ...(since && { since: since(context.clock.now()) }),
    })
    await refuseUnknownRail(context, railAccount, found)
    return found
  })
  if (json) return printJson(exchanges.map(exchangeRecord))
  if (exchanges.length === 0) return note('No exchange is recorded.')
  for (const { at, railAccount: name, purpose, method, path, status, durationMs, error, request, reply } of exchanges) {
    const end = purpose === 'callback' ? 'sent unprompted' : `${status ?? 'no answer'}  ${durationMs} ms`
    print(`${shortTime(at)}  ${name}  ${purpose}  ${method} ${printable(path)}  ${end}`)
    for (const [what, text] of [
      ['sent', request],
      ['got', reply],
      ['fault', error],
    ] as const)
      if (text) print(`  ${what.padEnd(5)} ${printable(text)}`)
  }
}

/** A rail account as `--json` prints it. @param types for which it has the credentials */
export const toRecord = (railAccount: RailAccountView, types: readonly TransactionType[]) => {
  const { name, rail, environment, currency, base_url, providers, open_orders, updated_at } = railAccount
  return {
    name,
    kind: rail,
    environment,
    currency,
    transaction_types: types,
    base_url,
    private_network: isPrivate(railAccount),
    providers,
    open_orders,
    updated_at,
  }
}

/** `malipo rail kinds` */
export function kinds({ json }: { json?: true }): void {
  const known = RAIL_KINDS.map(({ name, title, types }) => ({ kind: name, title, types, package: packageOf(name) }))
  if (json) return printJson(known)
  printTable(
    known,
    [
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'OPERATOR', of: ({ title }) => title },
      { title: 'TAKES', of: ({ types }) => types.map((type) => `${type.toLowerCase()}s`).join(', ') },
      { title: 'FROM', of: ({ kind }) => originText(kind) },
    ],
    'No kind of rail is known.',
  )
}

/** Where the code of a kind came from: a package runs with all rights of the gateway. */
export function originText(kind: string): string {
  const origin = packageOf(kind)
  return origin ? `${origin.path}, SHA-256 ${origin.sha256}` : 'Malipo'
}

import { newTokenKey } from '../../domain/callback-tokens.ts'
import { faultOfRailAccountName, type RailAccount } from '../../domain/rail-account.ts'
import type { RailKind, SettingValues } from '../../rails/rail-kind.ts'
import { divided, faultsOfSettings, fixedIn, withoutEmpty } from '../../rails/settings.ts'
import { toRailAccount, type RailAccountRow } from '../../storage/rail-accounts.ts'
import * as stored from '../queries/rail-accounts.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'
import { kindNamed, railAccountNamed } from './rail-account-named.ts'
import type { DisplayValues } from '../queries/audit-log.ts'
import type { SecretBox } from '../../storage/secret-box.ts'
import { displayValues } from './display-values.ts'
import { shownSettings } from './rail-account-record.ts'
import { accountOf, maskedAccount } from './statement-account.ts'
import { faultOfUrl } from './outbound-url.ts'

interface AddInput {
  readonly rail_account: string
  readonly kind: string
  readonly currency: string
  readonly base_url: string
  readonly settings?: SettingValues | undefined
}

interface SetInput {
  readonly rail_account: string
  readonly base_url?: string | undefined
  /** An empty value removes an optional setting. */
  readonly settings?: SettingValues | undefined
  /** Derives the tokens in callback addresses from a new secret. */
  readonly new_token?: boolean | undefined
  /** The same, and ends the addresses of open orders at once. */
  readonly end_old_tokens?: boolean | undefined
}

type Changed = { readonly rail_account: string }

const rowOf = async (pool: OperationContext['pool'], name: string) =>
  (await railAccountNamed({ pool }, name)).railAccount

/** A connection to an operator, which no provider leads to yet. */
export const addRailAccount: Operation<AddInput, Changed> = {
  name: 'rail add',
  approval: 'rail-settings',
  secretInput: 'settings',
  async prepare(context, { rail_account: name, kind: kindName, currency, base_url: url, settings: given = {} }) {
    const fault = faultOfRailAccountName(name)
    if (fault !== undefined) throw new OperationRefusal('invalid', `the name ${fault}`)
    const kind = kindNamed(kindName)
    const settings = withoutEmpty(given)
    checkSettings(kind, settings)
    checkBaseUrl(context, kind, url, settings)
    const environment = context.mode === 'live' ? 'production' : 'trial'
    const account = { name, rail: kind.name, environment, currency, baseUrl: new URL(url).origin } as const
    const callbackKey = newTokenKey(context.random)
    const callbackKeys = { keys: [callbackKey] }
    await checkTogether(context, kind, { ...account, callbackKeys, settings, updatedAt: context.clock.now() })
    const box = await context.secretBox()
    const added = { ...account, callbackKey, ...divided(kind, settings), by: context.actor.name }
    return {
      subject: name,
      read: async (pool, result) => (result ? railAccountValues(kind, box, await rowOf(pool, name)) : {}),
      async apply(pool) {
        if (await stored.addRailAccount(pool, box, added, context.clock.now())) return { rail_account: name }
        throw new OperationRefusal(
          'invalid',
          `the name ${name} was used before, and a name is never used twice`,
          'Change it: malipo rail set',
        )
      },
    }
  },
}

/** Settings, address and callback tokens of a connection. */
export const setRailAccount: Operation<SetInput, Changed> = {
  name: 'rail set',
  approval: 'rail-settings',
  secretInput: 'settings',
  async prepare(context, input) {
    const { rail_account: name, base_url: url, settings: values = {}, new_token: newToken } = input
    const endOldTokens = input.end_old_tokens === true
    const { railAccount, kind } = await railAccountNamed(context, name)
    if (Object.keys(values).length === 0 && url === undefined && !newToken && !endOldTokens)
      throw new OperationRefusal('invalid', 'say what to change, for example requests_per_second=20')
    const box = await context.secretBox()
    const opened = toRailAccount(box, railAccount)
    const settings = withoutEmpty({ ...opened.settings, ...values })
    checkSettings(kind, settings)
    if (url !== undefined || values['private_network'] !== undefined)
      checkBaseUrl(context, kind, url ?? railAccount.base_url, settings)
    const baseUrl = url === undefined ? undefined : new URL(url).origin
    await checkTogether(context, kind, { ...opened, ...(baseUrl !== undefined && { baseUrl }), settings })
    const moved = baseUrl !== undefined && baseUrl !== railAccount.base_url
    const fixed = [...(moved ? ['base_url'] : []), ...fixedIn(kind, opened.settings, values)]
    return {
      subject: name,
      read: async (pool, result) =>
        railAccountValues(kind, box, await rowOf(pool, name), result && { settings: values, newToken, endOldTokens }),
      async apply(pool) {
        const change = {
          baseUrl,
          callbackKey: newToken || endOldTokens ? newTokenKey(context.random) : undefined,
          endsFormerAddresses: endOldTokens,
          ...divided(kind, values),
          requiresNoOpenOrders: fixed.length > 0,
          by: context.actor.name,
        }
        if ((await stored.changeRailAccount(pool, box, name, change, context.clock.now())) === 'orders_open')
          throw ordersOpen(name, fixed)
        return { rail_account: name }
      },
    }
  },
}

/** Takes a connection out of use, and deletes its credentials. */
export const removeRailAccount: Operation<Pick<SetInput, 'rail_account'>, Changed> = {
  name: 'rail remove',
  approval: 'rail-settings',
  async prepare(context, { rail_account: name }) {
    const { railAccount, kind } = await railAccountNamed(context, name)
    const box = await context.secretBox()
    return {
      subject: name,
      async read(pool) {
        const [row] = await stored.listRailAccounts(pool, name)
        return row ? railAccountValues(kind, box, row) : {}
      },
      async apply(pool) {
        if (await stored.removeRailAccount(pool, box, name, context.clock.now(), context.actor.name))
          return { rail_account: name }
        throw stillUsed(railAccount)
      },
    }
  },
}

/** @throws OperationRefusal that names every fault, never a secret */
function checkSettings(kind: RailKind, given: SettingValues): void {
  const faults = faultsOfSettings(kind, given)
  if (faults.length > 0) throw new OperationRefusal('invalid', faults.join('; '))
}

/**
 * Fails now rather than at the first order.
 * @throws OperationRefusal for settings that a server could not connect with
 */
async function checkTogether({ rails }: OperationContext, kind: RailKind, railAccount: RailAccount): Promise<void> {
  const fault = await rails.faultOf(kind, railAccount)
  if (fault !== undefined)
    throw new OperationRefusal('invalid', `the settings of ${railAccount.name} cannot be used: ${fault}`)
}

const ordersOpen = (name: string, fixed: readonly string[]): OperationRefusal =>
  new OperationRefusal(
    'conflict',
    `${fixed.join(', ')} cannot change while orders of ${name} wait for a result: they could not be polled, and might be sent twice`,
    'Add another connection and connect the providers to it; this one finishes its orders.',
  )

function stillUsed({ name, providers, open_orders: open }: stored.RailAccountView): OperationRefusal {
  return providers.length > 0
    ? new OperationRefusal(
        'conflict',
        `${providers.join(', ')} ${providers.length === 1 ? 'leads' : 'lead'} to ${name}: connect them elsewhere first`,
        'malipo provider set <provider> --rail <other> --reason <text>, or --no-rail for --rail <other>',
      )
    : new OperationRefusal(
        'conflict',
        `${open} ${open === 1n ? 'order' : 'orders'} of ${name} ${open === 1n ? 'waits' : 'wait'} for a result`,
        'See them: malipo transaction list --status PROCESSING',
      )
}

/** What was just changed: a value that is shown only in part would not show that it changed. */
interface RailChange {
  readonly settings: SettingValues
  readonly newToken?: boolean | undefined
  readonly endOldTokens?: boolean | undefined
}

/** A rail account's values for the audit entry: without defaults, secrets and account numbers. */
function railAccountValues(
  kind: RailKind,
  box: SecretBox,
  row: RailAccountRow,
  { settings: changed, newToken, endOldTokens }: RailChange = { settings: {} },
): DisplayValues {
  const { settings } = toRailAccount(box, row)
  const texts = shownSettings(kind, settings)
    .filter(([name]) => settings[name] !== undefined)
    .map(([name, shown]) => {
      const text = name === 'statement_account' ? maskedAccount(accountOf(shown)) : shown
      return [name, changed[name] !== undefined && text !== settings[name] ? `${text} (replaced)` : text] as const
    })
  const addresses = endOldTokens ? 'new, and the former ones ended' : 'new'
  return displayValues({
    kind: kind.name,
    currency: row.currency,
    address: row.base_url,
    ...Object.fromEntries(texts),
    ...((newToken || endOldTokens) && { 'addresses for the operator': addresses }),
  })
}

type Mode = Pick<OperationContext, 'mode'>

/**
 * Checks where a rail account may send requests. Only live mode moves real money, and it must not use an operator's
 * sandbox by mistake.
 * @throws OperationRefusal
 */
function checkBaseUrl(context: Mode, kind: RailKind, url: string, settings: SettingValues): void {
  const fault =
    faultOfAddress(context, url, settings) ?? (/^https?:\/\/[^/?#]+\/?$/.test(url) ? undefined : 'It must have no path')
  if (fault !== undefined) throw new OperationRefusal('invalid', `base_url cannot be used. ${fault}`)
  // A trailing dot does not change a host name.
  const host = new URL(url).hostname.replace(/\.$/, '')
  if (context.mode !== 'live' && kind.productionHosts?.includes(host))
    throw new OperationRefusal(
      'invalid',
      `${host} is where ${kind.title} moves real money: ${context.mode} mode takes its sandbox or a simulator only`,
    )
  if (context.mode === 'live' && kind.sandboxHosts?.includes(host))
    throw new OperationRefusal(
      'invalid',
      `${host} is the sandbox of ${kind.title}, whose payments live mode would book as real ones`,
      'Use MALIPO_MODE=rehearsal',
    )
}

function faultOfAddress(context: Mode, url: string, { private_network: isPrivate }: SettingValues): string | undefined {
  const inPrivate = { allowPrivateNetworks: true } as const
  if (isPrivate === 'yes') return faultOfUrl(context, url, inPrivate)
  const fault = faultOfUrl(context, url)
  return fault !== undefined && faultOfUrl(context, url, inPrivate) === undefined
    ? `${fault}: an operator that is reached through a VPN needs private_network=yes`
    : fault
}

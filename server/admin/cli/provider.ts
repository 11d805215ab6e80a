import type { Command } from 'commander'
import { amountText, amountToWire } from '../../domain/money.ts'
import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import {
  listProviderOptions,
  updateNumberRules,
  updateOption,
  type OptionSettings,
} from '../queries/provider-settings.ts'
import { leadProvider } from '../queries/providers.ts'
import { toRailAccount } from '../../storage/rail-accounts.ts'
import { minorFromText } from './amount.ts'
import { MALIPO } from './called-as.ts'
import {
  addExamples,
  addLeaf,
  parseCurrency,
  parseOneOf,
  parsePercent,
  parsePrefixes,
  parseSpan,
  PREFIX_RULE,
} from './command.ts'
import { openSecretBox, withDatabase, type Context } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { print, printJson, printTable } from './output.ts'
import { defineAdd } from './provider-add.ts'
import { optionsOf, optionValues, toRecord } from './provider-record.ts'
import { warnOfLacks } from './rail-directions.ts'
import { railAccountNamed } from './rail-named.ts'
import { asStaffAction, staffAction, type StaffOptions } from './staff-action.ts'

export function define(group: Command): void {
  addExamples(group, `${MALIPO} provider list --currency UGX`)
  defineList(group)
  defineAdd(group)
  defineSet(group)
}

function defineList(group: Command): void {
  addLeaf(
    group,
    'list',
    'list payment options: provider, type, limits and charge',
    `${MALIPO} provider list --currency UGX --type COLLECTION`,
  )
    .option('--currency <code>', 'only of this currency, for example UGX', parseCurrency)
    .option('--type <type>', 'only COLLECTION or PAYOUT', parseOneOf(['COLLECTION', 'PAYOUT']))
    .action(async ({ currency, type, json }: { currency?: string; type?: TransactionType; json?: true }) => {
      const options = await withDatabase(({ pool }) => listProviderOptions(pool, { currency, type }))
      if (json) return printJson(options.map(toRecord))
      printTable(
        options,
        [
          { title: 'PROVIDER', of: (row) => row.provider_code },
          { title: 'NAME', of: (row) => row.name, cut: true },
          { title: 'TYPE', of: (row) => row.transaction_type },
          { title: 'METHOD', of: (row) => row.method, cut: true },
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'MIN', of: (row) => amountToWire(row.min_amount_minor, row.currency), align: 'right' },
          { title: 'MAX', of: (row) => amountToWire(row.max_amount_minor, row.currency), align: 'right' },
          { title: 'DAILY', of: (row) => amountToWire(row.max_daily_amount_minor, row.currency), align: 'right' },
          { title: 'CHARGE', of: chargeText, align: 'right' },
          { title: 'CREDIT', of: creditText, cut: true },
          { title: 'RAIL', of: (row) => row.rail_account, cut: true },
          { title: 'ACTIVE', of: (row) => (row.is_active ? 'yes' : 'no') },
        ],
        'No payment option. A sandbox gets its providers when the server starts.',
      )
    })
}

function defineSet(group: Command): void {
  asStaffAction(
    addLeaf(
      group,
      'set',
      'change limits, charge, clearing, reserve, phone numbers and rail of a payment option',
      `${MALIPO} provider set mtn_ug --type COLLECTION --charge 1.5 --clearing-delay 24h --reason "Contract of 2026"`,
      `${MALIPO} provider set airtel_ug --type PAYOUT --inactive --reason "Airtel is down"`,
      `${MALIPO} provider set mtn_ug --rail mtn-uganda --reason "It goes live"`,
      `${MALIPO} provider set mpesa_ke --prefix-rule hint --reason "Kenya's numbers are ported"`,
    ),
  )
    .argument('<provider>', 'provider code, for example mtn_ug')
    .option(
      '--type <type>',
      'COLLECTION or PAYOUT; needed for all but --rail, --prefixes and --prefix-rule, which are for both',
      parseOneOf(['COLLECTION', 'PAYOUT']),
    )
    .option('--min <amount>', 'smallest amount per transaction')
    .option('--max <amount>', 'largest amount per transaction')
    .option('--daily <amount>', 'largest amount per account number in 24 hours')
    .option('--charge <percent>', 'charge in percent', parsePercent)
    .option('--charge-flat <amount>', 'charge on top, the same for every transaction')
    .option('--clearing-delay <span>', 'how long a credit stays uncleared: 0, 90s, 15m, 24h, 7d', parseSpan)
    .option('--reserve <percent>', 'part of each credit that is kept back', parsePercent)
    .option('--reserve-for <span>', 'how long it is kept back: 0, 24h, 90d', parseSpan)
    .option(
      '--prefixes <list>',
      'what phone numbers begin with after the country code, for both types: 77,78,76,39',
      parsePrefixes,
    )
    .option('--prefix-rule <rule>', ...PREFIX_RULE)
    .option('--rail <rail-account>', `the connection to its operator, for both types: ${MALIPO} rail list`)
    .option('--no-rail', 'no connection to an operator: simulated in the sandbox, refused elsewhere')
    .option('--active', 'offer it')
    .option('--inactive', 'do not offer it')
    .action((providerCode: string, { inactive, ...options }: SetOptions & { inactive?: true }) => {
      if (inactive && options.active) throw usedWrongly('malipo: --active or --inactive, not both')
      return set(providerCode, inactive ? { ...options, active: false } : options)
    })
}

interface SetOptions extends StaffOptions {
  readonly type?: TransactionType
  /** False for none. */
  readonly rail?: string | false
  readonly min?: string
  readonly max?: string
  readonly daily?: string
  readonly charge?: number
  readonly chargeFlat?: string
  readonly active?: boolean
  readonly clearingDelay?: number
  readonly reserve?: number
  readonly reserveFor?: number
  readonly prefixes?: readonly string[]
  readonly prefixRule?: PrefixRule
}

async function set(providerCode: string, options: SetOptions): Promise<void> {
  const { rail, type, prefixes, prefixRule, json, reason: _reason, yes: _yes, ...ofOption } = options
  const changesOption = Object.values(ofOption).some((value) => value !== undefined)
  const changesNumbers = prefixes !== undefined || prefixRule !== undefined
  if (!changesOption && !changesNumbers && rail === undefined)
    throw usedWrongly(
      'malipo: say what to change, for example --max 5000000.\nAdd --help to see what it takes, with an example.',
    )
  if (changesOption && type === undefined)
    throw usedWrongly('malipo: say which of both to change: --type COLLECTION or --type PAYOUT')
  const changed = await withDatabase(async (context) => {
    const { pool } = context
    const before = await optionsOf(pool, providerCode, type)
    const [first] = before
    if (!first)
      throw notFound(
        `malipo: ${providerCode} does not offer ${type ?? 'anything'}.\nSee what there is: ${MALIPO} provider list`,
      )
    if (changesNumbers && first.method !== 'MOBILE_MONEY')
      throw usedWrongly(`malipo: ${providerCode} is no provider of mobile money: its accounts have no prefixes`)
    if (typeof rail === 'string') await refuseOtherCurrency(context, first, rail)
    const settings = toSettings(ofOption, first.currency)
    await staffAction(context, { command: 'provider set', subject: providerCode }, options, {
      read: async (joined) => optionValues(await optionsOf(joined, providerCode, undefined)),
      async apply(joined) {
        // Submitted orders stay with their rail account; only new orders use the other one.
        if (rail !== undefined) await leadProvider(joined, providerCode, rail === false ? undefined : rail)
        if (changesOption && type !== undefined)
          await updateOption(joined, providerCode, type, settings).catch(contradiction)
        if (changesNumbers) await updateNumberRules(joined, providerCode, { prefixes, prefixRule })
      },
    })
    if (rail !== undefined || ofOption.active) await warn(context, providerCode)
    return optionsOf(pool, providerCode, type)
  })
  if (json) printJson(changed.length === 1 ? changed.map(toRecord)[0] : changed.map(toRecord))
  else print(`${[providerCode, type].filter(Boolean).join(' ')} is changed; running servers know it within a second.`)
}

async function refuseOtherCurrency(
  context: Context,
  { provider_code, currency }: OptionRow,
  rail: string,
): Promise<void> {
  const { railAccount } = await railAccountNamed(context, rail)
  if (railAccount.currency !== currency)
    throw usedWrongly(`malipo: ${rail} moves ${railAccount.currency}, and ${provider_code} pays in ${currency}`)
}

/** Warns where a provider offers more than its rail account can do. */
async function warn(context: Context, providerCode: string): Promise<void> {
  const options = await optionsOf(context.pool, providerCode, undefined)
  const name = options[0]?.rail_account
  if (!name) return
  const { railAccount, kind } = await railAccountNamed(context, name)
  const { settings } = toRailAccount(await openSecretBox(context), railAccount)
  const types = options.filter(({ is_active }) => is_active).map(({ transaction_type }) => transaction_type)
  warnOfLacks(providerCode, types, { name, kind, settings })
}

function toSettings(
  { min, max, daily, charge, chargeFlat, active, clearingDelay, reserve, reserveFor }: Partial<SetOptions>,
  currency: string,
): OptionSettings {
  const minor = (text: string | undefined) => (text === undefined ? undefined : minorFromText(text, currency))
  const given = {
    min_amount_minor: minor(min),
    max_amount_minor: minor(max),
    max_daily_amount_minor: minor(daily),
    charge_bps: charge,
    charge_flat_minor: minor(chargeFlat),
    is_active: active,
    clearing_delay_seconds: clearingDelay,
    reserve_bps: reserve,
    reserve_seconds: reserveFor,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function contradiction(error: Error & { code?: string }): never {
  if (error.code === '23514')
    throw usedWrongly(
      'malipo: these settings contradict each other: the minimum must be above 0, at most the maximum, and that at most the daily limit',
    )
  throw error
}

const chargeText = ({ charge_bps, charge_flat_minor, currency }: OptionRow): string =>
  `${charge_bps / 100} %${charge_flat_minor > 0n ? ` + ${amountText(charge_flat_minor, currency)}` : ''}`

const creditText = ({ clearing_delay_seconds, reserve_bps, reserve_seconds }: OptionRow): string =>
  [
    clearing_delay_seconds > 0 && `after ${clearing_delay_seconds} s`,
    reserve_bps > 0 && reserve_seconds > 0 && `${reserve_bps / 100} % kept ${reserve_seconds} s`,
  ]
    .filter(Boolean)
    .join(', ') || 'at once'

import { InvalidArgumentError, type Command } from 'commander'
import { amountText, amountToWire } from '../../domain/money.ts'
import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import { setProvider } from '../operations/change-provider.ts'
import { optionRecord, optionsOf } from '../queries/option-record.ts'
import { listProviderOptions } from '../queries/provider-settings.ts'
import { MALIPO } from './called-as.ts'
import {
  addExamples,
  addLeaf,
  parseCurrency,
  parseOneOf,
  parsePercent,
  parseBanks,
  parsePrefixes,
  parseSpan,
  PREFIX_RULE,
} from './command.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson, printTable } from './output.ts'
import { defineAdd } from './provider-add.ts'
import { warnAbout } from './rail-directions.ts'
import { runChange } from './run-change.ts'
import { addStaffAction, type StaffOptions } from './staff-action.ts'

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
      if (json) return printJson(options.map(optionRecord))
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
        currency || type
          ? `No payment option ${[type && `of ${type}`, currency && `in ${currency}`].filter(Boolean).join(' ')}.`
          : 'No payment option. A sandbox gets its providers when the server starts.',
      )
    })
}

function defineSet(group: Command): void {
  addStaffAction(
    group,
    'set',
    'change limits, charge, clearing, reserve, phone numbers and rail of a payment option',
    `${MALIPO} provider set mtn_ug --type COLLECTION --charge 1.5 --clearing-delay 24h --reason "Contract of 2026"`,
    `${MALIPO} provider set airtel_ug --type PAYOUT --inactive --reason "Airtel is down"`,
    `${MALIPO} provider set mtn_ug --rail mtn-uganda --reason "It goes live"`,
    `${MALIPO} provider set mpesa_ke --prefix-rule hint --reason "Kenya's numbers are ported"`,
  )
    .argument('<provider>', 'provider code, for example mtn_ug')
    .option(
      '--type <type>',
      'COLLECTION or PAYOUT; needed for all but --rail, --banks, --prefixes and --prefix-rule, which are for both',
      parseOneOf(['COLLECTION', 'PAYOUT']),
    )
    .option('--min <amount>', 'smallest amount per transaction')
    .option('--max <amount>', 'largest amount per transaction')
    .option('--daily <amount>', 'largest amount per account number in 24 hours')
    .option('--charge <percent>', 'charge in percent', parsePercent)
    .option('--charge-flat <amount>', 'charge on top, the same for every transaction')
    .option(
      '--refunds-charge <yes|no>',
      'of collections: whether a refund gives the charge back, too',
      parseOneOf(['yes', 'no']),
    )
    .option('--clearing-delay <span>', 'how long a credit stays uncleared: 0, 90s, 15m, 24h, 7d', parseYear)
    .option('--reserve <percent>', 'part of each credit that is kept back', parsePercent)
    .option('--reserve-for <span>', 'how long it is kept back: 0, 24h, 90d', parseYear)
    .option(
      '--prefixes <list>',
      'what phone numbers begin with after the country code, for both types: 77,78,76,39',
      parsePrefixes,
    )
    .option('--prefix-rule <rule>', ...PREFIX_RULE)
    .option('--banks <list>', 'of a provider of banks: more of them, or other names: kcb_ke=KCB Bank,…', parseBanks)
    .option('--rail <rail-account>', `the connection to its operator, for both types: ${MALIPO} rail list`, parseRail)
    .option('--no-rail', 'no connection to an operator: simulated in the sandbox, refused elsewhere')
    .option('--active', 'offer it')
    .option('--inactive', 'do not offer it')
    .action((providerCode: string, { inactive, ...options }: SetOptions & { inactive?: true }) => {
      if (inactive && options.active) throw usedWrongly('malipo: --active or --inactive, not both')
      return set(providerCode, inactive ? { ...options, active: false } : options)
    })
}

const parseRail = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It must be a name; --no-rail is for none.')
  return text
}

const YEAR_SECONDS = 365 * 86_400
const parseYear = (text: string): number => {
  const seconds = parseSpan(text)
  if (seconds > YEAR_SECONDS) throw new InvalidArgumentError('It must be at most 365d.')
  return seconds
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
  readonly refundsCharge?: 'yes' | 'no'
  readonly clearingDelay?: number
  readonly reserve?: number
  readonly reserveFor?: number
  readonly prefixes?: readonly string[]
  readonly prefixRule?: PrefixRule
  readonly banks?: Readonly<Record<string, string>>
}

async function set(providerCode: string, options: SetOptions): Promise<void> {
  const { type, rail, json } = options
  const input = {
    provider_code: providerCode,
    transaction_type: type,
    min_amount: options.min,
    max_amount: options.max,
    max_daily_amount: options.daily,
    charge_basis_points: options.charge,
    charge_flat: options.chargeFlat,
    clearing_delay_seconds: options.clearingDelay,
    reserve_basis_points: options.reserve,
    reserve_seconds: options.reserveFor,
    is_active: options.active,
    refunds_charge: options.refundsCharge && options.refundsCharge === 'yes',
    prefixes: options.prefixes,
    banks: options.banks,
    prefix_rule: options.prefixRule,
    rail_account: rail === false ? '' : rail,
  }
  const changed = await withDatabase(async (context) => {
    await runChange(context, setProvider, input, options)
    if (rail !== undefined || options.active) await warnAbout(context, providerCode)
    return optionsOf(context.pool, providerCode, type)
  })
  if (json) printJson(changed.length === 1 ? changed.map(optionRecord)[0] : changed.map(optionRecord))
  else print(`${[providerCode, type].filter(Boolean).join(' ')} is changed; running servers know it within a second.`)
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

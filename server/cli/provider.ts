import type { Command } from 'commander'
import { amountToWire, decimalsOf } from '../domain/money.ts'
import type { TransactionType } from '../domain/provider.ts'
import { type OptionRow } from '../storage/option-row.ts'
import {
  listProviderOptions,
  updateOption,
  updatePrefixes,
  type OptionSettings,
} from '../storage/operators/provider-settings.ts'
import { minorFromText } from './amount.ts'
import { addExamples, addLeaf, parseCurrency, parseOneOf, parsePercent, parsePrefixes, parseSpan } from './command.ts'
import { withDatabase } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { print, printJson, printTable } from './output.ts'

export function define(group: Command): void {
  addExamples(group, 'malipo provider list --currency UGX')
  addLeaf(
    group,
    'list',
    'list payment options: provider, type, limits and charge',
    'malipo provider list --currency UGX --type COLLECTION',
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
          { title: 'ACTIVE', of: (row) => (row.is_active ? 'yes' : 'no') },
        ],
        'No payment option. A sandbox gets its providers when the server starts.',
      )
    })
  addLeaf(
    group,
    'set',
    'change limits, charge, clearing, reserve and prefixes of a payment option',
    'malipo provider set mtn_ug --type COLLECTION --charge 1.5 --clearing-delay 24h',
    'malipo provider set airtel_ug --type PAYOUT --inactive',
  )
    .argument('<provider>', 'provider code, for example mtn_ug')
    .requiredOption('--type <type>', 'COLLECTION or PAYOUT', parseOneOf(['COLLECTION', 'PAYOUT']))
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
    .option('--active', 'offer it')
    .option('--inactive', 'do not offer it')
    .action((providerCode: string, { inactive, ...options }: SetOptions & { inactive?: true }) => {
      if (inactive && options.active) throw usedWrongly('malipo: --active or --inactive, not both')
      return set(providerCode, inactive ? { ...options, active: false } : options)
    })
}

interface SetOptions {
  readonly type: TransactionType
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
  readonly json?: true
}

async function set(providerCode: string, options: SetOptions): Promise<void> {
  const changed = await withDatabase(async ({ pool }) => {
    const find = async (): Promise<OptionRow> => {
      const rows = await listProviderOptions(pool, { currency: undefined, type: options.type })
      const found = rows.find((row) => row.provider_code === providerCode)
      if (found) return found
      throw notFound(`malipo: ${providerCode} does not offer ${options.type}.\nSee what there is: malipo provider list`)
    }
    const before = await find()
    const settings = toSettings(options, before.currency)
    if (Object.keys(settings).length === 0 && options.prefixes === undefined)
      throw usedWrongly(
        'malipo: say what to change, for example --max 5000000.\nAdd --help to see what it takes, with an example.',
      )
    if (options.prefixes && before.method !== 'MOBILE_MONEY')
      throw usedWrongly(`malipo: ${providerCode} is no provider of mobile money: its accounts have no prefixes`)
    if (Object.keys(settings).length > 0)
      await updateOption(pool, providerCode, options.type, settings).catch(contradiction)
    if (options.prefixes) await updatePrefixes(pool, providerCode, options.prefixes)
    return find()
  })
  if (options.json) printJson(toRecord(changed))
  else print(`${providerCode} ${options.type} is changed; running servers know it within a second.`)
}

function toSettings(
  { min, max, daily, charge, chargeFlat, active, clearingDelay, reserve, reserveFor }: SetOptions,
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
  `${charge_bps / 100} %${charge_flat_minor > 0n ? ` + ${amountToWire(charge_flat_minor, currency).toFixed(decimalsOf(currency))}` : ''}`

const creditText = ({ clearing_delay_seconds, reserve_bps, reserve_seconds }: OptionRow): string =>
  [
    clearing_delay_seconds > 0 && `after ${clearing_delay_seconds} s`,
    reserve_bps > 0 && reserve_seconds > 0 && `${reserve_bps / 100} % kept ${reserve_seconds} s`,
  ]
    .filter(Boolean)
    .join(', ') || 'at once'

const toRecord = (row: OptionRow) => ({
  provider_code: row.provider_code,
  name: row.name,
  transaction_type: row.transaction_type,
  transaction_method: row.method,
  currency: row.currency,
  min_amount: amountToWire(row.min_amount_minor, row.currency),
  max_amount: amountToWire(row.max_amount_minor, row.currency),
  max_daily_amount: amountToWire(row.max_daily_amount_minor, row.currency),
  charge_basis_points: row.charge_bps,
  charge_flat: amountToWire(row.charge_flat_minor, row.currency),
  clearing_delay_seconds: row.clearing_delay_seconds,
  reserve_basis_points: row.reserve_bps,
  reserve_seconds: row.reserve_seconds,
  is_active: row.is_active,
  asks_for_otp: row.asks_for_otp,
  calling_code: row.calling_code,
  prefixes: row.prefixes,
})

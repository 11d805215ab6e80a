import { InvalidArgumentError, type Command } from 'commander'
import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import { addProviderOfPayments } from '../operations/change-provider.ts'
import { MALIPO } from './called-as.ts'
import { parseBanks, parseCurrency, parsePercent, parsePrefixes, PREFIX_RULE, parseName } from './command.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { warnAbout } from './rail-directions.ts'
import { runAddition } from './run-change.ts'
import { addRecordedAction, type RecordedOptions } from './staff-action.ts'

interface AddOptions extends RecordedOptions {
  readonly name: string
  readonly currency: string
  readonly callingCode?: string
  readonly prefixes?: readonly string[]
  readonly banks?: Readonly<Record<string, string>>
  readonly prefixRule: PrefixRule
  readonly min: string
  readonly max: string
  readonly daily: string
  readonly collectionCharge: number
  readonly payoutCharge: number
  readonly types: readonly TransactionType[]
  readonly rail?: string
  readonly inactive?: true
}

const TYPES = ['COLLECTION', 'PAYOUT'] as const

/** `provider add`: adds a provider of mobile money, or of banks. */
export function defineAdd(group: Command): void {
  addRecordedAction(
    group,
    'add',
    'add a provider of mobile money or of banks, and connect it to an operator',
    `${MALIPO} provider add mtn_ug --name "MTN Uganda" --currency UGX --calling-code 256 --prefixes 77,78,76,39 --min 500 --max 3000000 --daily 7000000 --collection-charge 1.5 --rail mtn-uganda`,
    `${MALIPO} provider add bank_ke --name "Kenyan banks" --currency KES --banks "equity_bank_ke=Equity Bank,kcb_ke=KCB Bank" --types PAYOUT --min 100 --max 250000 --daily 500000 --rail kenya-banks`,
  )
    .argument('<provider>', 'its code: what merchants send as provider_code', parseCode)
    .requiredOption('--name <name>', 'its display name', parseName)
    .requiredOption('--currency <code>', 'what it pays in, for example UGX', parseCurrency)
    .option('--calling-code <digits>', 'country code of its phone numbers, for example 256', parseCallingCode)
    .option('--prefixes <list>', 'what its numbers begin with after the country code: 77,78,76,39', parsePrefixes)
    .option('--banks <list>', 'of banks instead: code and name of each, equity_bank_ke=Equity Bank,…', parseBanks)
    .option('--prefix-rule <rule>', ...PREFIX_RULE, 'strict')
    .requiredOption('--min <amount>', 'smallest amount per transaction')
    .requiredOption('--max <amount>', 'largest amount per transaction')
    .requiredOption('--daily <amount>', 'largest amount per account number in 24 hours')
    .option('--collection-charge <percent>', 'charge of collections in percent', parsePercent, 0)
    .option('--payout-charge <percent>', 'charge of payouts in percent', parsePercent, 0)
    .option('--types <list>', 'COLLECTION, PAYOUT or both with a comma', parseTypes, TYPES)
    .option('--rail <rail-account>', `the connection to its operator: ${MALIPO} rail list`)
    .option('--inactive', 'do not offer it yet')
    .action(add)
}

function parseCode(text: string): string {
  if (!/^[a-z][a-z0-9_]{1,63}$/.test(text))
    throw new InvalidArgumentError('It must be 2 to 64 lower-case letters, digits and underscores, for example mtn_ug.')
  return text
}

function parseCallingCode(text: string): string {
  if (!/^\d{1,3}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 3 digits without a plus, for example 256.')
  return text
}

function parseTypes(text: string): readonly TransactionType[] {
  const given = text.toUpperCase().split(',')
  const types = TYPES.filter((type) => given.includes(type))
  if (types.length !== given.length)
    throw new InvalidArgumentError('It must be COLLECTION, PAYOUT or COLLECTION,PAYOUT.')
  return types
}

async function add(code: string, { json, reason, rail, inactive, types, ...options }: AddOptions): Promise<void> {
  const { banks, callingCode = '', prefixes = [] } = options
  const hasNumbers = callingCode !== '' && prefixes.length > 0
  if (banks ? callingCode !== '' || prefixes.length > 0 : !hasNumbers)
    throw usedWrongly('malipo: --calling-code and --prefixes, or --banks')
  const input = {
    provider_code: code,
    name: options.name,
    currency: options.currency,
    calling_code: callingCode,
    prefixes,
    banks,
    prefix_rule: options.prefixRule,
    transaction_types: types,
    min_amount: options.min,
    max_amount: options.max,
    max_daily_amount: options.daily,
    collection_charge_basis_points: options.collectionCharge,
    payout_charge_basis_points: options.payoutCharge,
    rail_account: rail,
    is_active: !inactive,
  }
  await withDatabase(async (context) => {
    await runAddition(context, addProviderOfPayments, input, { reason })
    await warnAbout(context, code)
  })
  if (json) return printJson({ provider_code: code, rail_account: rail ?? null, transaction_types: types })
  print(`${code} is added${rail === undefined ? `, and is not connected yet: ${MALIPO} provider set ${code} --rail <rail-account> --reason <text>` : `, and uses ${rail}`}.

Allow it to a merchant:
  ${MALIPO} merchant set <merchant>${types.map((type) => ` --enable ${code}:${type}`).join('')} --reason <text>`)
}

import { InvalidArgumentError, type Command } from 'commander'
import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import { addProvider, type NewProvider } from '../queries/providers.ts'
import { toRailAccount } from '../../storage/rail-accounts.ts'
import { minorFromText } from './amount.ts'
import { MALIPO } from './called-as.ts'
import { addLeaf, parseCurrency, parsePercent, parsePrefixes, PREFIX_RULE } from './command.ts'
import { openSecretBox, withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { print, printJson } from './output.ts'
import { parseName } from './people-name.ts'
import { optionsOf, optionValues } from './provider-record.ts'
import { warnOfLacks } from './rail-directions.ts'
import { railAccountNamed } from './rail-named.ts'
import { addition, asRecordedAction, recordedAction, type RecordedOptions } from './staff-action.ts'

interface AddOptions extends RecordedOptions {
  readonly name: string
  readonly currency: string
  readonly callingCode: string
  readonly prefixes: readonly string[]
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

/** `provider add`: adds a mobile money provider. */
export function defineAdd(group: Command): void {
  asRecordedAction(
    addLeaf(
      group,
      'add',
      'add a mobile money provider, and connect it to an operator',
      `${MALIPO} provider add mtn_ug --name "MTN Uganda" --currency UGX --calling-code 256 --prefixes 77,78,76,39 --min 500 --max 3000000 --daily 7000000 --collection-charge 1.5 --rail mtn-uganda`,
    ),
  )
    .argument('<provider>', 'its code: what merchants send as provider_code', parseCode)
    .requiredOption('--name <name>', 'its display name', parseName)
    .requiredOption('--currency <code>', 'what it pays in, for example UGX', parseCurrency)
    .requiredOption('--calling-code <digits>', 'country code of its phone numbers, for example 256', parseCallingCode)
    .requiredOption(
      '--prefixes <list>',
      'what its numbers begin with after the country code: 77,78,76,39',
      parsePrefixes,
    )
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
  const minor = (text: string) => minorFromText(text, options.currency)
  const provider: NewProvider = {
    code,
    name: options.name,
    currency: options.currency,
    callingCode: options.callingCode,
    prefixes: options.prefixes,
    prefixRule: options.prefixRule,
    railAccount: rail,
    options: types.map((type) => ({
      type,
      minAmountMinor: minor(options.min),
      maxAmountMinor: minor(options.max),
      maxDailyAmountMinor: minor(options.daily),
      chargeBps: type === 'COLLECTION' ? options.collectionCharge : options.payoutCharge,
      isActive: !inactive,
    })),
  }
  const { min, max, daily } = { min: minor(options.min), max: minor(options.max), daily: minor(options.daily) }
  if (min <= 0n || min > max || max > daily)
    throw usedWrongly('malipo: the minimum must be above 0, at most the maximum, and that at most the daily limit')
  await withDatabase(async (context) => {
    if (rail !== undefined) {
      const { railAccount, kind } = await railAccountNamed(context, rail)
      if (railAccount.currency !== options.currency)
        throw usedWrongly(`malipo: ${rail} moves ${railAccount.currency}, and ${code} pays in ${options.currency}`)
      const { settings } = toRailAccount(await openSecretBox(context), railAccount)
      if (!inactive) warnOfLacks(code, types, { name: rail, kind, settings })
    }
    await recordedAction(
      context,
      { command: 'provider add', subject: code },
      { reason },
      addition(
        async (pool) => {
          if (!(await addProvider(pool, provider)))
            throw usedWrongly(`malipo: there is a provider ${code} already. Change it: ${MALIPO} provider set`)
          return code
        },
        async (_code, pool) => optionValues(await optionsOf(pool, code, undefined)),
      ),
    )
  })
  if (json) return printJson({ provider_code: code, railAccount: rail ?? null, transaction_types: types })
  print(`${code} is added${rail === undefined ? `, and is not connected yet: ${MALIPO} provider set ${code} --rail <rail-account> --reason <text>` : `, and uses ${rail}`}.

Allow it to a merchant:
  ${MALIPO} merchant set <merchant>${types.map((type) => ` --enable ${code}:${type}`).join('')} --reason <text>`)
}

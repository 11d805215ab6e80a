import type { Command } from 'commander'
import { optionKey } from '../../domain/merchant.ts'
import { amountText, amountToWire } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import type { TermsRow } from '../../storage/merchant-terms.ts'
import type { Pool } from '../../storage/pool.ts'
import { changeTerms, listTerms, type TermsChange } from '../queries/merchant-terms.ts'
import { minorFromText } from './amount.ts'
import { MALIPO } from './called-as.ts'
import { addExamples, addLeaf, parseOneOf, parsePercent } from './command.ts'
import { merchantNamed } from '../operations/merchant-named.ts'
import { withDatabase } from './database.ts'
import { notFound, usedWrongly } from './errors.ts'
import { print, printJson, printTable } from './output.ts'
import { optionsOf } from './provider-record.ts'
import { asStaffAction, shownValues, staffAction, type StaffOptions } from './staff-action.ts'

export function defineTerms(group: Command): void {
  defineKind(group, 'limits', {
    description: 'limits of a merchant that are narrower than those of a provider',
    set: `${MALIPO} merchant limits set 2 mtn_ug --type PAYOUT --max 1000000 --daily 2000000 --reason "New merchant"`,
    remove: `${MALIPO} merchant limits remove 2 mtn_ug --type PAYOUT --reason "Contract of 2026"`,
    list: `${MALIPO} merchant limits list pub_sandbox_demo`,
    options: (command) =>
      command
        .option('--min <amount>', 'smallest amount per transaction')
        .option('--max <amount>', 'largest amount per transaction')
        .option('--daily <amount>', 'largest amount per account number in 24 hours'),
    none: { minAmountMinor: null, maxAmountMinor: null, maxDailyAmountMinor: null },
  })
  defineKind(group, 'charges', {
    description: 'charges of a merchant in place of those of a provider',
    set: `${MALIPO} merchant charges set 2 mtn_ug --type PAYOUT --charge 1.5 --charge-flat 0 --reason "Contract of 2026"`,
    remove: `${MALIPO} merchant charges remove 2 mtn_ug --type PAYOUT --reason "Contract of 2026"`,
    list: `${MALIPO} merchant charges list pub_sandbox_demo`,
    options: (command) =>
      command
        .option('--charge <percent>', 'charge in percent', parsePercent)
        .option('--charge-flat <amount>', 'charge on top, the same for every transaction'),
    none: { chargeBps: null, chargeFlatMinor: null },
  })
}

interface Kind {
  readonly description: string
  /** An example of each command. */
  readonly set: string
  readonly remove: string
  readonly list: string
  readonly options: (command: Command) => Command
  /** Removes the terms of this kind. */
  readonly none: TermsChange
}

interface SetOptions extends StaffOptions {
  readonly type: TransactionType
  readonly min?: string
  readonly max?: string
  readonly daily?: string
  readonly charge?: number
  readonly chargeFlat?: string
}

function defineKind(
  merchantGroup: Command,
  kind: 'limits' | 'charges',
  { description, options, none, ...examples }: Kind,
): void {
  const group = merchantGroup.command(kind).description(description)
  addExamples(group, examples.list)
  const ofOption = (command: Command): Command =>
    asStaffAction(command)
      .argument('<merchant>', 'public key or id')
      .argument('<provider>', 'provider code, for example mtn_ug')
      .requiredOption('--type <type>', 'COLLECTION or PAYOUT', parseOneOf(['COLLECTION', 'PAYOUT']))
  ofOption(
    options(addLeaf(group, 'set', `set ${kind} of a merchant; what is not given stays as it is`, examples.set)),
  ).action((merchant: string, provider: string, given: SetOptions) =>
    change(kind, 'set', merchant, provider, given, (option) => toChange(option, given)),
  )
  ofOption(
    addLeaf(group, 'remove', `remove the ${kind} of a merchant: those of the provider apply`, examples.remove),
  ).action((merchant: string, provider: string, given: SetOptions) =>
    change(kind, 'remove', merchant, provider, given, () => none),
  )
  addLeaf(group, 'list', `list the ${kind} that a merchant has of its own`, examples.list)
    .argument('<merchant>', 'public key or id')
    .action(list)
}

function toChange({ currency }: OptionRow, { min, max, daily, charge, chargeFlat }: SetOptions): TermsChange {
  const minor = (text: string | undefined) => (text === undefined ? undefined : minorFromText(text, currency))
  return {
    minAmountMinor: minor(min),
    maxAmountMinor: minor(max),
    maxDailyAmountMinor: minor(daily),
    chargeBps: charge,
    chargeFlatMinor: minor(chargeFlat),
  }
}

async function change(
  kind: 'limits' | 'charges',
  what: 'set' | 'remove',
  merchant: string,
  providerCode: string,
  options: SetOptions,
  changeOf: (option: OptionRow) => TermsChange,
): Promise<void> {
  const { type } = options
  await withDatabase(async (context) => {
    const { id, public_key } = await merchantNamed(context, merchant)
    const [option] = await optionsOf(context.pool, providerCode, type)
    if (!option)
      throw notFound(`malipo: ${providerCode} does not offer ${type}.\nSee what there is: ${MALIPO} provider list`)
    const terms = changeOf(option)
    if (Object.values(terms).every((value) => value === undefined))
      throw usedWrongly('malipo: nothing to set.\nAdd --help to see what it takes, with an example.')
    refuseWider(option, terms)
    const current = async (pool: Pool) => {
      const rows = await listTerms(pool, id)
      const row = rows.find((one) => one.provider_code === providerCode && one.transaction_type === type)
      return row && toRecord(row, option.currency)
    }
    await staffAction(
      context,
      {
        command: `merchant ${kind} ${what}`,
        subject: public_key,
        merchantId: id,
        reference: `${providerCode} ${type}`,
      },
      options,
      {
        read: async (pool) => shownValues((await current(pool)) ?? {}),
        apply: (pool) => changeTerms(pool, id, { providerCode, type }, terms).catch(contradiction),
      },
    )
  })
  if (options.json) return list(merchant, options)
  print(`The ${kind} of ${merchant} at ${providerCode} ${type} are changed; running servers know it within a second.`)
}

/** A merchant's limits only narrow the provider's, which are mostly the operator's own. */
function refuseWider(option: OptionRow, { minAmountMinor, maxAmountMinor, maxDailyAmountMinor }: TermsChange): void {
  const { currency } = option
  for (const [flag, value, limit, isWider] of [
    ['min', minAmountMinor, option.min_amount_minor, (minor: bigint) => minor < option.min_amount_minor],
    ['max', maxAmountMinor, option.max_amount_minor, (minor: bigint) => minor > option.max_amount_minor],
    [
      'daily',
      maxDailyAmountMinor,
      option.max_daily_amount_minor,
      (minor: bigint) => minor > option.max_daily_amount_minor,
    ],
  ] as const)
    if (typeof value === 'bigint' && isWider(value))
      throw usedWrongly(
        `malipo: --${flag} is wider than the limit of ${option.provider_code}, which is ${amountText(limit, currency)}`,
      )
}

function contradiction(error: Error & { code?: string }): never {
  if (error.code === '23514')
    throw usedWrongly(
      'malipo: these limits contradict each other: the minimum must be above 0, at most the maximum, and that at most the daily limit',
    )
  throw error
}

/** What a merchant has of its own, as `--json` prints it; amounts in major units. */
function toRecord(row: TermsRow, currency: string) {
  const amount = (minor: bigint | null) => (minor === null ? null : amountToWire(minor, currency))
  return {
    min_amount: amount(row.min_amount_minor),
    max_amount: amount(row.max_amount_minor),
    max_daily_amount: amount(row.max_daily_amount_minor),
    charge_basis_points: row.charge_bps,
    charge_flat: amount(row.charge_flat_minor),
  }
}

async function list(name: string, { json }: { readonly json?: true }): Promise<void> {
  const rows = await withDatabase(async (context) => {
    const { id } = await merchantNamed(context, name)
    const options = await optionsOf(context.pool, undefined, undefined)
    const currencies = new Map(options.map((row) => [optionKey(row.provider_code, row.transaction_type), row.currency]))
    return (await listTerms(context.pool, id)).map((row) => {
      const { provider_code, transaction_type } = row
      const currency = currencies.get(optionKey(provider_code, transaction_type)) ?? ''
      return { provider_code, transaction_type, currency, ...toRecord(row, currency) }
    })
  })
  if (json) return printJson(rows)
  printTable(
    rows,
    [
      { title: 'PROVIDER', of: (row) => row.provider_code },
      { title: 'TYPE', of: (row) => row.transaction_type },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'MIN', of: (row) => row.min_amount, align: 'right' },
      { title: 'MAX', of: (row) => row.max_amount, align: 'right' },
      { title: 'DAILY', of: (row) => row.max_daily_amount, align: 'right' },
      {
        title: 'CHARGE',
        of: ({ charge_basis_points: bps }) => (bps === null ? null : `${bps / 100} %`),
        align: 'right',
      },
      { title: 'FLAT', of: (row) => row.charge_flat, align: 'right' },
    ],
    'None of its own: those of the providers apply.',
  )
}

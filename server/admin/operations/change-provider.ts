import type { PrefixRule, TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import type { Pool } from '../../storage/pool.ts'
import { optionRecord, optionsOf } from '../queries/option-record.ts'
import { updateNumberRules, updateOption, type OptionSettings } from '../queries/provider-settings.ts'
import { addProvider, leadProvider, saveBanks, type BankNames } from '../queries/providers.ts'
import { listRailAccounts } from '../queries/rail-accounts.ts'
import { contradiction, minorFromText, minorOrUndefined } from './amount.ts'
import { displayValues } from './display-values.ts'
import { OperationRefusal, type Operation } from './operation.ts'

/** Of one of its two options; amounts in major units, as text. What is absent does not change. */
interface OptionInput {
  readonly min_amount?: string | undefined
  readonly max_amount?: string | undefined
  readonly max_daily_amount?: string | undefined
  readonly charge_basis_points?: number | undefined
  readonly charge_flat?: string | undefined
  readonly clearing_delay_seconds?: number | undefined
  readonly reserve_basis_points?: number | undefined
  readonly reserve_seconds?: number | undefined
  readonly is_active?: boolean | undefined
  /** Of collections: whether a refund gives our charge back, too. */
  readonly refunds_charge?: boolean | undefined
}

interface SetInput extends OptionInput {
  readonly provider_code: string
  /** Of a provider of banks: more of them, or other names. */
  readonly banks?: BankNames | undefined
  /** Needed for all but the three below, which are for both types. */
  readonly transaction_type?: TransactionType | undefined
  readonly prefixes?: readonly string[] | undefined
  readonly prefix_rule?: PrefixRule | undefined
  /** An empty text: none. */
  readonly rail_account?: string | undefined
}

interface AddInput {
  readonly provider_code: string
  /** Makes it a provider of banks: then calling code and prefixes are empty. */
  readonly banks?: BankNames | undefined
  readonly name: string
  readonly currency: string
  readonly calling_code: string
  readonly prefixes: readonly string[]
  readonly prefix_rule?: PrefixRule | undefined
  readonly transaction_types: readonly TransactionType[]
  readonly min_amount: string
  readonly max_amount: string
  readonly max_daily_amount: string
  readonly collection_charge_basis_points?: number | undefined
  readonly payout_charge_basis_points?: number | undefined
  readonly rail_account?: string | undefined
  readonly is_active?: boolean | undefined
}

type Changed = { readonly provider_code: string }

/** The options of both types, each labelled with its type. */
const optionValues = (rows: readonly OptionRow[]) =>
  displayValues(
    Object.fromEntries(
      rows.flatMap((row) =>
        Object.entries(optionRecord(row)).map(([name, value]) => [`${row.transaction_type} ${name}`, value]),
      ),
    ),
  )

/** A provider with its options, which no merchant may use yet. */
export const addProviderOfPayments: Operation<AddInput, Changed> = {
  name: 'provider add',
  approval: 'limits',
  async prepare(context, input) {
    const { provider_code: code, currency, rail_account: railAccount } = input
    const minor = (text: string): bigint => minorFromText(text, currency)
    if (railAccount !== undefined) await refuseOtherCurrency(context.pool, { code, currency, railAccount })
    const charges = { COLLECTION: input.collection_charge_basis_points, PAYOUT: input.payout_charge_basis_points }
    const options = input.transaction_types.map((type) => ({
      type,
      minAmountMinor: minor(input.min_amount),
      maxAmountMinor: minor(input.max_amount),
      maxDailyAmountMinor: minor(input.max_daily_amount),
      chargeBps: charges[type] ?? 0,
      isActive: input.is_active ?? true,
    }))
    const { name, calling_code: callingCode, prefixes, prefix_rule: prefixRule = 'strict', banks } = input
    const provider = { code, name, currency, callingCode, prefixes, prefixRule, railAccount, banks, options }
    return {
      subject: code,
      read: async (pool, added) => (added ? optionValues(await optionsOf(pool, code, undefined)) : {}),
      async apply(pool) {
        if (!(await addProvider(pool, provider)))
          throw new OperationRefusal(
            'conflict',
            `there is a provider ${code} already`,
            'Change it: malipo provider set',
          )
        return { provider_code: code }
      },
      refusalOf: contradiction,
    }
  },
}

/** Limits, charge, clearing, reserve, phone numbers and rail account of a provider. */
export const setProvider: Operation<SetInput, Changed> = {
  name: 'provider set',
  approval: 'limits',
  async prepare(context, input) {
    const { provider_code: code, transaction_type: type, prefixes, prefix_rule: prefixRule } = input
    const [first] = await optionsOf(context.pool, code, type)
    if (!first)
      throw new OperationRefusal(
        'not_found',
        `${code} does not offer ${type ?? 'anything'}`,
        'See what there is: malipo provider list',
      )
    const { currency } = first
    const settings = settingsOf(input, currency)
    const hasSettings = Object.keys(settings).length > 0
    if (hasSettings && type === undefined)
      throw new OperationRefusal('invalid', 'the transaction type is needed: COLLECTION or PAYOUT')
    const ofCollections =
      input.refunds_charge === undefined
        ? (['clearing_delay_seconds', 'reserve_basis_points', 'reserve_seconds'] as const).find((name) => input[name])
        : 'refunds_charge'
    if (ofCollections && type === 'PAYOUT')
      throw new OperationRefusal('invalid', `${ofCollections} is a rule of collections`)
    const hasNumbers = prefixes !== undefined || prefixRule !== undefined
    if (hasNumbers && first.method !== 'MOBILE_MONEY')
      throw new OperationRefusal('invalid', `${code} is no provider of mobile money: its accounts have no prefixes`)
    const { rail_account: railAccount, banks } = input
    if (banks && first.method !== 'BANK') throw new OperationRefusal('invalid', `${code} is no provider of banks`)
    if (!hasSettings && !hasNumbers && !banks && railAccount === undefined)
      throw new OperationRefusal('invalid', 'nothing to change')
    if (railAccount) await refuseOtherCurrency(context.pool, { code, currency, railAccount })
    return {
      subject: code,
      read: async (pool) => optionValues(await optionsOf(pool, code, undefined)),
      async apply(pool) {
        // Submitted orders stay with their rail account; only new orders use the other one.
        if (railAccount !== undefined) await leadProvider(pool, code, railAccount || undefined)
        if (hasSettings && type !== undefined) await updateOption(pool, code, type, settings)
        if (banks) await saveBanks(pool, code, banks)
        if (hasNumbers) await updateNumberRules(pool, code, { prefixes, prefixRule })
        return { provider_code: code }
      },
      ...(banks && {
        done: {
          banks: Object.entries(banks)
            .map(([bank, name]) => `${bank}=${name}`)
            .join(', '),
        },
      }),
      refusalOf: contradiction,
    }
  },
}

function settingsOf(input: OptionInput, currency: string): OptionSettings {
  const settings = {
    min_amount_minor: minorOrUndefined(input.min_amount, currency),
    max_amount_minor: minorOrUndefined(input.max_amount, currency),
    max_daily_amount_minor: minorOrUndefined(input.max_daily_amount, currency),
    charge_bps: input.charge_basis_points,
    charge_flat_minor: minorOrUndefined(input.charge_flat, currency),
    is_active: input.is_active,
    refunds_charge: input.refunds_charge,
    clearing_delay_seconds: input.clearing_delay_seconds,
    reserve_bps: input.reserve_basis_points,
    reserve_seconds: input.reserve_seconds,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

interface Connection {
  readonly code: string
  readonly currency: string
  readonly railAccount: string
}

/** @throws OperationRefusal also when there is no such rail account */
async function refuseOtherCurrency(pool: Pool, { code, currency, railAccount }: Connection): Promise<void> {
  const [found] = await listRailAccounts(pool, railAccount)
  if (!found)
    throw new OperationRefusal('not_found', `there is no rail account ${railAccount}`, 'See them all: malipo rail list')
  if (found.currency !== currency)
    throw new OperationRefusal('invalid', `${railAccount} moves ${found.currency}, and ${code} pays in ${currency}`)
}

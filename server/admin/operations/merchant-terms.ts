import { amountText } from '../../domain/money.ts'
import type { TransactionType } from '../../domain/provider.ts'
import type { OptionRow } from '../../storage/option-row.ts'
import { changeTerms, listTerms, termsRecord, type TermsChange } from '../queries/merchant-terms.ts'
import { optionsOf } from '../queries/option-record.ts'
import { contradiction, minorOrUndefined } from './amount.ts'
import { displayValues } from './display-values.ts'
import { merchantNamed } from './merchant-named.ts'
import { OperationRefusal, type Operation, type OperationContext } from './operation.ts'

export interface TermsInput {
  /** Public key or id. */
  readonly merchant: string
  readonly provider_code: string
  readonly transaction_type: TransactionType
}

/** Amounts in major units, as text; what is absent does not change. */
interface LimitsInput extends TermsInput {
  readonly min_amount?: string | undefined
  readonly max_amount?: string | undefined
  readonly max_daily_amount?: string | undefined
}

interface ChargesInput extends TermsInput {
  readonly charge_basis_points?: number | undefined
  readonly charge_flat?: string | undefined
}

type Changed = { readonly merchant_id: string }

function termsOperation<Input extends TermsInput>(
  name: string,
  changeOf: (input: Input, option: OptionRow) => TermsChange,
): Operation<Input, Changed> {
  return {
    name,
    approval: 'limits',
    async prepare(context, input) {
      const { provider_code: providerCode, transaction_type: type } = input
      const { id, public_key: subject } = await merchantNamed(context, input.merchant)
      const [option] = await optionsOf(context.pool, providerCode, type)
      if (!option)
        throw new OperationRefusal(
          'not_found',
          `${providerCode} does not offer ${type}`,
          'See what there is: malipo provider list',
        )
      const terms = changeOf(input, option)
      if (Object.values(terms).every((value) => value === undefined))
        throw new OperationRefusal('invalid', 'nothing to set', 'Add --help to see what it takes, with an example.')
      refuseWider(option, terms)
      return {
        subject,
        merchantId: id,
        reference: `${providerCode} ${type}`,
        async read(pool: OperationContext['pool']) {
          const row = (await listTerms(pool, id)).find(
            (one) => one.provider_code === providerCode && one.transaction_type === type,
          )
          return row ? displayValues(termsRecord(row, option.currency)) : {}
        },
        async apply(pool) {
          await changeTerms(pool, id, { providerCode, type }, terms)
          return { merchant_id: String(id) }
        },
        refusalOf: contradiction,
      }
    },
  }
}

/** Limits of a merchant, narrower than those of the provider. */
export const setLimits = termsOperation<LimitsInput>('merchant limits set', (input, { currency }) => ({
  minAmountMinor: minorOrUndefined(input.min_amount, currency),
  maxAmountMinor: minorOrUndefined(input.max_amount, currency),
  maxDailyAmountMinor: minorOrUndefined(input.max_daily_amount, currency),
}))

/** Charges of a merchant in place of those of the provider. */
export const setCharges = termsOperation<ChargesInput>('merchant charges set', (input, { currency }) => ({
  chargeBps: input.charge_basis_points,
  chargeFlatMinor: minorOrUndefined(input.charge_flat, currency),
}))

/** Those of the provider apply again. */
export const removeLimits = termsOperation<TermsInput>('merchant limits remove', () => ({
  minAmountMinor: null,
  maxAmountMinor: null,
  maxDailyAmountMinor: null,
}))

/** Those of the provider apply again. */
export const removeCharges = termsOperation<TermsInput>('merchant charges remove', () => ({
  chargeBps: null,
  chargeFlatMinor: null,
}))

/** A merchant's limits only narrow the provider's, which are mostly the operator's own. */
function refuseWider(option: OptionRow, { minAmountMinor, maxAmountMinor, maxDailyAmountMinor }: TermsChange): void {
  const { min_amount_minor: min, max_amount_minor: max, max_daily_amount_minor: daily } = option
  for (const [what, limit, isWider] of [
    ['minimum', min, typeof minAmountMinor === 'bigint' && minAmountMinor < min],
    ['maximum', max, typeof maxAmountMinor === 'bigint' && maxAmountMinor > max],
    ['daily limit', daily, typeof maxDailyAmountMinor === 'bigint' && maxDailyAmountMinor > daily],
  ] as const)
    if (isWider)
      throw new OperationRefusal(
        'invalid',
        `the ${what} is wider than the one of ${option.provider_code}, which is ${amountText(limit, option.currency)}`,
      )
}

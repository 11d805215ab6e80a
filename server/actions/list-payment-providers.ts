import { optionKey, type Merchant } from '../domain/merchant.ts'
import { optionFor } from '../domain/merchant-terms.ts'
import type { Currency } from '../domain/money.ts'
import type { PaymentOption, TransactionType } from '../domain/provider.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/**
 * The merchant's payment options of one currency and type. Inactive ones are included and marked, so that a checkout
 * can show that.
 */
export const listPaymentProviders = (
  { reference }: { reference: ReferenceData },
  merchant: Merchant,
  currency: Currency,
  type: TransactionType,
): readonly PaymentOption[] =>
  reference
    .options(currency, type)
    .filter(({ providerCode }) => merchant.enabledOptions.has(optionKey(providerCode, type)))
    .map((option) => optionFor(option, merchant))

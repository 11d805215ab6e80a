import { checkAmountLimits } from '../domain/amount-limits.ts'
import { collectionChargeOf, creditOf } from '../domain/charge.ts'
import type { Merchant } from '../domain/merchant.ts'
import { fittingProviders } from '../domain/provider-of-number.ts'
import type { PaymentOption } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Transaction } from '../domain/transaction.ts'
import { listPaymentProviders } from './list-payment-providers.ts'
import { chooseBank, type BankChoice } from './payment-steps.ts'
import type { ReferenceData } from './ports/reference-data.ts'

/** How a customer wants to pay now. */
export interface RetryChoice {
  /** As the customer writes it; for mobile money. Absent: the number of the last attempt. */
  readonly phone?: string
  /** Absent: the provider of that number; without a number, that of the last attempt. */
  readonly providerCode?: string
  readonly bank?: BankChoice
}

/** The providers by which a customer may pay this collection now: same method, same currency. */
export const retryOptions = (
  deps: { readonly reference: ReferenceData },
  merchant: Merchant,
  { amount, method }: Transaction,
): readonly PaymentOption[] =>
  listPaymentProviders(deps, merchant, amount.currency, 'COLLECTION').filter(
    (option) => option.method === method && option.isActive && option.hasRail,
  )

/**
 * The collection as its customer wants to pay it now: number, provider, and the charge of that provider.
 * @throws Refusal `invalid_phone_number`, `invalid_provider`, `invalid_amount`, `invalid_bank`,
 *   `invalid_account_number`
 */
export function chooseAgain(
  deps: { readonly reference: ReferenceData },
  merchant: Merchant,
  collection: Transaction,
  { phone, providerCode, bank }: RetryChoice,
): Transaction {
  const options = retryOptions(deps, merchant, collection)
  if (collection.method === 'BANK') {
    const option = options.find((one) => one.providerCode === collection.providerCode)
    return { ...chooseBank(deps, collection, bank), ...chargedBy(option, collection) }
  }
  const wanted = providerCode ?? (phone === undefined ? collection.providerCode : undefined)
  const named = options.filter((one) => wanted === undefined || one.providerCode === wanted)
  const written = phone ?? collection.account
  const [found] = fittingProviders(named, written)
  if (!found) throw new Refusal('invalid_phone_number', `${written} is not a number that can pay here`)
  return { ...collection, account: found.account, ...chargedBy(found.option, collection) }
}

function chargedBy(option: PaymentOption | undefined, { amount, chargeCustomer }: Transaction) {
  if (!option) throw new Refusal('invalid_provider', 'This payment option cannot be used now')
  checkAmountLimits(option, amount)
  const chargeMinor = collectionChargeOf(amount.amountMinor, option, chargeCustomer)
  return {
    providerCode: option.providerCode,
    chargeMinor,
    totalMinor: creditOf(amount.amountMinor, chargeMinor, chargeCustomer),
  }
}

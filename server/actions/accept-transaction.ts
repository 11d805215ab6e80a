import type { AcceptResult } from '../domain/acceptance.ts'
import { boundRefusal } from '../domain/account-bounds.ts'
import { checkAmountLimits, dailyLimitRefusal, outsideLimits } from '../domain/amount-limits.ts'
import { decimalOf, money, moneyFromWire, type Currency, type Money } from '../domain/money.ts'
import { convert } from '../domain/exchange.ts'
import type { PaymentOption, TransactionMethod, TransactionType } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import { IdempotencyKeyTaken } from './idempotency.ts'
import type { Acceptance, NewTransaction } from './ports/acceptance.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import { optionKey, type Merchant } from '../domain/merchant.ts'
import { optionFor } from '../domain/merchant-terms.ts'

// Shared by the acceptance of collections and of payouts.

/**
 * @throws Refusal `duplicate_reference`, `daily_limit_exceeded`, or for a bound of the account number;
 *   IdempotencyKeyTaken for `once` to handle
 */
export async function acceptTransaction(
  { acceptance }: { acceptance: Acceptance },
  transaction: NewTransaction,
  option: PaymentOption,
): Promise<void> {
  const result = await acceptance.accept(transaction)
  if (result === 'idempotency_key_taken') throw new IdempotencyKeyTaken()
  const refusal = acceptanceRefusal(result, transaction, option)
  if (refusal) throw refusal
}

/** Why it was not accepted; undefined if it was. */
export function acceptanceRefusal(
  result: AcceptResult,
  { createdAt, merchantReference }: Pick<NewTransaction, 'createdAt' | 'merchantReference'>,
  { currency }: PaymentOption,
): Refusal | undefined {
  if (typeof result === 'object') {
    if ('exceededMinor' in result) return dailyLimitRefusal(money(result.exceededMinor, currency))
    if ('bound' in result) return boundRefusal(result, createdAt)
    throw new Error('a payment refunds nothing, and expects none')
  }
  if (result !== 'duplicate_reference') return undefined
  return new Refusal('duplicate_reference', `merchant_reference (${merchantReference}) has already been used`)
}

/** The requested amount, and the same in the provider's currency. */
interface Amounts {
  readonly requested: Money
  readonly amount: Money
}

/**
 * Parses the amount of a request digit by digit and checks it against the limits of the provider.
 * @throws Refusal `invalid_amount`; `no_exchange_rate` when the request is in another currency and no rate is
 *   configured
 */
export function amountsOf(option: PaymentOption, request: WireAmount, reference: ReferenceData): Amounts {
  if (decimalOf(String(request.amount)).isNegative) throw outsideLimits(option)
  const requested = moneyFromWire(request.amount, request.currency)
  const amount = inCurrencyOf(option, requested, reference)
  checkAmountLimits(option, amount)
  return { requested, amount }
}

export interface WireAmount {
  readonly currency: Currency
  /** In major units: the text exactly as it was on the wire. It is converted into minor units before any other use. */
  readonly amount: number | string
}

function inCurrencyOf(option: PaymentOption, requested: Money, reference: ReferenceData): Money {
  if (requested.currency === option.currency) return requested
  const rate = reference.rate(requested.currency, option.currency)
  if (!rate)
    throw new Refusal(
      'no_exchange_rate',
      `No exchange rate from ${requested.currency} to ${option.currency} is configured`,
    )
  return convert(requested, rate)
}

interface OptionCriteria {
  readonly providerCode: string
  readonly type: TransactionType
  readonly method: TransactionMethod
}

/**
 * Finds the payment option that a request names, if this merchant may use it now, with the merchant's own terms.
 * @throws Refusal `invalid_provider`: `Invalid provider code (<code>)` (service description: Errors), with the reason
 *   unless the code is unknown
 */
export function findOption(
  reference: ReferenceData,
  merchant: Merchant,
  { providerCode, type, method }: OptionCriteria,
): PaymentOption {
  const refused = (reason: string) =>
    new Refusal('invalid_provider', `Invalid provider code (${providerCode})${reason}`)
  const option = reference.option(providerCode, type)
  if (!option)
    throw refused(
      reference.option(providerCode, type === 'COLLECTION' ? 'PAYOUT' : 'COLLECTION') ? `: does not offer ${type}` : '',
    )
  if (option.method !== method) throw refused(`: does not offer ${method}`)
  if (!option.isActive) throw refused(': inactive')
  if (!option.hasRail) throw refused(': no rail is configured')
  if (!merchant.enabledOptions.has(optionKey(providerCode, type))) throw refused(': not enabled for this merchant')
  return optionFor(option, merchant)
}

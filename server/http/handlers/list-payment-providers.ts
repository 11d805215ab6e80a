import type { components } from '../../../generated/schema.d.ts'
import { listPaymentProviders } from '../../actions/list-payment-providers.ts'
import { dailyAmountOf } from '../../domain/merchant-terms.ts'
import { amountToWire } from '../../domain/money.ts'
import type { PaymentOption } from '../../domain/provider.ts'
import { success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'

export const listPaymentProvidersHandler =
  (deps: HandlerDeps): Handler<'listPaymentProviders'> =>
  ({ merchant, query: { currency, transaction_type } }) => {
    const options = listPaymentProviders(deps, merchant, currency, transaction_type)
    return success('Payment providers retrieved successfully', { payment_providers: options.map(toProvider) })
  }

// Replies write the type capitalised, the filter takes it in upper case (service description: Provider).
const TYPE_NAMES = { COLLECTION: 'Collection', PAYOUT: 'Payout' } as const
const METHOD_NAMES = { MOBILE_MONEY: 'Mobile Money', BANK: 'Bank' } as const

const toProvider = (option: PaymentOption): components['schemas']['Provider'] => ({
  provider_name: option.providerName,
  provider_code: option.providerCode,
  transaction_method: option.method,
  transaction_method_name: METHOD_NAMES[option.method],
  transaction_type: TYPE_NAMES[option.type],
  transaction_currency: option.currency,
  min_amount: amountToWire(option.minAmountMinor, option.currency),
  max_amount: amountToWire(option.maxAmountMinor, option.currency),
  max_daily_amount: amountToWire(dailyAmountOf(option), option.currency),
  // To merchants, a provider without a rail, or with an operator that is down, is inactive.
  is_active: option.isActive && option.hasRail && (!option.isDown || option.isShownWhileDown === true),
  ...(option.prefixes.length > 0 && { option_prefixes: [...option.prefixes] }),
})

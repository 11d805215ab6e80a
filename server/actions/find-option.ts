import { optionKey, type Merchant } from '../domain/merchant.ts'
import type { PaymentOption, TransactionMethod, TransactionType } from '../domain/provider.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ReferenceData } from './ports/reference-data.ts'

interface OptionCriteria {
  readonly providerCode: string
  readonly type: TransactionType
  readonly method: TransactionMethod
}

/**
 * Finds the payment option that a request names, if this merchant may use it now.
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
  return option
}

import type { PaymentOption, TransactionType } from '../domain/provider.ts'
import { columns, type Row } from './rows.ts'

interface OptionFields extends Omit<PaymentOption, 'providerName' | 'type' | 'ownDailyAmountMinor' | keyof RailLink> {
  readonly name: string
  readonly transactionType: TransactionType
}
export type OptionRow = Row<OptionFields>

export const OPTION = columns<OptionFields>({
  providerCode: 'text',
  name: 'text',
  method: 'text',
  transactionType: 'text',
  currency: 'text',
  minAmountMinor: 'bigint',
  maxAmountMinor: 'bigint',
  maxDailyAmountMinor: 'bigint',
  chargeBps: 'int',
  chargeFlatMinor: 'bigint',
  isActive: 'boolean',
  refundsCharge: 'boolean',
  clearingDelaySeconds: 'int',
  reserveBps: 'int',
  reserveSeconds: 'int',
  requiresOtp: 'boolean',
  callingCode: 'text',
  prefixes: 'text[]',
  prefixRule: 'text',
  railAccount: 'text',
})

/** The tables that the columns come from. */
export const OPTIONS = 'payment_options join providers on code = provider_code'

/**
 * @param link whether this gateway is connected to the provider, without which it cannot submit anything there, what
 *   its operator can move, and whether it responds
 */
export function toOption(row: OptionRow, link: (option: UnlinkedOption) => RailLink): PaymentOption {
  const { name, transactionType, ...option } = OPTION.toFields(row)
  const unlinked: UnlinkedOption = { ...option, providerName: name, type: transactionType }
  return { ...unlinked, ...link(unlinked) }
}

/** The part of an option that depends on its rail account. */
export type RailLink = Pick<PaymentOption, 'hasRail' | 'amountStepMinor' | 'isDown' | 'isShownWhileDown'>

/** An option before it is known whether a rail leads to its provider. */
export type UnlinkedOption = Omit<PaymentOption, keyof RailLink>

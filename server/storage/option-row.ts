import type { PaymentOption, TransactionType } from '../domain/provider.ts'
import { columns, type Row } from './rows.ts'

interface OptionFields extends Omit<PaymentOption, 'providerName' | 'type' | keyof RailLink> {
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
  clearingDelaySeconds: 'int',
  reserveBps: 'int',
  reserveSeconds: 'int',
  asksForOtp: 'boolean',
  callingCode: 'text',
  prefixes: 'text[]',
  prefixRule: 'text',
  installation: 'text',
})

/** Whose columns these are. */
export const OPTIONS = 'payment_options join providers on code = provider_code'

/**
 * @param link whether this gateway is connected to a provider, without which nothing could be handed to it, what its
 *   operator can move, and whether it answers
 */
export function toOption(row: OptionRow, link: (option: UnlinkedOption) => RailLink): PaymentOption {
  const { name, transactionType, ...option } = OPTION.toFields(row)
  const unlinked: UnlinkedOption = { ...option, providerName: name, type: transactionType }
  return { ...unlinked, ...link(unlinked) }
}

/** What leads from an option to its operator. */
export type RailLink = Pick<PaymentOption, 'hasRail' | 'amountStepMinor' | 'isDown' | 'isShownWhileDown'>

/** An option of which nobody has looked yet whether a rail leads there. */
export type UnlinkedOption = Omit<PaymentOption, keyof RailLink>

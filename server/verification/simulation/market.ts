/** The market in which the merchants of a schedule sell. */
export interface Market {
  readonly currency: string
  /** Minor units per unit of the amounts that merchants give. */
  readonly unitMinor: bigint
  readonly callingCode: string
  /** Prefixes of phone numbers, after the calling code. */
  readonly prefix: string
  /** The least that its operators move. Absent: the minor unit. */
  readonly amountStepMinor?: bigint
  /** Where payments without an order are reported. */
  readonly railAccount: string
}

export const UGANDA: Market = {
  currency: 'UGX',
  unitMinor: 1n,
  callingCode: '256',
  prefix: '77',
  railAccount: 'with mtn_ug',
}
export const KENYA: Market = {
  currency: 'KES',
  unitMinor: 100n,
  callingCode: '254',
  prefix: '71',
  amountStepMinor: 100n,
  railAccount: 'wire',
}

/** What customers type, in their own way, for the payments of a schedule that are expected. */
export const TYPED = ['INV-1', 'inv 2'] as const

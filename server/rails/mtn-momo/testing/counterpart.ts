import type { ReceivedCallback, SettingValues } from '../../rail-kind.ts'

/** The other party: the customer of a collection, the recipient of a payout, a number that is looked up. */
export type AccountSide = 'payer' | 'payee' | 'holder'

/**
 * The behaviour of a number. `without_money` and `over_limit` concern the payer, which for a payout is our own
 * account.
 */
export type AccountBehaviour =
  'approves' | 'rejects' | 'lets_expire' | 'without_money' | 'over_limit' | 'unknown' | 'active' | 'inactive'

/** An MTN to run the go-live list against: a scripted one, or a simulator. */
export interface Counterpart {
  /** Credentials and all other settings, valid. */
  readonly settings: SettingValues
  readonly currency: string
  /** A number with this behaviour. */
  number(side: AccountSide, behaviour: AccountBehaviour): string | Promise<string>
  /** Advances its clock until any outcome is final. */
  passTime(): Promise<void>
  /** Invalidates all tokens that it has issued. */
  spoilTokens(): Promise<void>
  /** A callback URL with this scheme for an order. */
  callbackUrl(scheme: 'http' | 'https', orderId: string, tail: string): string
  /** The callbacks that it has sent for an order, and their URLs. */
  callbackOf(orderId: string): Promise<{ readonly url: string } & Omit<ReceivedCallback, 'tail'>>
  close(): Promise<void>
}

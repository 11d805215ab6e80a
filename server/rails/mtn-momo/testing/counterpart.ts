import type { ReceivedCallback, SettingValues } from '../../rail-kind.ts'

/** Who is on the other side: the customer of a collection, the recipient of a payout, a number that is looked up. */
export type Side = 'payer' | 'payee' | 'holder'

/** What a number leads to. Of `without_money` and `over_limit` it is who pays, which of a payout is our own account. */
export type Behaviour =
  'approves' | 'rejects' | 'lets_expire' | 'without_money' | 'over_limit' | 'unknown' | 'active' | 'inactive'

/** An MTN that the go-live list is run against: one that is scripted, or a simulator. */
export interface Counterpart {
  /** Credentials and the rest, all of them right. */
  readonly settings: SettingValues
  readonly currency: string
  /** A number with which it does this. */
  number(side: Side, behaviour: Behaviour): string | Promise<string>
  /** Lets as much time pass for it as any outcome takes. */
  passTime(): Promise<void>
  /** From now on no token that it has given is good. */
  spoilTokens(): Promise<void>
  /** An address with this scheme that it may send an order's callback to. */
  callbackUrl(scheme: 'http' | 'https', orderId: string, tail: string): string
  /** What it has sent for an order, and where. */
  callbackOf(orderId: string): Promise<{ readonly url: string } & Omit<ReceivedCallback, 'tail'>>
  close(): Promise<void>
}

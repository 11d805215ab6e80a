import type { Customer } from '../../driver/browser.ts'
import type { Receiver } from '../../driver/merchant-server.ts'
import type { PayoutFunds } from '../../driver/payout-funds.ts'
import type { Direction } from '../../driver/provider-options.ts'
import type { OwnGateway, Target } from '../../harness/part.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** A rule that the server broke. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly rule: string
  /** The request that shows it; absent when no single one does. */
  readonly request: WireRequest | undefined

  constructor(rule: string, what: string, request?: WireRequest) {
    super(what)
    this.rule = rule
    this.request = request
  }
}

/** Limits of one provider and direction, in minor units. */
export interface Limits {
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly dailyMinor: bigint
}

/** The server under test, and what is known of it over all runs. */
export interface SystemUnderTest {
  readonly target: Target
  /** Present: only the model moves its clock. */
  readonly own: OwnGateway | undefined
  /** Of the options that the server lists, by `optionName`. */
  readonly limits: ReadonlyMap<string, Limits>
  readonly receiver: Receiver | undefined
  /** References of payouts that the merchant's server rejects. */
  readonly rejected: Set<string>
  /** How often each rule was checked. */
  readonly checks: Map<string, number>
}

/** The customer's next step, or the end of the payment before a rail received it. */
export type Stage =
  | { readonly at: 'confirmation' }
  /** The OTP is sent with the next run of the jobs: its five minutes begin then. */
  | { readonly at: 'otp'; readonly sentAt?: number }
  | { readonly at: 'rail' }
  | { readonly at: 'ended'; readonly status: 'FAILED' | 'CANCELLED' }

/** A payment before it is requested. */
export interface Draft {
  readonly type: Direction
  readonly providerCode: string
  readonly currency: string
  readonly reference: string
  readonly amountMinor: bigint
  /** Empty for a bank collection: the customer enters `pageAccount`. */
  readonly account: string
  readonly pageAccount: string
  readonly isHosted: boolean
  readonly asksForOtp: boolean
  /** Whether FAILED may still become COMPLETED. */
  readonly mayTurn: boolean
  readonly request: WireRequest
}

/** An accepted payment. */
export interface Payment extends Omit<Draft, 'account'> {
  readonly internalReference: unknown
  /** Of a payment page. */
  readonly customer: Customer | undefined
  readonly acceptedAt: number
  account: string
  stage: Stage
  triesLeft: number
  /** A day passed before a rail accepted it: then it fails, if the rail confirms that nothing moved. */
  mayTimeOut: boolean
  /** By the last verify reply. */
  status: string
  message: string
  /** The final states that verify has returned. */
  readonly ended: Set<string>
}

/** The expected state of one run. */
export interface ModelRun extends SystemUnderTest {
  /** Prefix of every reference of the run. */
  readonly name: string
  /** The four digits in the run's account numbers, per customer. */
  readonly customers: readonly string[]
  /** Payout wallets at the start of the run. */
  readonly funds: PayoutFunds | undefined
  /** Errors in the books before the run. */
  readonly oldFaults: readonly string[]
  /** By the model's clock, which moves together with the server's. */
  now: number
  references: number
  readonly payments: Payment[]
  /** The commands so far, one sentence each. */
  readonly story: string[]
}

export const DAY_MS = 24 * 60 * 60_000

export const optionName = ({ providerCode, type }: Pick<Draft, 'providerCode' | 'type'>): string =>
  `${providerCode} ${type}`
export const isFinal = (status: string): boolean => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status)
export const isWaiting = ({ stage }: Payment): boolean => stage.at === 'confirmation' || stage.at === 'otp'

/** @param what expected and actual value, used when the rule is broken; @throws Violation */
export function hold(
  { checks }: SystemUnderTest,
  rule: string,
  isRight: boolean,
  what: string,
  request?: WireRequest,
): void {
  checks.set(rule, (checks.get(rule) ?? 0) + 1)
  if (!isRight) throw new Violation(rule, what, request)
}

/** What has a daily limit. */
type LimitedAccount = Pick<Draft, 'account' | 'providerCode' | 'type'>

export const isSameAccount = (one: LimitedAccount, other: LimitedAccount): boolean =>
  one.account === other.account && optionName(one) === optionName(other)

export const sumMinor = (payments: readonly Pick<Draft, 'amountMinor'>[]): bigint =>
  payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

/**
 * What an account has used of its daily limit in 24 hours, in minor units; on the payment page a collection counts once
 * its customer has confirmed.
 */
export const usedMinor = ({ payments, now }: ModelRun, account: LimitedAccount): bigint =>
  sumMinor(
    payments.filter(
      (payment) =>
        isSameAccount(payment, account) &&
        payment.acceptedAt > now - DAY_MS &&
        payment.stage.at !== 'confirmation' &&
        payment.status !== 'FAILED' &&
        payment.status !== 'CANCELLED',
    ),
  )

import { createMalipo, type Malipo } from '../../../client/index.ts'
import { present, type Target } from '../../harness/part.ts'
import type { MerchantServer } from './merchant-server.ts'
import { optionName, type Limits, type TransactionType } from './options.ts'
import { awaitsConfirmation, DAY_MS, endingOf, type Draft, type Payment } from './payment.ts'
import type { Rules } from './violation.ts'
import type { Balances } from './balances.ts'

/** The expected state of one run. */
export interface PaymentModel {
  /** Prefix of every reference of the run. */
  readonly name: string
  /** The four digits in the run's account numbers, per customer. */
  readonly customers: readonly string[]
  /** By the model's clock, which moves together with the server's. */
  now: number
  references: number
  readonly payments: Payment[]
  /** The commands so far, one sentence each. */
  readonly story: string[]
}

/** The server under test, and what is known of it over all runs. */
export interface SystemUnderTest {
  readonly target: Target
  readonly malipo: Malipo
  readonly limits: ReadonlyMap<string, Limits>
  readonly rules: Rules
  /** Absent when there is no receiver. */
  readonly merchant: MerchantServer | undefined
  /** Balances at the start of the run. */
  readonly opening: Balances
  /** The audit's findings before the run: an old fault is not reported again. */
  readonly oldFaults: ReadonlySet<string>
}

/** A client without retries. @param keys in place of the target's */
export const clientOf = (
  { url: baseUrl, publicKey, secretKey }: Target,
  keys: { readonly publicKey?: string; readonly secretKey?: string } = {},
): Malipo => createMalipo({ baseUrl, publicKey, secretKey, maxRetries: 0, ...keys })

/** Whether nothing happens unless the model moves the clock. */
export const isClockStopped = ({ target }: SystemUnderTest): boolean => target.own !== undefined

export const limitsOf = ({ limits }: SystemUnderTest, draft: Pick<Draft, 'way' | 'type'>): Limits | undefined =>
  limits.get(optionName(draft.way.providerCode, draft.type))

/** Limits of an offered option. @throws Error when it is not offered */
export const knownLimitsOf = (real: SystemUnderTest, draft: Pick<Draft, 'way' | 'type'>): Limits =>
  present(limitsOf(real, draft), `limit of ${draft.way.providerCode} ${draft.type}`)

interface Usage {
  /** Certain use. */
  readonly atLeast: bigint
  /** Possible use, when payments end during the request. */
  readonly atMost: bigint
}

/**
 * What an account has used of its daily limit in 24 hours; on the payment page it counts once the customer confirmed.
 */
export function usageOf(
  model: PaymentModel,
  real: SystemUnderTest,
  {
    providerCode,
    type,
    account,
  }: { readonly providerCode: string; readonly type: TransactionType; readonly account: string },
): Usage {
  const counted = model.payments.filter(
    (payment) =>
      payment.type === type &&
      payment.draft.way.providerCode === providerCode &&
      payment.account === account &&
      payment.acceptedAt > model.now - DAY_MS &&
      !awaitsConfirmation(payment),
  )
  const sum = (payments: readonly Payment[]) => payments.reduce((total, { draft }) => total + draft.amountMinor, 0n)
  const open = counted.filter(
    ({ record: { transaction_status: status } }) => status !== 'FAILED' && status !== 'CANCELLED',
  )
  if (isClockStopped(real)) return { atLeast: sum(open), atMost: sum(open) }
  return {
    atLeast: sum(open.filter(({ record: reported }) => reported.transaction_status === 'COMPLETED')),
    atMost: sum(counted.filter((payment) => open.includes(payment) || endingOf(account) === '007')),
  }
}

export const nextReference = (model: PaymentModel): string =>
  `${model.name}-${String(model.references++).padStart(3, '0')}`

import type { Fields } from '../harness/json.ts'
import type { Target } from '../harness/part.ts'
import { passing } from './clock.ts'
import { customerOf, SANDBOX_OTP, walk } from './customer.ts'
import { forEachOf } from './for-each-of.ts'
import type { PaymentDriver } from './payment-driver.ts'
import type { ApiReply } from './requests.ts'

/** An accepted payment, and how far it is. */
export interface FollowedPayment {
  readonly driver: PaymentDriver
  readonly reference: string
  /** The number that the customer has, or enters on the page. */
  readonly account: string
  readonly reply: ApiReply
  /** The last one; empty at first. */
  record: Fields
  /** Whether its OTP was required, and given. */
  isAuthorized: boolean
}

const WAITING = 'Waiting for the one-time password'
/** Long enough for a simulated operator when the line is run again. */
const PAUSE_MS = 5_000

/** Does what the customers of these payments do, until all are over or nothing more happens. */
export async function followPayments<Payment extends FollowedPayment>(
  target: Target,
  payments: readonly Payment[],
  isOver: (payment: Payment) => boolean,
): Promise<void> {
  await passing(target.own, async () => {
    await forEachOf(
      payments.filter((payment) => !isOver(payment)),
      (payment) => poll(target, payment),
    )
    return payments.every(isOver)
  })
}

/** Verifies a payment, and does what its customer does next; a page that did not answer is opened again. */
export async function poll(target: Target, payment: FollowedPayment): Promise<void> {
  const { driver, reply, reference, account, record } = payment
  if (record['transaction_status'] === undefined) driver.story.waited(PAUSE_MS)
  payment.record = await driver.verify(reference)
  const { transaction_status: status, status_message: message } = payment.record
  const customer = customerOf(target, reply.data)
  if (customer) {
    // The part `receiver` reports a page that does not answer.
    if (status === 'PENDING') await walk('pays', customer, account).catch(() => undefined)
  } else if (!payment.isAuthorized && String(message).startsWith(WAITING)) {
    payment.isAuthorized = true
    await driver.authorize(reply, SANDBOX_OTP)
    driver.story.waited(PAUSE_MS)
  }
}

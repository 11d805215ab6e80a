import type { Transaction } from '../../../client/index.ts'
import { isFinal, prospectOf, UNCOVERED, type Payment } from './payment.ts'
import type { SystemUnderTest } from './world.ts'

/**
 * Checks a verify reply against the outcome that the model expects. The rules over all traffic compare it with the
 * request, with earlier replies and with other payments. @throws Violation
 */
export function checkRecord(payment: Payment, record: Transaction, real: SystemUnderTest): void {
  checkStatus(payment, record, real)
}

function checkStatus(
  payment: Payment,
  { transaction_status: status, status_message: message }: Transaction,
  { rules }: SystemUnderTest,
): void {
  const { stage } = payment
  const { ends } = prospectOf(payment)
  if (stage.at === 'confirmation' || stage.at === 'otp') {
    return rules.hold(
      'nothing happens before the customer agrees',
      status === 'PENDING',
      `${payment.reference} waits for its customer (${stage.at}) and is ${status}`,
    )
  }
  if (stage.at === 'ended')
    rules.hold(
      'what ended stays ended',
      status === stage.status,
      `${payment.reference} ended ${stage.status} (${stage.message}) and is ${status}`,
    )
  if (!isFinal(status) || isUncovered(payment, message)) return
  const fits = ends.some((outcome) => outcome.status === status && (outcome.message ?? message) === message)
  rules.hold(
    'a payment ends as its test number says',
    fits,
    `${payment.reference} is ${status} (${message}); expected ${ends.map((outcome) => `${outcome.status}${outcome.message === undefined ? '' : ` (${outcome.message})`}`).join(' or ') || 'no end'}`,
  )
}

export const isUncovered = ({ type }: Payment, message: string): boolean => type === 'PAYOUT' && message === UNCOVERED

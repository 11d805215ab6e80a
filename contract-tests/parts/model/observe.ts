import { MalipoError, type Transaction } from '../../../client/index.ts'
import { minorOf } from '../../driver/money.ts'
import { isFinal, type Payment } from './payment.ts'
import { checkRecord, isUncovered } from './record.ts'
import { Violation } from './violation.ts'
import { expectedMinor, walletOf } from './wallets.ts'
import type { PaymentModel, SystemUnderTest } from './world.ts'

/** The verify reply for an accepted payment. @throws Violation when it is unknown */
export async function verifyAccepted({ malipo, rules }: SystemUnderTest, reference: string): Promise<Transaction> {
  try {
    const record = await malipo.transactions.verify(reference)
    rules.hold('every accepted payment is found again', true, '')
    return record
  } catch (error) {
    if (error instanceof MalipoError && error.kind === 'not_found')
      throw new Violation(
        'every accepted payment is found again',
        `verify of ${reference}, which was accepted, says: ${error.message}`,
      )
    throw error
  }
}

interface ObservedPayment {
  readonly payment: Payment
  readonly record: Transaction
}

/** Verifies every payment, and applies the expected changes to the model. @throws Violation */
export async function observe(model: PaymentModel, real: SystemUnderTest): Promise<void> {
  const { payments } = model
  const seen = await Promise.all(
    payments.map(async (payment) => ({ payment, record: await verifyAccepted(real, payment.reference) })),
  )
  const refused = seen
    .filter(
      ({ payment, record }) =>
        payment.record.transaction_status === 'PENDING' && isUncovered(payment, record.status_message),
    )
    .map(({ payment }) => ({
      payment,
      totalMinor: totalOf(payment),
      availableBefore: expectedMinor(model, real, walletOf(payment)) - heldMeanwhile(payment, seen),
    }))
  for (const { payment, record } of seen) {
    checkRecord(payment, record, real)
    payment.record = record
    if (isFinal(payment.record.transaction_status)) payment.ended.add(payment.record.transaction_status)
  }
  for (const { payment, totalMinor, availableBefore } of refused)
    checkRefused(model, real, payment, totalMinor, availableBefore)
}

/** What other payouts of the wallet, not verified since, may have held, and released when they failed. */
const heldMeanwhile = (refused: Payment, seen: readonly ObservedPayment[]): bigint =>
  seen
    .filter(
      ({ payment, record }) =>
        payment !== refused &&
        payment.type === 'PAYOUT' &&
        walletOf(payment) === walletOf(refused) &&
        payment.record.transaction_status === 'PENDING' &&
        !isUncovered(payment, record.status_message),
    )
    .reduce((sum, { payment }) => sum + totalOf(payment), 0n)

/** Only a payout that the wallet did not cover may fail for that, whatever others held or released meanwhile. */
function checkRefused(
  model: PaymentModel,
  real: SystemUnderTest,
  payment: Payment,
  totalMinor: bigint,
  availableBefore: bigint,
): void {
  const lowest = [availableBefore, expectedMinor(model, real, walletOf(payment))].reduce((a, b) => (a < b ? a : b))
  real.rules.hold(
    'a payout that its wallet covers is paid',
    totalMinor > lowest,
    `${payment.reference} of ${totalMinor} minor units with charge failed for want of money, while ${walletOf(payment)} had at least ${lowest}`,
  )
}

const totalOf = ({ record: reported }: Payment): bigint =>
  reported.transaction_type === 'PAYOUT' ? (minorOf(reported.total_debit, reported.transaction_currency) ?? 0n) : 0n

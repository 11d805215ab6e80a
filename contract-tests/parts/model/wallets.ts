import { EMPTY } from './balances.ts'
import { minorOf } from '../../driver/money.ts'
import type { Payment } from './payment.ts'
import type { PaymentModel, SystemUnderTest } from './world.ts'

/** The movement of a payment in its wallet, by its verify reply. */
function movedMinor({ record: reported }: Payment): bigint {
  if (reported.transaction_type === 'COLLECTION')
    return reported.transaction_status === 'COMPLETED'
      ? (minorOf(reported.total_credit, reported.transaction_currency) ?? 0n)
      : 0n
  const held = reported.transaction_status === 'PROCESSING' || reported.transaction_status === 'COMPLETED'
  return held ? -(minorOf(reported.total_debit, reported.transaction_currency) ?? 0n) : 0n
}

export const walletOf = ({ type, draft }: Payment): string => `MERCHANT_${type} ${draft.way.currency}`

/** The balance of a wallet by all verify replies. */
export const expectedMinor = (model: PaymentModel, real: SystemUnderTest, wallet: string): bigint =>
  model.payments
    .filter((payment) => walletOf(payment) === wallet)
    .reduce((sum, payment) => sum + movedMinor(payment), (real.opening.get(wallet) ?? EMPTY).availableMinor)

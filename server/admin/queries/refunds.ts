import { money, moneyText, type Money } from '../../domain/money.ts'
import { refundedBy } from '../../domain/refund.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { transactionStatements } from '../../storage/transactions.ts'

export interface RefundView {
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly status: string
  readonly amount: string
}

/** The refunds of a collection, and what is left of it, in its request currency. */
export interface RefundStanding {
  /** The oldest first. */
  readonly refunds: readonly Transaction[]
  /** With what is on its way. */
  readonly refunded: Money
  readonly left: Money
}

export const refundStanding = (
  pool: Pool,
  { id, request }: Pick<Transaction, 'id' | 'request'>,
): Promise<RefundStanding> =>
  available(async () => {
    const refunds = (await transactionStatements(pool).refundsOf([id])).get(id) ?? []
    const { requestMinor } = refundedBy(refunds)
    return {
      refunds,
      refunded: money(requestMinor, request.currency),
      left: money(request.amountMinor - requestMinor, request.currency),
    }
  })

export const refundView = ({ merchantReference, internalReference, status, amount }: Transaction): RefundView => ({
  merchant_reference: merchantReference,
  internal_reference: internalReference,
  status,
  amount: moneyText(amount),
})

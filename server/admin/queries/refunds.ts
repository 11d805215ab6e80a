import { moneyText } from '../../domain/money.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { transactionStatements } from '../../storage/transactions.ts'

export interface RefundView {
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly status: string
  readonly amount: string
}

/** The refunds of a collection, oldest first. */
export const refundsOfCollection = (pool: Pool, collectionId: bigint): Promise<readonly RefundView[]> =>
  available(async () => {
    const refunds = (await transactionStatements(pool).refundsOf([collectionId])).get(collectionId) ?? []
    return refunds.map(({ merchantReference, internalReference, status, amount }) => ({
      merchant_reference: merchantReference,
      internal_reference: internalReference,
      status,
      amount: moneyText(amount),
    }))
  })

import { amountToWire } from '../../domain/money.ts'
import { paidMinor } from '../../domain/refund.ts'
import { available, type Pool, type Queryable } from '../../storage/pool.ts'
import { accountOf } from './transaction-record.ts'
import {
  OPERATOR_TRANSACTION,
  toStaffTransaction,
  type StaffTransaction,
  type StaffTransactionRow,
} from './transactions.ts'

/** Of a row `t` of transactions: money that a customer has paid again, until it is given back. */
export const PAID_AGAIN = `(t.rail_paid_at is not null and t.type = 'ATTEMPT' and t.status = 'COMPLETED' and not exists (
  select from refunds r join transactions b on b.id = r.transaction_id
  where r.collection_id = t.id and b.status = 'COMPLETED'))`

/** Of a row `t`: its rail has paid it, and a person has to decide about that money. */
export const PAID_UNSETTLED = `(t.rail_paid_at is not null and (t.status = 'FAILED' or ${PAID_AGAIN}))`

/** Money on suspense that belongs to a customer. */
export interface SuspenseItem extends StaffTransaction {
  readonly paidAt: Date
  /** The collection that had no use for it. */
  readonly collectionId: bigint
  readonly collectionReference: string
  readonly collectionStatus: string
  /** The newest of what was to give it back. */
  readonly returnReference: string | undefined
  readonly returnStatus: string | undefined
}

interface SuspenseRow extends StaffTransactionRow {
  readonly collection_id: bigint
  readonly collection_reference: string
  readonly collection_status: string
  readonly return_reference: string | null
  readonly return_status: string | null
}

/** What lies on suspense, the longest first. @param after the id of the last one of the page before */
export const listSuspense = (
  pool: Pool | Queryable,
  { id, after, limit }: { readonly id?: bigint; readonly after?: bigint | undefined; readonly limit: number },
): Promise<SuspenseItem[]> =>
  available(async () => {
    const { rows } = await pool.query<SuspenseRow>(
      `select t.*, c.id as collection_id, c.internal_reference as collection_reference, c.status as collection_status,
         b.internal_reference as return_reference, b.status as return_status
       from (${OPERATOR_TRANSACTION} where ${PAID_AGAIN} and ($1::bigint is null or t.id > $1)
           and ($2::bigint is null or t.id = $2) order by t.id limit $3) t
         join collection_attempts a on a.transaction_id = t.id
         join transactions c on c.id = a.collection_id
         left join lateral (select x.internal_reference, x.status from refunds r
           join transactions x on x.id = r.transaction_id where r.collection_id = t.id order by x.id desc limit 1) b on true
       order by t.id`,
      [after, id, limit],
    )
    return rows.map((row) => ({
      ...toStaffTransaction(row),
      paidAt: row.rail_paid_at ?? row.created_at,
      collectionId: row.collection_id,
      collectionReference: row.collection_reference,
      collectionStatus: row.collection_status,
      returnReference: row.return_reference ?? undefined,
      returnStatus: row.return_status ?? undefined,
    }))
  })

/** Names follow the contract. The account number is masked. */
export const suspenseRecord = (item: SuspenseItem) => ({
  reference: item.internalReference,
  // What lies here for other reasons joins later, with a kind of its own.
  kind: 'paid_again' as const,
  amount: amountToWire(paidMinor(item), item.amount.currency),
  currency: item.amount.currency,
  provider_code: item.providerCode,
  rail_account: item.railAccount,
  transaction_account: accountOf(item, false),
  paid_at: item.paidAt,
  merchant_name: item.merchantName,
  merchant_public_key: item.merchantPublicKey,
  merchant_reference: item.merchantReference,
  collection_reference: item.collectionReference,
  collection_status: item.collectionStatus,
  return_reference: item.returnReference,
  return_status: item.returnStatus,
})

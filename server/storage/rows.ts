import { money } from '../domain/money.ts'
import type { TransactionMethod, TransactionType } from '../domain/provider.ts'
import type { Transaction, TransactionStatus } from '../domain/transaction.ts'

export interface TransactionRow {
  readonly id: bigint
  readonly merchant_id: bigint
  readonly merchant_reference: string
  readonly internal_reference: string
  readonly type: TransactionType
  readonly method: TransactionMethod
  readonly provider_code: string
  readonly account: string
  readonly request_currency: string
  readonly request_amount_minor: bigint
  readonly currency: string
  readonly amount_minor: bigint
  readonly charge_minor: bigint
  readonly total_minor: bigint
  readonly charge_customer: boolean
  readonly allow_final_status_change: boolean
  readonly customer_name: string | null
  readonly institution_name: string | null
  readonly bank_code: string | null
  readonly branch_code: string | null
  readonly status: TransactionStatus
  readonly status_message: string
  readonly created_at: Date
  readonly final_at: Date | null
  readonly rail_paid_at: Date | null
}

/** The columns of TransactionRow; of `alias` where a statement joins tables. */
export const transactionColumns = (alias: string): string =>
  [
    'id',
    'merchant_id',
    'merchant_reference',
    'internal_reference',
    'type',
    'method',
    'provider_code',
    'account',
    'request_currency',
    'request_amount_minor',
    'currency',
    'amount_minor',
    'charge_minor',
    'total_minor',
    'charge_customer',
    'allow_final_status_change',
    'customer_name',
    'institution_name',
    'bank_code',
    'branch_code',
    'status',
    'status_message',
    'created_at',
    'final_at',
    'rail_paid_at',
  ]
    .map((column) => `${alias}.${column}`)
    .join(', ')

export const toTransaction = (row: TransactionRow): Transaction => ({
  id: row.id,
  merchantId: row.merchant_id,
  merchantReference: row.merchant_reference,
  internalReference: row.internal_reference,
  type: row.type,
  method: row.method,
  providerCode: row.provider_code,
  account: row.account,
  request: money(row.request_amount_minor, row.request_currency),
  amount: money(row.amount_minor, row.currency),
  chargeMinor: row.charge_minor,
  totalMinor: row.total_minor,
  chargeCustomer: row.charge_customer,
  allowFinalStatusChange: row.allow_final_status_change,
  ...(row.customer_name !== null && { customerName: row.customer_name }),
  ...(row.institution_name !== null && { institutionName: row.institution_name }),
  ...(row.bank_code !== null && { bankCode: row.bank_code }),
  ...(row.branch_code !== null && { branchCode: row.branch_code }),
  status: row.status,
  statusMessage: row.status_message,
  createdAt: row.created_at,
  ...(row.final_at !== null && { finalAt: row.final_at }),
  ...(row.rail_paid_at !== null && { railPaidAt: row.rail_paid_at }),
})

/**
 * Rows for `json_to_recordset($1)`: one parameter carries a whole batch; bigint and Date become text that PostgreSQL
 * reads exactly.
 */
export const jsonRows = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))

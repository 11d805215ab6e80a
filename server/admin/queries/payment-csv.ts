import type { CsvCell } from '../../domain/csv.ts'
import { searchPayments, type PaymentFilter } from './payment-search.ts'
import { toRecord } from './transaction-record.ts'

/** Rows per query of a file. */
const PAGE = 1_000

export const PAYMENT_COLUMNS = [
  'id',
  'created_at',
  'final_at',
  'merchant_public_key',
  'merchant_name',
  'merchant_reference',
  'internal_reference',
  'transaction_type',
  'transaction_method',
  'transaction_status',
  'status_message',
  'failure_code',
  'provider_code',
  'transaction_account',
  'request_amount',
  'request_currency',
  'transaction_amount',
  'transaction_currency',
  'transaction_charge',
  'total_credit',
  'total_debit',
  'description',
] as const

interface FileRequest {
  readonly text?: string | undefined
  readonly after?: string | undefined
  /** Number of rows. */
  readonly max?: number | undefined
}

/** The rows of a file of payments, the newest first: memory holds one page of them. */
export async function* paymentRows(
  deps: Parameters<typeof searchPayments>[0],
  filter: PaymentFilter,
  { text, after, max = Number.POSITIVE_INFINITY }: FileRequest,
): AsyncGenerator<readonly (readonly CsvCell[])[]> {
  for (let left = max, next = after; left > 0;) {
    const page = await searchPayments(deps, filter, { text, after: next, limit: Math.min(left, PAGE) })
    yield (page?.transactions ?? []).map((row) => {
      const record: Readonly<Record<string, CsvCell>> = toRecord(row, false)
      return PAYMENT_COLUMNS.map((name) => record[name])
    })
    left -= page?.transactions.length ?? 0
    next = page?.next
    if (next === undefined) return
  }
}

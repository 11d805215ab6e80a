import { money } from '../domain/money.ts'
import { asShown, isReturn, type Transaction } from '../domain/transaction.ts'
import { optimizerFence } from './optimizer-fence.ts'
import { columns, type ColumnTypes, type Row } from './rows.ts'

interface AmountFields {
  readonly requestCurrency: string
  readonly requestAmountMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
}
type PlainFields = Omit<Transaction, 'request' | 'amount' | 'isAttempt'>

/** A transaction with its amounts split into columns. */
type TransactionFields = PlainFields & AmountFields
export type TransactionRow = Row<TransactionFields>
/** The fields that are set at acceptance. */
export type AcceptedFields = Omit<TransactionFields, keyof typeof LATER>

const PLAIN: ColumnTypes<Omit<PlainFields, keyof typeof LATER>> = {
  id: 'bigint',
  merchantId: 'bigint',
  merchantReference: 'text',
  internalReference: 'text',
  type: 'text',
  method: 'text',
  providerCode: 'text',
  account: 'text',
  chargeMinor: 'bigint',
  totalMinor: 'bigint',
  chargeCustomer: 'boolean',
  allowFinalStatusChange: 'boolean',
  customerName: 'text',
  institutionName: 'text',
  bankCode: 'text',
  branchCode: 'text',
  status: 'text',
  statusMessage: 'text',
  createdAt: 'timestamptz',
  traceparent: 'text',
  refund: 'json',
}
const AMOUNTS: ColumnTypes<AmountFields> = {
  requestCurrency: 'text',
  requestAmountMinor: 'bigint',
  currency: 'text',
  amountMinor: 'bigint',
}
const LATER = {
  failureCode: 'text',
  finalAt: 'timestamptz',
  railPaidAt: 'timestamptz',
  railOrderId: 'text',
  railAccount: 'text',
} as const

/** The columns that are set from the start. */
export const ACCEPTED = { ...PLAIN, ...AMOUNTS }
export const TRANSACTION = columns<TransactionFields>({ ...ACCEPTED, ...LATER })
const WITHOUT_AMOUNTS = columns<PlainFields>({ ...PLAIN, ...LATER })

/** Converts a row of transactions; its two amounts become Money. */
export const toTransaction = (row: TransactionRow): Transaction => ({
  ...WITHOUT_AMOUNTS.toFields(row),
  // A type of its own in the table, so that nothing that adds up collections counts a payment twice.
  ...((row.type as string) === 'ATTEMPT' && { type: 'COLLECTION', isAttempt: true }),
  ...((row.type as string) === 'RETURN' && { type: 'REFUND' }),
  request: money(row.request_amount_minor, row.request_currency),
  amount: money(row.amount_minor, row.currency),
})

/**
 * The columns of `t` that a reader needs, and whether its rail has the payment. For a final transaction the job is not
 * looked up. No `exists`: its plan may read all jobs at once.
 */
export const SHOWN = `${TRANSACTION.names('t')}, t.status = 'PROCESSING' and (
  select true from jobs w where w.subject_id = t.id and ${optimizerFence("w.kind = 'pollRail'")}) is true as is_with_rail`
export type TransactionViewRow = TransactionRow & { readonly is_with_rail: boolean }

/** Converts a row of transactions for display. */
export const toShown = (row: TransactionViewRow): Transaction => asShown(toTransaction(row), row.is_with_rail)

/** The type in the table. */
export const storedType = (transaction: Pick<Transaction, 'type' | 'refund'>): string =>
  isReturn(transaction) ? 'RETURN' : transaction.type

/** Splits the two amounts into their columns. */
export const amountFields = ({ request, amount }: Pick<Transaction, 'request' | 'amount'>) => ({
  requestCurrency: request.currency,
  requestAmountMinor: request.amountMinor,
  currency: amount.currency,
  amountMinor: amount.amountMinor,
})

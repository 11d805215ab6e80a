import { money } from '../domain/money.ts'
import { asShown, type Transaction } from '../domain/transaction.ts'
import { beyondIndexes } from './beyond-indexes.ts'
import { columns, type ColumnTypes, type Row } from './rows.ts'

interface AmountFields {
  readonly requestCurrency: string
  readonly requestAmountMinor: bigint
  readonly currency: string
  readonly amountMinor: bigint
}
type PlainFields = Omit<Transaction, 'request' | 'amount'>

/** A transaction with its amounts as columns hold them. */
export type TransactionFields = PlainFields & AmountFields
export type TransactionRow = Row<TransactionFields>
/** As it is accepted. */
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
  railInstallation: 'text',
} as const

/** What a transaction has from the start. */
export const ACCEPTED = { ...PLAIN, ...AMOUNTS }
export const TRANSACTION = columns<TransactionFields>({ ...ACCEPTED, ...LATER })
const WITHOUT_AMOUNTS = columns<PlainFields>({ ...PLAIN, ...LATER })

/** A row of transactions, its two amounts as Money. */
export const toTransaction = (row: TransactionRow): Transaction => ({
  ...WITHOUT_AMOUNTS.toFields(row),
  request: money(row.request_amount_minor, row.request_currency),
  amount: money(row.amount_minor, row.currency),
})

/**
 * What a reader needs of `t`: the columns, and whether its rail has it. Of what is final its work is not looked for; and
 * no `exists`, for which a plan may read all work at once.
 */
export const SHOWN = `${TRANSACTION.names('t')}, t.status = 'PROCESSING' and (
  select true from work w where w.subject_id = t.id and ${beyondIndexes("w.kind = 'askRail'")}) is true as is_with_rail`
export type ShownRow = TransactionRow & { readonly is_with_rail: boolean }

/** A row of transactions as people read it. */
export const toShown = (row: ShownRow): Transaction => asShown(toTransaction(row), row.is_with_rail)

/** The columns that two amounts become. */
export const amountFields = ({ request, amount }: Pick<Transaction, 'request' | 'amount'>) => ({
  requestCurrency: request.currency,
  requestAmountMinor: request.amountMinor,
  currency: amount.currency,
  amountMinor: amount.amountMinor,
})

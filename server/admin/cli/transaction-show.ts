import { moneyText } from '../../domain/money.ts'
import { reportedChargeMinor, reportedTotalMinor } from '../../domain/transaction.ts'
import { OUR_REFERENCE } from '../../actions/ports/rail-references.ts'
import { refundStanding, refundView, type RefundView } from '../queries/refunds.ts'
import { railNames } from '../queries/transactions.ts'
import { withDatabase } from './database.ts'
import { usedWrongly } from './errors.ts'
import { printFields, printJson } from './output.ts'
import { runAddition } from './run-change.ts'
import { showFullTransaction } from '../operations/show-full-transaction.ts'
import { transactionNamed } from '../operations/transaction-named.ts'
import { accountOf, toRecord } from '../queries/transaction-record.ts'

interface ShowOptions {
  readonly merchant?: string
  readonly full?: boolean
  readonly reason?: string
  readonly json?: true
}

const refundLine = ({ merchant_reference: reference, status, amount }: RefundView): string =>
  `${reference} (${amount}, ${status})`

/** `transaction show`: everything known about a transaction. */
export async function show(reference: string, { merchant, full = false, reason, json }: ShowOptions): Promise<void> {
  if (full && reason === undefined) throw usedWrongly('malipo: --full needs a reason: add --reason <text>')
  const { transaction, names, standing } = await withDatabase(async (context) => {
    const found = await transactionNamed(context, reference, merchant)
    if (full) await runAddition(context, showFullTransaction, { transaction: reference, merchant }, { reason })
    return {
      transaction: found,
      names: await railNames(context.pool, found.id),
      standing: await refundStanding(context.pool, found),
    }
  })
  const refunds = standing.refunds.map(refundView)
  const externalIds = names.filter(({ name }) => name !== OUR_REFERENCE)
  if (json)
    return printJson({
      ...toRecord(transaction, full),
      operator_references: externalIds,
      refunds,
    })
  const { amount, request, type } = transaction
  const inCurrency = (amountMinor: bigint) => moneyText({ amountMinor, currency: amount.currency })
  printFields([
    ['id', transaction.id],
    ['merchant', `${transaction.merchantName} (${transaction.merchantPublicKey})`],
    ['merchant reference', transaction.merchantReference],
    ['internal reference', transaction.internalReference],
    ['type', `${type}, ${transaction.method}`],
    ['refund of', transaction.refund?.collection.internalReference],
    ['refunded by', refunds.map(refundLine).join(', ') || undefined],
    ['left to refund', refunds.length > 0 ? moneyText(standing.left) : undefined],
    ['status', `${transaction.status}: ${transaction.statusMessage}`],
    ['failure code', transaction.failureCode],
    ['provider', transaction.providerCode],
    ['rail', transaction.railAccount],
    ['rail order id', transaction.railOrderId],
    ...externalIds.map(({ name, reference }): [string, string] => [name, reference]),
    ['account', accountOf(transaction, full)],
    ['institution', transaction.institutionName],
    ['requested', request.currency === amount.currency ? undefined : moneyText(request)],
    ['amount', moneyText(amount)],
    [
      'charge',
      `${inCurrency(reportedChargeMinor(transaction))}${transaction.chargeCustomer ? ', paid by the customer' : ''}`,
    ],
    [type === 'COLLECTION' ? 'total credit' : 'total debit', inCurrency(reportedTotalMinor(transaction))],
    ['description', transaction.description],
    [
      'customer',
      full ? [transaction.customerName, transaction.customerEmail].filter(Boolean).join(', ') || undefined : undefined,
    ],
    ['redirect to', transaction.redirectUrl],
    ['accepted', transaction.createdAt.toISOString()],
    ['final', transaction.finalAt?.toISOString()],
  ])
}

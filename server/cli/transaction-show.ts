import { formatMoney } from '../domain/money.ts'
import { reportedChargeMinor, reportedFailureCode, reportedTotalMinor } from '../domain/transaction.ts'
import { withDatabase } from './database.ts'
import { printFields, printJson } from './output.ts'
import { accountOf, toRecord, transactionNamed } from './transaction-record.ts'

interface ShowOptions {
  readonly merchant?: string
  readonly full?: boolean
  readonly json?: true
}

/** `transaction show`: all that is known of one. */
export async function show(reference: string, { merchant, full = false, json }: ShowOptions): Promise<void> {
  const transaction = await withDatabase((context) => transactionNamed(context, reference, merchant))
  if (json) return printJson(toRecord(transaction, full))
  const { amount, request, type } = transaction
  const inCurrency = (amountMinor: bigint) => formatMoney({ amountMinor, currency: amount.currency })
  printFields([
    ['id', transaction.id],
    ['merchant', `${transaction.merchantName} (${transaction.merchantPublicKey})`],
    ['merchant reference', transaction.merchantReference],
    ['internal reference', transaction.internalReference],
    ['type', `${type}, ${transaction.method}`],
    ['status', `${transaction.status}: ${transaction.statusMessage}`],
    ['failure code', reportedFailureCode(transaction)],
    ['provider', transaction.providerCode],
    ['rail order id', transaction.railOrderId],
    ['account', accountOf(transaction, full)],
    ['institution', transaction.institutionName],
    ['requested', request.currency === amount.currency ? undefined : formatMoney(request)],
    ['amount', formatMoney(amount)],
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

import { OUR_REFERENCE } from '../../../actions/ports/rail-references.ts'
import { amountsMeant } from '../../../domain/amounts-meant.ts'
import { csvLines } from '../../../domain/csv.ts'
import { amountToWire, type Money } from '../../../domain/money.ts'
import { refusalOf } from '../../../domain/people/actor.ts'
import { MERCHANT_OPERATIONS, operationNamed } from '../../../domain/people/roles.ts'
import { isPaidNotBooked, isUnsent, POLL_RAIL_AFTER_MS, type TransactionStatus } from '../../../domain/transaction.ts'
import { success } from '../../../http/envelope.ts'
import { merchantNamed, ownMerchant } from '../../operations/merchant-named.ts'
import { OperationRefusal, type OperationContext } from '../../operations/operation.ts'
import { cancelPayout } from '../../operations/cancel-payout.ts'
import { refundCollection } from '../../operations/refund-collection.ts'
import { resolveTransaction } from '../../operations/resolve-transaction.ts'
import { runOperation } from '../../operations/run-operation.ts'
import { showFullTransaction } from '../../operations/show-full-transaction.ts'
import { transactionNamed } from '../../operations/transaction-named.ts'
import { listCallbacks } from '../../queries/callbacks.ts'
import { exchangeRecord, listExchanges } from '../../queries/exchanges.ts'
import { PAYMENT_COLUMNS, paymentRows } from '../../queries/payment-csv.ts'
import { refundStanding, type RefundStanding } from '../../queries/refunds.ts'
import { searchPayments, type PaymentFilter } from '../../queries/payment-search.ts'
import { listStuck, parsePlace, placeText, waitsFor } from '../../queries/stuck-transactions.ts'
import { timelineOf } from '../../queries/timeline.ts'
import { toRecord } from '../../queries/transaction-record.ts'
import { paymentCurrencies, railNames, type StaffTransaction } from '../../queries/transactions.ts'
import { csvReply } from '../csv-reply.ts'
import { changed, type AdminData, type AdminHandler, type AdminPart } from '../handler.ts'
import { counted, pageOf, wire, wrongCursor } from '../wire.ts'
import { recordsOf } from './callbacks.ts'

type Payment = AdminData<'showFullPayment'>
type Query = AdminPart<'listPayments', 'query'>

/** People of a merchant do not see which connection to an operator it went by. */
const paymentOf = (context: OperationContext, transaction: StaffTransaction, more: object = {}): Payment =>
  wire<Payment>({
    ...toRecord(transaction, false),
    ...more,
    ...(ownMerchant(context) !== undefined && { rail_account: undefined }),
  })

const merchantIdOf = async (context: OperationContext, merchant: string | undefined): Promise<bigint | undefined> =>
  merchant === undefined ? ownMerchant(context) : (await merchantNamed(context, merchant)).id

async function filterOf(context: OperationContext, query: Omit<Query, 'after' | 'limit'>): Promise<PaymentFilter> {
  const { status, type, provider, merchant, since, until, amount } = query
  const amounts = amount === undefined ? undefined : amountsMeant(amount, await paymentCurrencies(context.pool))
  if (amounts?.length === 0)
    throw new OperationRefusal('invalid', 'amount must be an amount, such as 5000, 1,500,000 or 5,000 UGX')
  return {
    status,
    type,
    amounts,
    providerCode: provider,
    merchantId: await merchantIdOf(context, merchant),
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  }
}

export const listPayments: AdminHandler<'listPayments'> = async ({ context, query }) => {
  const { q: text, stuck, after, limit = 50 } = query
  if (stuck) {
    const found = await stuckPayments(context, query)
    return success(counted(found.items, 'payment'), found)
  }
  const page = await searchPayments(context, await filterOf(context, query), { text, after, limit })
  if (!page) throw wrongCursor()
  const items = page.transactions.map((transaction) => paymentOf(context, transaction))
  return success(counted(items, 'payment'), { items, ...(page.next !== undefined && { next: page.next }) })
}

async function stuckPayments(context: OperationContext, query: Query): Promise<AdminData<'listPayments'>> {
  const { merchant, after, limit = 50, stuck: _stuck, ...others } = query
  if (Object.keys(others).length > 0)
    throw new OperationRefusal('invalid', 'stuck goes with merchant, after and limit only')
  const place = after === undefined ? undefined : parsePlace(after)
  if (after !== undefined && !place) throw wrongCursor()
  const before = new Date(context.clock.now().getTime() - POLL_RAIL_AFTER_MS)
  const merchantId = await merchantIdOf(context, merchant)
  const found = await listStuck(context.pool, { before, merchantId, after: place, limit: limit + 1 })
  const { items, ...next } = pageOf(found, limit, placeText)
  const more = (one: (typeof items)[number]) => ({ waits_for: waitsFor(one), stuck_since: one.stuckSince })
  return { ...next, items: items.map((one) => paymentOf(context, one, more(one))) }
}

export const exportPayments: AdminHandler<'exportPayments'> = async ({ context, query }) => {
  const filter = await filterOf(context, query)
  async function* lines(): AsyncGenerator<string> {
    yield csvLines([PAYMENT_COLUMNS])
    for await (const rows of paymentRows(context, filter, { text: query.q })) if (rows.length > 0) yield csvLines(rows)
  }
  return csvReply('payments.csv', lines())
}

export const showPayment: AdminHandler<'showPayment'> = async ({ context, params, query }) => {
  const transaction = await transactionNamed(context, params.payment, query.merchant)
  const names = await railNames(context.pool, transaction.id)
  const refunds = isRefundable(transaction) ? await refundStanding(context.pool, transaction) : undefined
  return success(transaction.statusMessage, {
    payment: paymentOf(context, transaction),
    operator_references: names.filter(({ name }) => name !== OUR_REFERENCE),
    actions: actionsOn(transaction, refunds).map((operation) => actionOf(context, operation)),
    ...(refunds && { refunds: refundsOf(refunds) }),
  })
}

const isRefundable = ({ type, status }: StaffTransaction): boolean => type === 'COLLECTION' && status === 'COMPLETED'

const refundsOf = ({ refunds, refunded, left }: RefundStanding) => ({
  items: refunds.map(({ merchantReference, internalReference, status, request }) => ({
    merchant_reference: merchantReference,
    internal_reference: internalReference,
    transaction_status: status,
    request_amount: moneyToWire(request),
  })),
  refunded_amount: moneyToWire(refunded),
  left_amount: moneyToWire(left),
})

const moneyToWire = ({ amountMinor, currency }: Money): number => amountToWire(amountMinor, currency)

const FINAL = new Set<TransactionStatus>(['COMPLETED', 'FAILED', 'CANCELLED'])

/** What can be done about a payment in its present state. */
function actionsOn(transaction: StaffTransaction, refunds: RefundStanding | undefined): readonly string[] {
  const { status, type } = transaction
  const isOpen = status === 'PROCESSING' || (status === 'PENDING' && type !== 'COLLECTION')
  return [
    ...(refunds && refunds.left.amountMinor > 0n ? ['transaction refund'] : []),
    ...(type === 'PAYOUT' && isUnsent(transaction) ? ['transaction cancel'] : []),
    ...(isOpen || isPaidNotBooked(transaction) ? ['transaction resolve'] : []),
    ...(FINAL.has(status) ? ['callback resend'] : []),
    'transaction show --full',
  ]
}

const actionOf = ({ actor }: OperationContext, operation: string) => ({
  operation,
  allowed: refusalOf(actor, operation) === undefined,
  roles: [...(actor.kind === 'merchant' ? (MERCHANT_OPERATIONS[operation] ?? []) : operationNamed(operation).roles)],
})

const EXCHANGES_MAX = 200
const CALLBACKS_MAX = 100

export const showPaymentTimeline: AdminHandler<'showPaymentTimeline'> = async ({ context, params, query }) => {
  const { pool } = context
  const transaction = await transactionNamed(context, params.payment, query.merchant)
  const isMerchant = ownMerchant(context) !== undefined
  const { id, railOrderId: orderId } = transaction
  const all = { transactionIds: [id], merchantId: undefined, status: undefined, limit: CALLBACKS_MAX }
  const [events, callbacks, exchanges] = await Promise.all([
    timelineOf(pool, transaction, isMerchant),
    listCallbacks(pool, all).then((found) => recordsOf(context, found)),
    isMerchant || orderId === undefined ? [] : listExchanges(pool, { orderId, limit: EXCHANGES_MAX }),
  ])
  const calls = exchanges.toReversed().map(exchangeRecord)
  return success(
    `${events.length} events`,
    wire<AdminData<'showPaymentTimeline'>>({ events, callbacks, exchanges: calls }),
  )
}

export const showFullPayment: AdminHandler<'showFullPayment'> = async ({ context, params, query, body, claim }) => {
  const { merchant } = query
  const input = { transaction: params.payment, merchant }
  await runOperation(context, showFullTransaction, input, { reason: body.reason, claim })
  const transaction = await transactionNamed(context, params.payment, merchant)
  const { rail_account: railAccount, ...record } = toRecord(transaction, true)
  const payment = { ...record, ...(ownMerchant(context) === undefined && { rail_account: railAccount }) }
  return success(transaction.statusMessage, wire<Payment>(payment))
}

export const resolvePayment: AdminHandler<'resolvePayment'> = (call) => {
  const { reason: _reason, ...outcome } = call.body
  return changed(call, resolveTransaction, {
    transaction: call.params.payment,
    merchant: call.query.merchant,
    outcome,
  })
}

export const refundPayment: AdminHandler<'refundPayment'> = (call) => {
  const { params, query, body } = call
  return changed(call, refundCollection, { transaction: params.payment, merchant: query.merchant, ...body })
}

export const cancelPayment: AdminHandler<'cancelPayment'> = (call) =>
  changed(call, cancelPayout, { transaction: call.params.payment, merchant: call.query.merchant })

import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { REVERSAL_RESULTS, type DarajaHandlers } from './contract.ts'
import { dottedTime } from './nairobi-time.ts'
import { INITIATOR_UNKNOWN } from './payout-results.ts'
import type { PayoutDeps } from './payouts.ts'
import { orderResult, queued, type QueuedDetails } from './results.ts'
import { isInitiator } from './simulated-merchant.ts'
import { failing } from './test-numbers.ts'

/** The kind of these orders. */
export const REVERSAL = 'reversal'

const KNOWN = 'R000001'
const NO_SUCH_RECEIPT = 'R000002'
const RULE = '2006'

type ReversalDetails = QueuedDetails & { readonly receipt: string }

/** Reversals, by receipt: each request is queued, and the second of one payment moves nothing. */
export function reversalHandlers({
  world,
  conversations,
  refuse,
}: Pick<PayoutDeps, 'world' | 'conversations' | 'refuse'>): Pick<DarajaHandlers, 'reverse'> {
  const ofReceipt = (receipt: string): Order | undefined =>
    world.orders.all().find(({ direction, receipts }) => direction === 'in' && receipts.includes(receipt))
  const isReversed = (receipt: string): boolean =>
    world.orders
      .all()
      .some(({ kind, state, details }) => kind === REVERSAL && state !== 'failed' && details['receipt'] === receipt)

  return {
    reverse({ body, accept }) {
      const { TransactionID: receipt, Amount, ReceiverParty, Initiator, SecurityCredential, ResultURL } = body
      const payment = ofReceipt(receipt)
      if (payment !== undefined && payment.account !== ReceiverParty)
        return refuse('400.002.02', 'Invalid ReceiverParty')
      const code = codeOf()
      const conversationId = conversations.newId()
      const details: ReversalDetails = { conversationId, resultUrl: ResultURL, receipt }
      accept({
        id: conversationId,
        kind: REVERSAL,
        direction: 'out',
        account: ReceiverParty,
        // An unknown receipt has no customer.
        msisdn: payment?.msisdn ?? '254700000000',
        amount: String(Amount),
        currency: 'KES',
        externalId: receipt,
        asks: false,
        ...(code !== undefined && { plan: failing(code) }),
        details,
      })
      return queued({ originatorConversationId: originatorOf(conversationId), conversationId })

      /** What is checked after queueing comes as a result. */
      function codeOf(): string | undefined {
        if (!isInitiator(Initiator, SecurityCredential)) return INITIATOR_UNKNOWN
        if (payment === undefined) return NO_SUCH_RECEIPT
        if (isReversed(receipt)) return KNOWN
        return Number(payment.amount) === Number(Amount) ? undefined : RULE
      }
    },
  }
}

/** Safaricom's own: the request has no id of ours. */
const originatorOf = (conversationId: string): string => `sim-${conversationId}`

export function reversalCallback(order: Order): CallbackText {
  const { conversationId, receipt: original } = order.details as ReversalDetails
  return orderResult('reversalResult', order, REVERSAL_RESULTS, {
    originatorConversationId: originatorOf(conversationId),
    parameters:
      order.receipts.length === 0
        ? undefined
        : {
            Amount: Number(order.amount),
            OriginalTransactionID: original,
            TransCompletedTime: dottedTime(order.settledAt ?? order.acceptedAt),
            CreditPartyPublicName: `${order.msisdn} - Simulated Customer`,
          },
  })
}

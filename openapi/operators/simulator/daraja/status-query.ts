import type { Order } from '../world/order.ts'
import { isVerdictReported } from '../world/lifecycle.ts'
import type { OperatorState } from '../world/world.ts'
import { PAYOUT_RESULTS, type DarajaHandlers } from './contract.ts'
import type { Conversations } from './conversations.ts'
import { dottedTime } from './nairobi-time.ts'
import { INITIATOR_UNKNOWN, PAY_BUSINESS, PAY_OUT } from './payout-results.ts'
import type { PayoutDeps } from './payouts.ts'
import { queued, resultBody, timedOutAfterMs, timeOutText, type ResultOf } from './results.ts'
import { isInitiator, OPENING_BALANCES } from './simulated-merchant.ts'

/** How long a query stays in the queue, in milliseconds. */
const ANSWERED_AFTER_MS = 2_000

const NOTHING_FOUND = '2032'

/** The ids that a query may use. */
interface StatusQueryBody {
  readonly TransactionID?: string
  readonly OriginalConversationID?: string
}

type FoundResult = Pick<ResultOf, 'code' | 'text' | 'transactionId' | 'parameters'>

/** Asynchronous: the result goes to the ResultURL, and is looked up when it is sent. */
export function statusHandlers({
  world,
  conversations,
  refuse,
  send,
}: PayoutDeps): Pick<DarajaHandlers, 'queryTransactionStatus'> {
  return {
    queryTransactionStatus({ body, quirk }) {
      if (!(body.PartyA in OPENING_BALANCES)) return refuse('400.002.02', 'Invalid PartyA: it is not ours')
      const { TransactionID: receipt, OriginalConversationID: conversation } = body
      if (receipt === undefined && conversation === undefined)
        return refuse('400.002.02', 'Invalid TransactionID: and no conversation')

      const ids = conversations.newIds()
      const timeOutAfter = quirk('queue_time_out')
      if (timeOutAfter !== undefined) {
        const text = timeOutText('transactionStatusTimeOut', body.QueueTimeOutURL, ids)
        world.clock.after(timedOutAfterMs(timeOutAfter), () => send(text))
      } else if (quirk('result_lost') === undefined) {
        world.clock.after(ANSWERED_AFTER_MS, () => {
          const found = isInitiator(body.Initiator, body.SecurityCredential)
            ? foundOf(find(world, conversations, body), body.PartyA, world.clock.now())
            : { code: INITIATOR_UNKNOWN, text: PAYOUT_RESULTS[INITIATOR_UNKNOWN] ?? '' }
          const result = resultBody({ ...ids, ...found })
          send({ operations: { POST: 'transactionStatusResult' }, url: body.ResultURL, body: result })
        })
      }
      return queued(ids)
    },
  }
}

/** By the receipt if the query has one, else by the conversation. */
function find(
  { orders }: OperatorState,
  conversations: Conversations,
  { TransactionID: receipt, OriginalConversationID: conversation }: StatusQueryBody,
): Order | undefined {
  if (receipt !== undefined) return orders.all().find(({ receipts }) => receipts.includes(receipt))
  if (conversation === undefined) return undefined
  return conversations.find(conversation)
}

function foundOf(order: Order | undefined, account: string, now: Date): FoundResult {
  if (order === undefined || order.account !== account) return { code: NOTHING_FOUND, text: 'Nothing found' }
  const [receipt] = order.receipts
  return {
    code: '0',
    text: 'Found',
    transactionId: receipt,
    parameters: {
      ...(isPayout(order) && { OriginatorConversationID: order.id }),
      TransactionStatus: statusOf(order, now),
      ...(receipt !== undefined && { ReceiptNo: receipt }),
      Amount: Number(order.amount),
      InitiatedTime: dottedTime(order.acceptedAt),
      ...(order.settledAt !== undefined && { FinalisedTime: dottedTime(order.settledAt) }),
    },
  }
}

const isPayout = ({ kind }: Order): boolean => kind === PAY_OUT || kind === PAY_BUSINESS

function statusOf(order: Order, now: Date): string {
  if (!isVerdictReported(order, now)) return 'Authorized'
  return order.state === 'succeeded' ? 'Completed' : 'Declined'
}

import type { RailAnswer, RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { addressesOf, TAILS } from './callback-addresses.ts'
import { reportedOf, type CallResult } from './calls.ts'
import type { DarajaConnection } from './connected.ts'
import { customerText } from '../customer-text.ts'
import { fieldAt, textOf } from '../foreign-fields.ts'
import type { Payouts } from './rail-account.ts'
import { PAYOUT_TEXT_MAX } from './settings.ts'
import { sendableOf } from './order-bounds.ts'
import { answerOfQueued } from './queued-reply.ts'
import { codeIn, idIn } from './result-fields.ts'
import { securityCredential } from './security-credential.ts'

const DUPLICATE = '500.002.1001'

export const NOT_SET_UP = 'this rail account has no initiator, so it pays nothing out'

/**
 * Sends a payout (B2C). Its OriginatorConversationID is the order's id and serves as the idempotency key: M-PESA
 * refuses the same one again as a duplicate [documented], which means that the first has arrived. So the order may be
 * sent as often as necessary.
 */
export async function submitPayout(
  { railAccount, world, calls }: DarajaConnection,
  order: RailOrder,
): Promise<RailAnswer> {
  const { payouts } = railAccount
  if (!payouts) return { answer: 'not_sent', error: NOT_SET_UP }
  const sendable = sendableOf(order)
  if ('refusal' in sendable) return sendable.refusal
  const addresses = addressesOf({
    result: world.callbackUrl(order.orderId, TAILS.result),
    timeOut: world.callbackUrl(order.orderId, TAILS.timeOut),
  })
  if ('fault' in addresses) return { answer: 'not_sent', error: addresses.fault }
  const answer = await calls.payOut(order.orderId, {
    OriginatorConversationID: order.orderId,
    InitiatorName: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'BusinessPayment',
    Amount: sendable.shillings,
    PartyA: payouts.shortCode,
    PartyB: sendable.msisdn,
    Remarks: remarksOf(payouts, order),
    QueueTimeOutURL: addresses.urls.timeOut,
    ResultURL: addresses.urls.result,
  })
  return answerOfPayout(answer, order.orderId)
}

/** The remark on a payout. */
export const remarksOf = ({ text }: Payouts, order: RailOrder): string =>
  customerText(text, order, { max: PAYOUT_TEXT_MAX, lastResort: 'Payout' })

function answerOfPayout(answer: CallResult<unknown>, orderId: string): RailAnswer {
  const ours = { OriginatorConversationID: orderId }
  if (answer.got === 'refused' && answer.code === DUPLICATE) return { answer: 'accepted', externalIds: ours }
  // Our id was sent: a reply without an id is about it, one with another id is not.
  const named = answer.got === 'data' ? textOf(fieldAt(answer.data, 'OriginatorConversationID')) : undefined
  if (named !== undefined && named.toLowerCase() !== orderId.toLowerCase())
    return { answer: 'unreachable', error: 'M-PESA answered about another payout' }
  const read = answerOfQueued(answer, 'payout', ['ConversationID'])
  return read.answer === 'accepted' ? { ...read, externalIds: { ...ours, ...read.externalIds } } : read
}

/**
 * Queries a payout's status by our own id, so that the answer is about this order; one to a bank by M-PESA's. The reply only confirms that the
 * query is queued: the result comes by callback, under the ConversationID of this reply. So the only known fact here
 * is whether the order has arrived, which the stored external ids from M-PESA show.
 */
export async function queryAboutPayout(
  { railAccount, world, calls }: DarajaConnection,
  order: RailOrder,
): Promise<RailKnowledge> {
  const { payouts } = railAccount
  // Only M-PESA names a payment to a bank.
  const asked = payouts?.banks ? order.externalIds['OriginatorConversationID'] : order.orderId
  if (asked === undefined)
    return { knows: 'unreachable', error: 'whether M-PESA has the payout is unknown, and it cannot be asked' }
  if (!payouts) return { knows: 'unreachable', error: NOT_SET_UP }
  const addresses = addressesOf({
    status: world.callbackUrl(order.orderId, TAILS.status),
    timeOut: world.callbackUrl(order.orderId, TAILS.timeOut),
  })
  if ('fault' in addresses) return { knows: 'unreachable', error: addresses.fault }
  const answer = await calls.queryStatus(order.orderId, {
    Initiator: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'TransactionStatusQuery',
    OriginalConversationID: asked,
    PartyA: payouts.shortCode,
    IdentifierType: SHORT_CODE,
    ResultURL: addresses.urls.status,
    QueueTimeOutURL: addresses.urls.timeOut,
    Remarks: remarksOf(payouts, order),
  })
  if (answer.got !== 'data') return { knows: 'unreachable', error: reportedOf(answer) }
  if ((codeIn(fieldAt(answer.data, 'ResponseCode')) ?? '0') !== '0')
    return { knows: 'unreachable', error: 'M-PESA did not take the question' }
  const conversation = idIn(fieldAt(answer.data, 'ConversationID'))
  const question = conversation === undefined ? {} : { question: conversation }
  const hasArrived = order.externalIds['OriginatorConversationID'] !== undefined
  return hasArrived
    ? { knows: 'in_progress', ...question }
    : {
        knows: 'unreachable',
        error: 'whether M-PESA has the payout is unknown; its status is queried',
        ...question,
      }
}

/** `IdentifierType` of PartyA. */
const SHORT_CODE = '4'

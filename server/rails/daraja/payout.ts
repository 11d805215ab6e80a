import type { RailAnswer, RailKnowledge, RailOrder } from '../../actions/ports/rail.ts'
import { addressesOf, TAILS } from './callback-addresses.ts'
import { isTurnedAway, toldOf, type Answer, type QueuedReply } from './calls.ts'
import type { Connected } from './connected.ts'
import { customerText } from '../customer-text.ts'
import type { Payouts } from './installation.ts'
import { PAYOUT_TEXT_MAX } from './settings.ts'
import { sendableOf } from './order-bounds.ts'
import { securityCredential } from './security-credential.ts'

const INVALID_FIELD = '400.002.02'
const DUPLICATE = '500.002.1001'

const NOT_SET_UP = 'this installation has no initiator, so it pays nothing out'

/**
 * Sends a payout (B2C). Its OriginatorConversationID is the order's id, and the same one again is refused as a duplicate
 * [documented]: the first has arrived, so the order may go out as often as it has to.
 */
export async function submitPayout({ installation, world, calls }: Connected, order: RailOrder): Promise<RailAnswer> {
  const { payouts } = installation
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

const remarksOf = ({ text }: Payouts, order: RailOrder): string =>
  customerText(text, order, { max: PAYOUT_TEXT_MAX, lastResort: 'Payout' })

function answerOfPayout(answer: Answer<QueuedReply>, orderId: string): RailAnswer {
  switch (answer.got) {
    case 'data': {
      const { ConversationID, OriginatorConversationID, ResponseCode } = answer.data
      if (OriginatorConversationID !== orderId)
        return { answer: 'unreachable', error: 'M-PESA answered about another payout' }
      if (String(ResponseCode) !== '0')
        return { answer: 'unreachable', error: `M-PESA answered ${ResponseCode} to the payout` }
      return { answer: 'accepted', theirs: { OriginatorConversationID, ConversationID } }
    }
    case 'not_sent':
      return { answer: 'not_sent', error: answer.error }
    case 'no_answer':
      return { answer: 'unreachable', error: answer.error }
    case 'refused':
      if (answer.code === DUPLICATE) return { answer: 'accepted', theirs: { OriginatorConversationID: orderId } }
      if (isTurnedAway(answer)) return { answer: 'not_sent', error: toldOf(answer) }
      if (answer.code === INVALID_FIELD)
        return { answer: 'refused', reason: 'M-PESA did not take the payout', code: 'not_allowed' }
      return { answer: 'unreachable', error: toldOf(answer) }
  }
}

/**
 * Asks for a payout's status: the answer only says that the question is queued, and what it finds comes by callback. So
 * nothing is known here but whether the order has arrived, which the names that M-PESA gave it tell.
 */
export async function askAboutPayout(
  { installation, world, calls }: Connected,
  order: RailOrder,
): Promise<RailKnowledge> {
  const { payouts } = installation
  if (!payouts) return { knows: 'unreachable', error: NOT_SET_UP }
  const addresses = addressesOf({
    status: world.callbackUrl(order.orderId, TAILS.status),
    timeOut: world.callbackUrl(order.orderId, TAILS.timeOut),
  })
  if ('fault' in addresses) return { knows: 'unreachable', error: addresses.fault }
  const receipt = order.theirs['TransactionID']
  const answer = await calls.queryStatus(order.orderId, {
    Initiator: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'TransactionStatusQuery',
    ...(receipt === undefined ? { OriginalConversationID: order.orderId } : { TransactionID: receipt }),
    PartyA: payouts.shortCode,
    IdentifierType: SHORT_CODE,
    ResultURL: addresses.urls.status,
    QueueTimeOutURL: addresses.urls.timeOut,
    Remarks: remarksOf(payouts, order),
  })
  if (answer.got !== 'data') return { knows: 'unreachable', error: toldOf(answer) }
  const hasArrived = order.theirs['OriginatorConversationID'] !== undefined
  const question = answer.data.ConversationID
  return hasArrived
    ? { knows: 'in_progress', question }
    : { knows: 'unreachable', error: 'whether M-PESA has the payout is not known; its status is asked for', question }
}

/** `IdentifierType` of PartyA. */
const SHORT_CODE = '4'

import type { RailAnswer, RailOrder } from '../../actions/ports/rail.ts'
import { addressesOf, TAILS } from './callback-addresses.ts'
import type { DarajaConnection } from './connected.ts'
import { sendableToBank } from './order-bounds.ts'
import { NOT_SET_UP, remarksOf } from './payout.ts'
import { answerOfQueued } from './queued-reply.ts'
import { securityCredential } from './security-credential.ts'

/** `SenderIdentifierType` and `RecieverIdentifierType` of a short code. */
const SHORT_CODE = '4'

/**
 * Pays an account at a bank, by the bank's pay bill number (B2B). The request takes no id of ours, and a second one is
 * a second payment: it goes out once. Without a reply its outcome is unknown until its result comes, or a statement
 * or a person knows it; with one, its status is asked for by M-PESA's id.
 */
export async function submitToBank(
  { railAccount, world, calls }: DarajaConnection,
  order: RailOrder,
): Promise<RailAnswer> {
  const { payouts } = railAccount
  if (!payouts?.banks) return { answer: 'not_sent', error: NOT_SET_UP }
  const sendable = sendableToBank(order, payouts.banks)
  if ('refusal' in sendable) return sendable.refusal
  const addresses = addressesOf({
    result: world.callbackUrl(order.orderId, TAILS.bank),
    timeOut: world.callbackUrl(order.orderId, TAILS.timeOut),
  })
  if ('fault' in addresses) return { answer: 'not_sent', error: addresses.fault }
  const answer = await calls.payBusiness(order.orderId, {
    Initiator: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'BusinessPayBill',
    SenderIdentifierType: SHORT_CODE,
    RecieverIdentifierType: SHORT_CODE,
    Amount: sendable.shillings,
    PartyA: payouts.shortCode,
    PartyB: sendable.payBill,
    AccountReference: sendable.reference,
    Remarks: remarksOf(payouts, order),
    QueueTimeOutURL: addresses.urls.timeOut,
    ResultURL: addresses.urls.result,
  })
  return answerOfQueued(answer, 'payout', ['OriginatorConversationID', 'ConversationID'])
}

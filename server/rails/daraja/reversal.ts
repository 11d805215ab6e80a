import type { RailAnswer, RailKnowledge, RefundOrder } from '../../actions/ports/rail.ts'
import { addressesOf, TAILS } from './callback-addresses.ts'
import type { DarajaConnection } from './connected.ts'
import { answerOfQueued } from './queued-reply.ts'
import { receiptIn } from './result-fields.ts'
import { securityCredential } from './security-credential.ts'
import { wholeShillings } from './whole-shillings.ts'

/** The receipt of a collection among its external ids. */
export const RECEIPT = 'MpesaReceiptNumber'

/**
 * Refunds a collection by reversing it: the whole amount, by its receipt. M-PESA knows the payment again, and not the
 * request: a reversal without a reply has an unknown outcome until its result comes.
 */
export async function submitReversal(
  { railAccount, world, calls, pull }: DarajaConnection,
  refund: RefundOrder,
): Promise<RailAnswer> {
  const { payouts, shortCode } = railAccount
  if (!payouts) return { answer: 'not_sent', error: 'this rail account has no initiator, so it gives nothing back' }
  const { collection, amount, orderId } = refund
  const shillings = wholeShillings(amount)
  if (shillings === undefined)
    return { answer: 'refused', reason: 'M-PESA moves whole Kenyan shillings only', code: 'not_allowed' }
  const receipt = receiptIn([collection.externalIds[RECEIPT]]) ?? (await listedReceipt(pull, refund))
  if (receipt === undefined)
    return { answer: 'not_sent', error: 'the receipt of the collection is not known yet', lacksId: true }
  const addresses = addressesOf({
    result: world.callbackUrl(orderId, TAILS.reversal),
    timeOut: world.callbackUrl(orderId, TAILS.timeOut),
  })
  if ('fault' in addresses) return { answer: 'not_sent', error: addresses.fault }
  const answer = await calls.reverse(orderId, {
    Initiator: payouts.initiator,
    SecurityCredential: securityCredential(payouts.password, payouts.key),
    CommandID: 'TransactionReversal',
    TransactionID: receipt,
    Amount: shillings,
    ReceiverParty: shortCode,
    RecieverIdentifierType: '11',
    ResultURL: addresses.urls.result,
    QueueTimeOutURL: addresses.urls.timeOut,
    Remarks: 'Refund',
  })
  return answerOfQueued(answer, 'reversal', ['ConversationID'])
}

/** The receipt never came by message: M-PESA's list has it, for two days. */
async function listedReceipt(
  pull: DarajaConnection['pull'],
  { collection, account }: RefundOrder,
): Promise<string | undefined> {
  const found = await pull?.find({ ...collection, account })
  return found?.knows === 'outcome' ? receiptIn([found.receipts?.[RECEIPT]]) : undefined
}

/**
 * M-PESA documents no question about a reversal: only that of a payout names the order that it answers. The result
 * comes by message.
 */
export const queryAboutReversal = ({ externalIds }: RefundOrder): Promise<RailKnowledge> =>
  Promise.resolve(
    externalIds['ConversationID'] === undefined
      ? { knows: 'unreachable', error: 'whether M-PESA has the reversal is unknown, and it cannot be asked' }
      : { knows: 'in_progress' },
  )

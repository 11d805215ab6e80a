import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { BUSINESS_RESULTS, type DarajaHandlers } from './contract.ts'
import { compactTime } from './nairobi-time.ts'
import { INITIATOR_UNKNOWN, PAY_BUSINESS } from './payout-results.ts'
import type { PayoutDeps } from './payouts.ts'
import { withCents } from './pull.ts'
import { orderResult, queued, timedOutAfterMs, timeOutText, type QueuedDetails } from './results.ts'
import { isInitiator, mayPayOut } from './simulated-merchant.ts'
import { failing, planOfTestNumber } from './test-numbers.ts'

export { PAY_BUSINESS } from './payout-results.ts'

/** With the account number at the business. */
type BusinessDetails = QueuedDetails & { readonly reference: string }

/** B2B: each request is a payment, because it has no id of the merchant's. */
export function businessHandlers({
  world,
  conversations,
  refuse,
  send,
}: PayoutDeps): Pick<DarajaHandlers, 'payBusiness'> {
  return {
    payBusiness({ body, accept, quirk }) {
      const { PartyA, PartyB, AccountReference: reference, ResultURL, QueueTimeOutURL } = body
      if (!mayPayOut(PartyA)) return refuse('400.002.02', 'Invalid PartyA: it pays nothing out')
      const ids = conversations.newIds()
      const details: BusinessDetails = { conversationId: ids.conversationId, resultUrl: ResultURL, reference }
      const plan = isInitiator(body.Initiator, body.SecurityCredential)
        ? planOfTestNumber(reference, 'out')
        : failing(INITIATOR_UNKNOWN)
      const order = accept({
        id: ids.originatorConversationId,
        kind: PAY_BUSINESS,
        direction: 'out',
        account: PartyA,
        msisdn: PartyB,
        amount: String(body.Amount),
        currency: 'KES',
        externalId: body.Remarks,
        asks: false,
        ...(plan && { plan }),
        details,
      })
      conversations.open(ids.conversationId, order)
      const timeOutAfter = quirk('queue_time_out')
      if (timeOutAfter !== undefined)
        world.clock.after(timedOutAfterMs(timeOutAfter), () =>
          send(timeOutText('payBusinessTimeOut', QueueTimeOutURL, ids)),
        )
      return queued(ids)
    },
  }
}

export function businessCallback(order: Order): CallbackText {
  const { reference } = order.details as BusinessDetails
  const at = compactTime(order.settledAt ?? order.acceptedAt)
  const isPaid = order.receipts.length > 0
  return orderResult('payBusinessResult', order, BUSINESS_RESULTS, {
    originatorConversationId: order.id,
    isBare: !isPaid,
    parameters: isPaid
      ? {
          Amount: withCents(order.amount),
          TransCompletedTime: at,
          ReceiverPartyPublicName: `${order.msisdn} - Simulated Bank, account ${reference}`,
          Currency: 'KES',
        }
      : { BOCompletedTime: Number(at) },
  })
}

import type { CallbackText } from '../operator.ts'
import type { OperatorState } from '../world/world.ts'
import type { DarajaHandlers } from './contract.ts'
import type { Conversations } from './conversations.ts'
import type { ErrorReply } from './error-replies.ts'
import { INITIATOR_UNKNOWN, PAY_OUT } from './payout-results.ts'
import { queued, timedOutAfterMs, timeOutText } from './results.ts'
import { isInitiator, mayPayOut } from './simulated-merchant.ts'
import { failing } from './test-numbers.ts'

export interface PayoutDeps {
  readonly world: OperatorState
  readonly conversations: Conversations
  readonly refuse: ErrorReply
  readonly send: (callback: CallbackText) => void
}

/** B2C: accepted once per OriginatorConversationID, whatever else the second request contains. */
export function payoutHandlers({ world, conversations, refuse, send }: PayoutDeps): Pick<DarajaHandlers, 'payOut'> {
  return {
    payOut({ body, accept, quirk }) {
      const { OriginatorConversationID: id, QueueTimeOutURL: timeOutUrl } = body
      if (!mayPayOut(body.PartyA)) return refuse('400.002.02', 'Invalid PartyA: it pays nothing out')
      if (world.orders.find(PAY_OUT, id) !== undefined) return refuse('500.002.1001')
      const conversationId = conversations.newId()
      const timeOutAfter = quirk('queue_time_out')
      const order = accept({
        id,
        kind: PAY_OUT,
        direction: 'out',
        account: body.PartyA,
        msisdn: body.PartyB,
        amount: String(body.Amount),
        currency: 'KES',
        externalId: id,
        asks: false,
        // The initiator is checked after queueing: a wrong credential comes as a result.
        ...(!isInitiator(body.InitiatorName, body.SecurityCredential) && { plan: failing(INITIATOR_UNKNOWN) }),
        details: { conversationId, resultUrl: body.ResultURL, remarks: body.Remarks },
      })
      const ids = { originatorConversationId: id, conversationId }
      conversations.open(conversationId, order)
      if (timeOutAfter !== undefined)
        world.clock.after(timedOutAfterMs(timeOutAfter), () => {
          order.history.push({ at: world.clock.now(), text: 'timed out in the queue: its outcome is unknown' })
          send(timeOutText('payOutTimeOut', timeOutUrl, ids))
        })
      return queued(ids)
    },
  }
}

import type { CallbackText } from '../operator.ts'
import type { Order } from '../world/order.ts'
import { BUSINESS_RESULTS, type DarajaHandlers } from './contract.ts'
import { isInitiator } from './initiator.ts'
import { compactTime } from './nairobi-time.ts'
import { INITIATOR_UNKNOWN, PAY_BUSINESS } from './payout-results.ts'
import type { PayoutDeps } from './payouts.ts'
import { withCents } from './pull.ts'
import { isCodeText } from './quirks.ts'
import { resultBody, timeOutBody } from './results.ts'
import { mayPayOut } from './simulated-merchant.ts'
import { failing, planOfTestNumber } from './test-numbers.ts'

export { PAY_BUSINESS } from './payout-results.ts'

const TIME_OUT_MS = 1_000

type BusinessDetails = {
  readonly conversationId: string
  readonly resultUrl: string
  /** The account number at the business. */
  readonly reference: string
}

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
      const ids = { originatorConversationId: world.chance.uuid(), conversationId: conversations.newId() }
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
        world.clock.after(typeof timeOutAfter === 'number' ? timeOutAfter : TIME_OUT_MS, () =>
          send({ operations: { POST: 'payBusinessTimeOut' }, url: QueueTimeOutURL, body: timeOutBody(ids) }),
        )
      return {
        status: 200,
        body: {
          ConversationID: ids.conversationId,
          OriginatorConversationID: ids.originatorConversationId,
          ResponseCode: '0',
          ResponseDescription: 'Accepted',
        },
      }
    },
  }
}

export function businessCallback(order: Order): CallbackText {
  const { conversationId, resultUrl, reference } = order.details as BusinessDetails
  const code = order.code ?? '0'
  const [receipt] = order.receipts
  const at = compactTime(order.settledAt ?? order.acceptedAt)
  const body = resultBody({
    code,
    text: BUSINESS_RESULTS[code] ?? `Result ${code}`,
    originatorConversationId: order.id,
    conversationId,
    transactionId: receipt,
    ...(receipt === undefined
      ? { parameters: { BOCompletedTime: Number(at) }, isBare: true }
      : {
          parameters: {
            Amount: withCents(order.amount),
            TransCompletedTime: at,
            ReceiverPartyPublicName: `${order.msisdn} - Simulated Bank, account ${reference}`,
            Currency: 'KES',
          },
        }),
    isCodeText: isCodeText(order),
  })
  return { operations: { POST: 'payBusinessResult' }, url: resultUrl, body }
}

import type { RailAnswer, RailOrder } from '../../actions/ports/rail.ts'
import { accountReferenceOf } from './account-reference.ts'
import { addressesOf } from './callback-addresses.ts'
import {
  isInvalidField,
  isTurnedAway,
  reportedOf,
  type CallResult,
  type CallRefusal,
  type StkPushRequest,
} from './calls.ts'
import type { DarajaConnection } from './connected.ts'
import type { Collections } from './rail-account.ts'
import { PROMPT_TEXT_MAX } from './settings.ts'
import { customerText } from '../customer-text.ts'
import { fieldAt } from '../foreign-fields.ts'
import { timestampOf } from './nairobi-time.ts'
import { sendableOf } from './order-bounds.ts'
import { codeIn, idIn, reportableCode } from './result-fields.ts'
import { isThrottled } from './throttling.ts'

/** A wrong password, or an open prompt on that phone: what it says about this order is unverified. */
const ONE_OF_THREE = '500.001.1001'
/**
 * With the backoff between attempts (1 s, 2 s, 4 s …) some two minutes: by then the customer no longer waits for a
 * prompt.
 */
const THROTTLED_ATTEMPTS_MAX = 8

/**
 * Sends the prompt to the customer's phone. Safaricom has no idempotency key: the same push twice charges twice
 * [observed]. So everything but a documented refusal is `unreachable`, which is never sent again. Nothing is sent
 * without a callback URL, because the callback is the only message that reports a lost order's result.
 */
export async function submitPrompt(
  { railAccount, world, calls }: DarajaConnection,
  order: RailOrder,
): Promise<RailAnswer> {
  const { collections } = railAccount
  if (!collections) return { answer: 'not_sent', error: 'this rail account has no passkey, so it collects nothing' }
  const sendable = sendableOf(order)
  if ('refusal' in sendable) return sendable.refusal
  const addresses = addressesOf({ callback: world.callbackUrl(order.orderId) })
  if ('fault' in addresses) return { answer: 'not_sent', error: addresses.fault }
  const body: StkPushRequest = {
    ...passwordAt(railAccount.shortCode, collections, world.clock.now()),
    TransactionType: collections.transactionType,
    Amount: sendable.shillings,
    PartyA: sendable.msisdn,
    PartyB: collections.receiver,
    PhoneNumber: sendable.msisdn,
    CallBackURL: addresses.urls.callback,
    AccountReference: accountReferenceOf(order),
    TransactionDesc: customerText(collections.text, order, { max: PROMPT_TEXT_MAX, lastResort: 'Payment' }),
  }
  return answerOfPush(await calls.stkPush(order.orderId, body), collections)
}

/**
 * The three fields that authenticate us. The time comes from the clock that all processes share, not from the local
 * machine.
 */
export function passwordAt(
  shortCode: string,
  { passkey }: Collections,
  now: Date,
): Pick<StkPushRequest, 'BusinessShortCode' | 'Password' | 'Timestamp'> {
  const timestamp = timestampOf(now)
  const password = Buffer.from(`${shortCode}${passkey}${timestamp}`).toString('base64')
  return { BusinessShortCode: shortCode, Password: password, Timestamp: timestamp }
}

function answerOfPush(answer: CallResult<unknown>, collections: Collections): RailAnswer {
  switch (answer.got) {
    case 'data':
      return readPushReply(answer.data)
    case 'not_sent':
      return { answer: 'not_sent', error: answer.error }
    case 'no_answer':
      return { answer: 'unreachable', error: answer.error }
    case 'refused':
      return afterRefusal(answer, collections)
  }
}

function readPushReply(data: unknown): RailAnswer {
  const merchantRequest = idIn(fieldAt(data, 'MerchantRequestID'))
  const checkoutRequest = idIn(fieldAt(data, 'CheckoutRequestID'))
  const code = codeIn(fieldAt(data, 'ResponseCode'))
  const names = {
    ...(merchantRequest !== undefined && { MerchantRequestID: merchantRequest }),
    ...(checkoutRequest !== undefined && { CheckoutRequestID: checkoutRequest }),
  }
  if (code === '0' && checkoutRequest !== undefined) return { answer: 'accepted', externalIds: names }
  // Undocumented: a prompt may be on its way. Of its two ids, only the one without the customer's number is reported.
  const answered = code === undefined ? 'without a code' : reportableCode(code)
  return { answer: 'unreachable', error: `M-PESA answered ${answered} to ${merchantRequest ?? 'the prompt'}` }
}

function afterRefusal(refused: CallRefusal, { refusedBy1001, retryThrottled }: Collections): RailAnswer {
  if (isTurnedAway(refused)) return { answer: 'not_sent', error: reportedOf(refused) }
  if (retryThrottled && isThrottled(refused))
    return { answer: 'not_sent', error: reportedOf(refused), attemptsMax: THROTTLED_ATTEMPTS_MAX }
  if (isInvalidField(refused))
    return { answer: 'refused', reason: 'M-PESA did not take the request', code: 'not_allowed' }
  if (refused.status >= 400 && refused.code === ONE_OF_THREE && refusedBy1001)
    return { answer: 'refused', reason: 'M-PESA did not take the request: try again in a minute', code: 'not_allowed' }
  return { answer: 'unreachable', error: reportedOf(refused) }
}

import type { OperatorReply } from '../operator.ts'
import { isVerdictReported } from '../world/lifecycle.ts'
import type { NewOrder, Order } from '../world/order.ts'
import type { OperatorState } from '../world/world.ts'
import type { DarajaHandlers, StkPushRequest } from './contract.ts'
import { throttledReply, type ErrorReply } from './error-replies.ts'
import { idTime, readCompactTime } from './nairobi-time.ts'
import { receivingAccount, SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { resultCodeOf, STK_PUSH, stkDetails, stkText, type StkDetails } from './stk-results.ts'
import { failing, planOfTestNumber } from './test-numbers.ts'

const IN_FLIGHT = '4999'
const SAME_AGAIN = '17'
const WRONG_CREDENTIALS = ['500.001.1001', 'Wrong credentials'] as const

const PROMPT_MS = 60_000
const SAME_AGAIN_MS = 120_000

// An observer got this reply to 4 of 19 queries in flight.
const WITHOUT_ANSWER = { of: 19, times: 4 }

/** A push is accepted as often as it is sent: Daraja reads no id of the merchant's. */
export function stkPushHandlers(
  world: OperatorState,
  refuse: ErrorReply,
): Pick<DarajaHandlers, 'stkPush' | 'queryStkPush'> {
  const { clock, chance, orders } = world
  return {
    stkPush({ body, accept, quirk }) {
      const throttled = quirk('throttled')
      if (throttled !== undefined) return throttledReply(throttled, refuse)
      const refused = refusalOf(body)
      if (refused) return refuse(...refused)
      const account = receivingAccount(body.TransactionType, body.BusinessShortCode, body.PartyB)
      if (account === undefined) return refuse(...WRONG_CREDENTIALS)

      const now = clock.now()
      const isRuled = !isTestNumber(body.PhoneNumber) && quirk('without_prompt_rules') === undefined
      const earlier = isRuled ? orders.of(body.PhoneNumber) : []
      if (isHeldBack(earlier, now)) return refuse('500.001.1001', 'The subscriber is locked')

      const sameAgain = isSameAgain(earlier, { account, amount: String(body.Amount) }, now)
      const details: StkDetails = {
        merchantRequestId: dashed(chance.hex(10)),
        callbackUrl: body.CallBackURL,
        shortCode: body.BusinessShortCode,
        description: body.TransactionDesc,
      }
      const { id } = accept({
        id: newCheckoutId(world, body.PhoneNumber),
        ...orderedBy(body, account, sameAgain),
        details,
      })
      return answered({
        MerchantRequestID: details.merchantRequestId,
        CheckoutRequestID: id,
        CustomerMessage: 'Accepted',
      })
    },

    queryStkPush({ body }) {
      const refused = refusalOf(body)
      if (refused) return refuse(...refused)
      const order = orders.find(STK_PUSH, body.CheckoutRequestID)
      // Daraja's reply for an unknown id is not known: the reply that decides nothing is the safe one.
      if (order === undefined || stkDetails(order).shortCode !== body.BusinessShortCode) return refuse('500.001.1001')
      const isReported = isVerdictReported(order, clock.now())
      if (!isReported && parseInt(chance.hex(4), 16) % WITHOUT_ANSWER.of < WITHOUT_ANSWER.times)
        return refuse('500.001.1001')
      return queried(order, isReported ? resultCodeOf(order) : IN_FLIGHT)
    },
  }
}

/** Whether this phone had a prompt within the last minute. @param earlier orders of one phone */
const isHeldBack = (earlier: readonly Order[], now: Date): boolean =>
  earlier.some((order) => order.asks && isWithin(order, PROMPT_MS, now))

/** Whether this customer had a prompt for the same amount and account within two minutes. */
const isSameAgain = (
  earlier: readonly Order[],
  { account, amount }: Pick<Order, 'account' | 'amount'>,
  now: Date,
): boolean =>
  earlier.some(
    (order) =>
      order.asks && order.account === account && order.amount === amount && isWithin(order, SAME_AGAIN_MS, now),
  )

const isWithin = ({ acceptedAt }: Order, ms: number, now: Date): boolean => now.getTime() - acceptedAt.getTime() < ms

/** Contains the time in milliseconds and the phone; a second push in the same millisecond gets the next one. */
function newCheckoutId({ clock, orders }: OperatorState, msisdn: string): string {
  for (let ms = clock.now().getTime(); ; ms++) {
    const id = `ws_CO_${idTime(new Date(ms))}${msisdn}`
    if (orders.find(STK_PUSH, id) === undefined) return id
  }
}

/** @param sameAgain such a push prompts nobody, and fails */
const orderedBy = (body: StkPushRequest, account: string, sameAgain: boolean): Omit<NewOrder, 'id' | 'details'> => ({
  kind: STK_PUSH,
  direction: 'in',
  account,
  msisdn: body.PhoneNumber,
  amount: String(body.Amount),
  currency: 'KES',
  externalId: body.AccountReference,
  asks: !sameAgain && !isTestNumber(body.PhoneNumber),
  ...(sameAgain && { plan: failing(SAME_AGAIN) }),
})

const isTestNumber = (msisdn: string): boolean => planOfTestNumber(msisdn, 'in') !== undefined

/** `7f3a-4c1e-9d20-6b5e8a1f2c33` */
const dashed = (hex: string): string => hex.replace(/^(.{4})(.{4})(.{4})/, '$1-$2-$3-')

const answered = (fields: Readonly<Record<string, string>>): OperatorReply => ({
  status: 200,
  body: { ResponseCode: '0', ResponseDescription: 'Accepted', ...fields },
})

const queried = (order: Order, code: string): OperatorReply =>
  answered({
    MerchantRequestID: stkDetails(order).merchantRequestId,
    CheckoutRequestID: order.id,
    ResultCode: code,
    ResultDesc: stkText(code),
  })

type SignedRequest = Pick<StkPushRequest, 'BusinessShortCode' | 'Password' | 'Timestamp'> &
  Partial<Pick<StkPushRequest, 'PartyA' | 'PhoneNumber'>>

/** Checks that the schema cannot express. */
function refusalOf(body: SignedRequest): Parameters<ErrorReply> | undefined {
  if (readCompactTime(body.Timestamp) === undefined) return ['400.002.02', 'Invalid Timestamp: no such time']
  if (body.PartyA !== body.PhoneNumber) return ['400.002.02', 'Invalid PhoneNumber: not that of PartyA']
  return body.Password === passwordOf(body) ? undefined : [...WRONG_CREDENTIALS]
}

const passwordOf = ({ BusinessShortCode, Timestamp }: SignedRequest): string =>
  Buffer.from(`${BusinessShortCode}${SIMULATED_MERCHANT.passkey}${Timestamp}`).toString('base64')

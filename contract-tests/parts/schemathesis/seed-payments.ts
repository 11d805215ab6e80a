import { phoneNumber } from '../../driver/account-numbers.ts'
import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import { postRequest, sendRequest, verifyRequest } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** A running gateway, and the keys of a merchant. */
export interface LiveServer {
  readonly url: string
  readonly publicKey: string
  readonly secretKey: string
}

/** Payments that exist on the gateway before it is tested. */
export interface SeededPayments {
  readonly merchantReference: string
  /** Internal references of collections that wait for the OTP 123456 (numbers that end in 005). */
  readonly awaitingOtp: readonly string[]
  /** Merchant references of completed collections, of a refund, of a payout and of the batch that it is in. */
  readonly completed: readonly string[]
  readonly refund: string
  readonly payout: string
  readonly batch: string
}

/** The `data` of a reply. @throws Error for every reply that is not a success */
async function dataOf({ url }: LiveServer, request: WireRequest): Promise<Fields> {
  const { status, message, data } = await sendRequest(url, request)
  if (status >= 200 && status < 300) return data
  throw new Error(`${request.method} ${request.path} was answered ${status}: ${message}`)
}

const AWAITING = 6
const COMPLETED = 6
const POLL_MS = 200
const POLLS_MAX = 100

/** Waits for the end of a collection; what has not ended by then is refused with its own words. */
async function ended(server: LiveServer, reference: string): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const { data } = await sendRequest(server.url, verifyRequest(server, reference))
    if (data.transaction_status === 'COMPLETED') return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** @param serial of the first account number: a number takes only so many payments in an hour */
export async function seedPayments(server: LiveServer, serial: number): Promise<SeededPayments> {
  const collect = (offset: number, ending: string) => {
    const msisdn = phoneNumber('UGX', '77', serial + offset, ending)
    const body = mobileCollection({ merchant_reference: 'auto', msisdn })
    return dataOf(server, postRequest(server, 'initializeCollection', body))
  }
  const { merchant_reference } = await collect(0, '123')
  const collections = await Promise.all(Array.from({ length: COMPLETED }, (_, index) => collect(index, '123')))
  const [whole = '', ...completed] = collections.map((each) => String(each.merchant_reference))
  for (const reference of [whole, ...completed]) await ended(server, reference)
  const refund = `SEEDED-${whole}`
  const refunded = { merchant_reference: refund, collection_reference: whole, amount: 1000, reason: 'Order cancelled' }
  await dataOf(server, postRequest(server, 'refundCollection', refunded))
  const payout = `SEEDED-${whole}`
  const account_number = phoneNumber('UGX', '77', serial, '123')
  const payouts = [mobilePayout({ merchant_reference: payout, account_number })]
  await dataOf(server, postRequest(server, 'createPayoutBatch', { batch_reference: payout, payouts }))
  const awaiting = await Promise.all(Array.from({ length: AWAITING }, (_, index) => collect(index, '005')))
  return {
    merchantReference: String(merchant_reference),
    awaitingOtp: awaiting.map(({ internal_reference }) => String(internal_reference)),
    completed,
    refund,
    payout,
    batch: payout,
  }
}

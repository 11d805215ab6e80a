import { phoneNumber } from '../../driver/account-numbers.ts'
import { mobileCollection } from '../../driver/bodies.ts'
import { postRequest, sendRequest } from '../../driver/requests.ts'
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
}

/** The `data` of a reply. @throws Error for every reply that is not a success */
async function dataOf({ url }: LiveServer, request: WireRequest): Promise<Fields> {
  const { status, message, data } = await sendRequest(url, request)
  if (status >= 200 && status < 300) return data
  throw new Error(`${request.method} ${request.path} was answered ${status}: ${message}`)
}

const AWAITING = 6

/** @param serial of the first account number: a number takes only so many payments in an hour */
export async function seedPayments(server: LiveServer, serial: number): Promise<SeededPayments> {
  const collect = (offset: number, ending: string) => {
    const msisdn = phoneNumber('UGX', '77', serial + offset, ending)
    const body = mobileCollection({ merchant_reference: 'auto', msisdn })
    return dataOf(server, postRequest(server, 'initializeCollection', body))
  }
  const { merchant_reference } = await collect(0, '123')
  const awaiting = await Promise.all(Array.from({ length: AWAITING }, (_, index) => collect(index, '005')))
  return {
    merchantReference: String(merchant_reference),
    awaitingOtp: awaiting.map(({ internal_reference }) => String(internal_reference)),
  }
}

import { phoneNumber } from '../../driver/account-numbers.ts'
import { mobileCollection } from '../../driver/bodies.ts'
import { getRequest, itemsOf, postRequest, sendRequest, walletsRequest } from '../../driver/requests.ts'
import type { Fields } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'

/** A running gateway, and the keys of a merchant. */
export interface LiveServer {
  readonly url: string
  readonly publicKey: string
  readonly secretKey: string
}

export interface LiveProvider {
  readonly provider_code: string
  readonly transaction_method: string
  readonly transaction_currency: string
  readonly min_amount: number
  readonly max_amount: number
  readonly is_active: boolean
  readonly option_prefixes?: readonly string[]
}

/** Lookups of a running gateway: all that the fuzz profile knows of its business rules. */
export interface ReferenceData {
  readonly collection: readonly LiveProvider[]
  readonly payout: readonly LiveProvider[]
  /** Bank codes by provider code, for payouts to banks. */
  readonly banks: ReadonlyMap<string, readonly string[]>
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

export async function readReferenceData(server: LiveServer): Promise<ReferenceData> {
  const lookup = async <Item>(path: string, list: string) =>
    itemsOf(await dataOf(server, getRequest(server, path)), list).filter(({ is_active }) => is_active) as Item[]
  const wallets = itemsOf(await dataOf(server, walletsRequest(server)), 'merchant_wallets')
  const currencies = [...new Set(wallets.map(({ currency }) => String(currency)))]
  const providers = async (type: string) => {
    const path = (currency: string) => `/data/payment-providers?currency=${currency}&transaction_type=${type}`
    return (await Promise.all(currencies.map((each) => lookup<LiveProvider>(path(each), 'payment_providers')))).flat()
  }
  const [collection, payout] = [await providers('COLLECTION'), await providers('PAYOUT')]
  const banks = await Promise.all(
    payout
      .filter(({ transaction_method }) => transaction_method === 'BANK')
      .map(async ({ provider_code }) => {
        const path = `/data/payout-bank-codes?provider_code=${provider_code}`
        const listed = await lookup<{ readonly bank_code: string }>(path, 'payout_banks')
        return [provider_code, listed.map(({ bank_code }) => bank_code)] as const
      }),
  )
  return { collection, payout, banks: new Map(banks) }
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

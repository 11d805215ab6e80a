import { CALLING_CODES, NATIONAL_DIGITS } from './account-numbers.ts'
import type { Target } from '../harness/part.ts'
import type { PaymentDriver } from './payment-driver.ts'
import { getRequest, itemsOf, sendRequest } from './requests.ts'

export type Direction = 'COLLECTION' | 'PAYOUT'

/** A provider in one direction, as the server itself lists it. */
export interface Option {
  readonly code: string
  readonly name: string
  readonly type: Direction
  readonly currency: string
  readonly min: number
  readonly max: number
  readonly daily: number
  /** None for banks. */
  readonly prefixes: readonly string[]
}

const DIRECTIONS: readonly Direction[] = ['COLLECTION', 'PAYOUT']

/** Options listed in one currency and direction. */
export async function optionsOf(target: Target, type: Direction, currency: string): Promise<readonly Option[]> {
  const path = `/data/payment-providers?currency=${currency}&transaction_type=${type}`
  const { data } = await sendRequest(target.url, getRequest(target, path))
  return itemsOf(data, 'payment_providers').map(({ provider_code, provider_name, option_prefixes, ...limits }) => ({
    code: String(provider_code),
    name: String(provider_name),
    type,
    currency,
    min: Number(limits.min_amount),
    max: Number(limits.max_amount),
    daily: Number(limits.max_daily_amount),
    prefixes: Array.isArray(option_prefixes) ? option_prefixes.map(String) : [],
  }))
}

/** @returns undefined when the server does not list it */
export const optionOf = async (
  target: Target,
  provider: string,
  type: Direction,
  currency: string,
): Promise<Option | undefined> => (await optionsOf(target, type, currency)).find(({ code }) => code === provider)

/** All listed mobile money options in the sandbox's currencies. */
export async function mobileMoney(target: Target): Promise<readonly Option[]> {
  const all = Object.keys(CALLING_CODES).flatMap((currency) => DIRECTIONS.map((type) => [type, currency] as const))
  const listed = await Promise.all(all.map(([type, currency]) => optionsOf(target, type, currency)))
  return listed.flat()
}

/** A number of this country that nothing else in this run uses. */
export const numberOf = (driver: PaymentDriver, currency: string, prefix: string, ending = '123'): string =>
  `${CALLING_CODES[currency] ?? ''}${prefix}${driver.phone(ending).slice(-(NATIONAL_DIGITS - prefix.length))}`

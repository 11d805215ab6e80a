import { CALLING_CODES, NATIONAL_DIGITS } from '../../harness/account-numbers.ts'
import { fieldsOf } from '../../harness/json.ts'
import { passOn } from '../../harness/proxy.ts'
import type { Target } from '../../harness/part.ts'
import type { LimitsDriver } from './driver.ts'
import { getRequest, toApiReply } from './requests.ts'

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
  const { data } = toApiReply(await passOn(new URL(target.url), getRequest(target, path)).catch(() => undefined))
  const listed = Array.isArray(data.payment_providers) ? data.payment_providers.map(fieldsOf) : []
  return listed.map(({ provider_code, provider_name, option_prefixes, ...limits }) => ({
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
export const numberOf = (driver: LimitsDriver, currency: string, prefix: string, ending = '123'): string =>
  `${CALLING_CODES[currency] ?? ''}${prefix}${driver.phone(ending).slice(-(NATIONAL_DIGITS - prefix.length))}`

import { fieldsOf, type Fields } from '../../harness/json.ts'
import type { Target } from '../../harness/part.ts'
import type { Act } from './act.ts'
import { getRequest, said, type Said } from './requests.ts'
import { passOn } from '../../harness/proxy.ts'

/** A provider in one direction, as the server itself lists it. */
export interface Option {
  readonly currency: string
  readonly min: number
  readonly max: number
  readonly daily: number
}

export type Direction = 'COLLECTION' | 'PAYOUT'

/** @returns undefined when the server does not list it */
export async function optionOf(target: Target, provider: string, type: Direction, currency: string) {
  const path = `/data/payment-providers?currency=${currency}&transaction_type=${type}`
  const { data } = said(await passOn(new URL(target.url), getRequest(target, path)).catch(() => undefined))
  const listed = Array.isArray(data.payment_providers) ? data.payment_providers.map(fieldsOf) : []
  const found = listed.find(({ provider_code }) => provider_code === provider)
  if (!found) return undefined
  const { min_amount: min, max_amount: max, max_daily_amount: daily } = found
  return [min, max, daily].every((each) => typeof each === 'number')
    ? { currency, min: Number(min), max: Number(max), daily: Number(daily) }
    : undefined
}

/** What an account number is used for, up to its daily limit. */
export interface Use {
  readonly option: Option
  /** Asks for a payment of this amount, on this account number. */
  readonly ask: (amount: number, changes?: Fields) => Promise<Said>
  readonly about: string
}

/** What nothing else can be seen without. */
export const NOT_FULL = 'a day that is not full'
export const ONE_OVER = 'one unit over'
const SOURCE = 'max_daily_amount of the list, and the contract: largest total of one account number in any 24 hours'
export const overDailyLimit = ({ daily, currency }: Option): string =>
  `amount exceeds the daily limit of ${daily} ${currency} for this account number`

/** Amounts that are the daily limit together, each within the limits of one payment; the last is none of the largest. */
export function wholeDay({ min, max, daily }: Option): readonly number[] {
  const largest = Array.from({ length: Math.ceil(daily / max) - 1 }, () => max)
  const rest = daily - largest.length * max
  return rest >= min ? [...largest, rest] : [...largest.slice(1), max - min, rest + min]
}

/** Uses the day up to the last unit. @param what why it must be free, in words */
export async function fills(act: Act, { option, ask, about }: Use, what: string): Promise<boolean> {
  const amounts = wholeDay(option)
  const replies: Said[] = []
  for (const amount of amounts) replies.push(await ask(amount))
  const refused = replies.findIndex(({ status }) => status !== 202)
  const { status = 202, message = '' } = replies[refused] ?? {}
  return act.hold(
    about,
    refused < 0,
    `daily limit: ${what}`,
    `${what}: ${amounts.join(' + ')} ${option.currency} is the daily limit and must be accepted (${SOURCE}), payment ${refused + 1} was answered ${status} "${message}"`,
    `daily limit: ${NOT_FULL}`,
  )
}

/** What is over the limit is refused. */
export async function isFull(
  act: Act,
  { option, ask, about }: Use,
  rule: string,
  amount = option.min,
): Promise<boolean> {
  const refused = { status: 400, message: overDailyLimit(option) }
  return act.expect(about, await ask(amount), refused, `daily limit: ${rule}`, SOURCE, `daily limit: ${ONE_OVER}`)
}

import type { Fields } from '../../harness/json.ts'
import type { LimitsDriver } from './act.ts'
import type { Option } from './options.ts'
import type { ApiReply } from './requests.ts'

/** What an account number is used for, up to its daily limit. */
export interface LimitUse {
  readonly option: Option
  /** Asks for a payment of this amount, on this account number. */
  readonly ask: (amount: number, changes?: Fields) => Promise<ApiReply>
  readonly about: string
}

/** What nothing else can be seen without. */
export const NOT_FULL = 'a day that is not full'
export const ONE_OVER = 'one unit over'
const SOURCE = 'max_daily_amount of the list, and the contract: largest total of one account number in any 24 hours'
export const overDailyLimit = ({ daily, currency }: Option): string =>
  `amount exceeds the daily limit of ${daily} ${currency} for this account number`

/** Amounts that are the daily limit together, each within the limits of one payment; the last could be one unit more. */
export function wholeDay({ min, max, daily }: Option): readonly number[] {
  const largest = Array.from({ length: Math.ceil(daily / max) - 1 }, () => max)
  const rest = daily - largest.length * max
  if (rest === max) return [...largest, max - min, min]
  return rest >= min ? [...largest, rest] : [...largest.slice(1), max - min, rest + min]
}

/** Uses the day up to the last unit. @param what why it must be free, in words */
export async function fills(
  act: LimitsDriver,
  { option, ask: request, about }: LimitUse,
  what: string,
): Promise<boolean> {
  const amounts = wholeDay(option)
  const replies: ApiReply[] = []
  for (const amount of amounts) replies.push(await request(amount))
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
  act: LimitsDriver,
  { option, ask, about }: LimitUse,
  rule: string,
  amount = option.min,
): Promise<boolean> {
  const refused = { status: 400, message: overDailyLimit(option) }
  return act.expect(about, await ask(amount), refused, `daily limit: ${rule}`, SOURCE, `daily limit: ${ONE_OVER}`)
}

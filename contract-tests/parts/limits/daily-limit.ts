import type { Fields } from '../../harness/json.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { accountOf, operationOf, wholeDay, type Option } from '../../driver/provider-options.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** Uses of an account number, up to its daily limit. */
export interface LimitUse {
  readonly driver: PaymentDriver
  readonly option: Option
  readonly account: string
  /** Requests a payment of this amount, on this account number. */
  readonly request: (amount: number, changes?: Fields) => Promise<ApiReply>
  readonly about: string
}

/** Payments of one account number, which nothing else in this run uses. */
export function useOf(driver: PaymentDriver, option: Option, ending = '006'): LimitUse {
  const { type, method, code, currency } = option
  const account = accountOf(driver, option, ending)
  const common = { provider_code: code, currency, transaction_method: method }
  const bank = method === 'BANK' && { extra_params: { bank_code: 'access_bank_ng' } }
  return {
    driver,
    option,
    account,
    about: operationOf(option),
    request: (amount, changes) =>
      type === 'COLLECTION'
        ? driver.collect({ ...common, msisdn: account, amount, ...changes })
        : driver.pay({ ...common, ...bank, account_number: account, amount, ...changes }),
  }
}

/** Rules whose breach shows in others. */
export const NOT_FULL = 'a day that is not full'
export const ONE_OVER = 'one unit over'
const SOURCE = 'max_daily_amount of the list, and the contract: largest total of one account number in any 24 hours'
const overDailyLimit = ({ daily, currency }: Option): string =>
  refusal('amount_daily', { '7000000': String(daily), UGX: currency })

/** Uses up the daily limit to the last unit. @param what why it must be free, in words */
export async function fills({ driver, option, request, about }: LimitUse, what: string): Promise<boolean> {
  const amounts = wholeDay(option)
  const replies: ApiReply[] = []
  for (const amount of amounts) replies.push(await request(amount))
  const refused = replies.findIndex(({ status }) => status !== 202)
  const { status = 202, message = '' } = replies[refused] ?? {}
  return driver.hold(
    about,
    refused < 0,
    `daily limit: ${what}`,
    `${what}: payment ${refused + 1} of ${amounts.join(' + ')} ${option.currency} was answered ${status} "${message}", not 202: together they are the daily limit (${SOURCE})`,
    `daily limit: ${NOT_FULL}`,
  )
}

/** An amount beyond the limit is refused. */
export async function isFull(use: LimitUse, rule: string, amount = use.option.min): Promise<boolean> {
  const { driver, option, request, about } = use
  const refused = { status: 400, message: overDailyLimit(option) }
  const reply = await request(amount)
  return driver.expect(about, reply, refused, `daily limit: ${rule}`, SOURCE, `daily limit: ${ONE_OVER}`)
}

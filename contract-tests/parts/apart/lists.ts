import { reported } from '../../driver/api-replies.ts'
import { numberOf, operationOf, payableOptions, walletCurrencies, type Option } from '../../driver/provider-options.ts'
import type { ApiReply } from '../../driver/requests.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { driversOf, type Merchant, type MerchantPair } from './merchant-pair.ts'

const nameOf = ({ code, type }: Option): string => `${code} ${type}`

/** An option of one merchant only is listed for that merchant only, and refused to the other. */
export async function lists(pair: MerchantPair): Promise<void> {
  const { first, second } = pair
  const { one, other } = driversOf(pair, 'the providers')
  const currencies = await walletCurrencies(one)
  const mobileOptions = async (driver: PaymentDriver): Promise<readonly Option[]> =>
    (await payableOptions(driver, currencies)).filter(({ method }) => method === 'MOBILE_MONEY')
  const [firsts, seconds] = [await mobileOptions(one), await mobileOptions(other)]
  await onlyOne(pair, second, firsts, seconds)
  await onlyOne(pair, first, seconds, firsts)
  // A server that shows one merchant the other's options has the same list for both.
  for (const [merchant, listed] of [[first, firsts] as const, [second, seconds] as const])
    await Promise.all(listed.map((option) => usable(pair, merchant, option)))
}

/** A payment by an option. */
async function pays(driver: PaymentDriver, option: Option, amount: number): Promise<ApiReply> {
  const { type, code: provider_code, currency, prefixes } = option
  const number = numberOf(driver, currency, prefixes[0] ?? '', '001')
  return type === 'COLLECTION'
    ? driver.collect({ provider_code, currency, amount, merchant_reference: driver.reference(), msisdn: number })
    : driver.pay({ provider_code, currency, amount, account_number: number })
}

async function onlyOne(
  { fixture }: MerchantPair,
  lacking: Merchant,
  listed: readonly Option[],
  others: readonly Option[],
): Promise<void> {
  const known = new Set(others.map(nameOf))
  for (const option of listed.filter((each) => !known.has(nameOf(each)))) {
    const driver = fixture.driver(`${nameOf(option)} of the other merchant`).as(lacking)
    const answer = await pays(driver, option, option.min)
    const wanted = refusal('provider_not_enabled', { mtn_zm: option.code })
    const what = `${option.code} is listed for the other merchant only, and was answered ${reported(answer)} to ${lacking.name}, not 400 "${wanted}"`
    const isRefused = answer.status === 400 && answer.message === wanted
    driver.hold(operationOf(option), isRefused, 'option of another', what)
  }
}

const BY_LIMITS = refusal('amount_range').split(/\d/, 1)[0] ?? ''

/** A listed option is usable: an amount beyond all limits is refused because of the limits. */
async function usable({ fixture }: MerchantPair, merchant: Merchant, option: Option): Promise<void> {
  const driver = fixture.driver(nameOf(option)).as(merchant)
  const answer = await pays(driver, option, option.max * 10)
  const isRight = answer.status === 400 && answer.message.startsWith(BY_LIMITS)
  const what = `${option.code} is listed for ${merchant.name}, and an amount above its limits was answered ${reported(answer)}, not by the limits`
  driver.hold(operationOf(option), isRight, 'own option', what)
}

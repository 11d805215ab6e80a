import { phoneNumber } from '../../driver/account-numbers.ts'
import { mobileCollection, mobilePayout } from '../../driver/bodies.ts'
import { reported } from '../../driver/api-replies.ts'
import { collect, getAs, payOut, wallets, type Merchant } from '../../driver/merchant.ts'
import { itemsOf, type ApiReply } from '../../driver/requests.ts'
import type { MerchantPair } from './merchant-pair.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

const ABOUT = 'listPaymentProviders'
const TYPES = ['COLLECTION', 'PAYOUT'] as const
type Type = (typeof TYPES)[number]

/** An option of one merchant only is listed for that merchant only, and refused to the other. */
export async function lists(pair: MerchantPair): Promise<void> {
  const currencies = await currenciesOf(pair)
  for (const currency of currencies)
    for (const type of TYPES) {
      const [firsts, seconds] = [
        await optionsOf(pair, pair.first, currency, type),
        await optionsOf(pair, pair.second, currency, type),
      ]
      await onlyOne(pair, pair.second, firsts, seconds)
      await onlyOne(pair, pair.first, seconds, firsts)
      // A server that shows one merchant the other's options has the same list for both.
      for (const [merchant, listed] of [[pair.first, firsts] as const, [pair.second, seconds] as const])
        await Promise.all(listed.map((option) => usable(pair, merchant, option)))
    }
}

/** Currencies of the wallets: an account has a wallet for each currency that it can use. */
async function currenciesOf({ first }: MerchantPair): Promise<readonly string[]> {
  const { data } = await wallets(first)
  return [...new Set(itemsOf(data, 'merchant_wallets').map(({ currency }) => String(currency)))]
}

/** Mobile money options in a currency. */
async function optionsOf(
  pair: MerchantPair,
  merchant: Merchant,
  currency: string,
  type: Type,
): Promise<readonly Option[]> {
  const answer = await getAs(merchant, `/data/payment-providers?currency=${currency}&transaction_type=${type}`)
  const items = itemsOf(answer.data, 'payment_providers')
  const codes = items.map(({ provider_code }) => String(provider_code))
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  pair.hold(ABOUT, 'own options only', twice !== undefined && `the list of ${merchant.name} has ${twice} twice`, [
    answer,
  ])
  return items
    .filter(({ transaction_method, is_active }) => transaction_method === 'MOBILE_MONEY' && is_active === true)
    .map(({ provider_code, transaction_currency, min_amount, max_amount, option_prefixes }) => ({
      type,
      code: String(provider_code),
      currency: String(transaction_currency),
      min: Number(min_amount),
      max: Number(max_amount),
      prefix: String(Array.isArray(option_prefixes) ? option_prefixes[0] : ''),
    }))
}

interface Option {
  readonly type: Type
  readonly code: string
  readonly currency: string
  readonly min: number
  readonly max: number
  readonly prefix: string
}

/** A payment by an option. */
function pays(pair: MerchantPair, merchant: Merchant, option: Option, amount: number): Promise<ApiReply> {
  const { type, code: provider_code, currency, prefix } = option
  const number = phoneNumber(currency, prefix, 1, '001')
  const common = { provider_code, currency, amount, merchant_reference: pair.reference('LIST') }
  return type === 'COLLECTION'
    ? collect(merchant, mobileCollection({ ...common, msisdn: number }))
    : payOut(merchant, mobilePayout({ ...common, account_number: number }))
}

const operationOf = ({ type }: Option): string => (type === 'COLLECTION' ? 'initializeCollection' : 'sendFunds')

async function onlyOne(
  pair: MerchantPair,
  lacking: Merchant,
  listed: readonly Option[],
  others: readonly Option[],
): Promise<void> {
  const known = new Set(others.map(({ code }) => code))
  for (const option of listed.filter(({ code }) => !known.has(code))) {
    const answer = await pays(pair, lacking, option, option.min)
    const wanted = refusal('provider_not_enabled', { mtn_zm: option.code })
    const isRefused = answer.status === 400 && answer.message === wanted
    const fault =
      !isRefused &&
      `${option.code} is listed for the other merchant only, and was answered ${reported(answer)} to ${lacking.name}, not 400 "${wanted}"`
    pair.hold(operationOf(option), 'option of another', fault, [answer])
  }
}

/** A listed option is usable: an amount beyond all limits is refused because of the limits. */
async function usable(pair: MerchantPair, merchant: Merchant, option: Option): Promise<void> {
  const answer = await pays(pair, merchant, option, option.max * 10)
  const isRight = answer.status === 400 && answer.message.startsWith(refusal('amount_range').split(/\d/, 1)[0] ?? '')
  const fault =
    !isRight &&
    `${option.code} is listed for ${merchant.name}, and an amount above its limits was answered ${reported(answer)}, not by the limits`
  pair.hold(operationOf(option), 'own option', fault, [answer])
}

import { phoneNumber } from '../../harness/account-numbers.ts'
import { mobileCollection } from '../../harness/bodies.ts'
import { isFields, type Fields } from '../../harness/json.ts'
import { told } from './answers.ts'
import { collect, type Merchant } from './merchant.ts'
import type { Pair } from './pair.ts'

const ABOUT = 'listPaymentProviders'

/** What only one of them may use is in its list alone, and is refused to the other. */
export async function lists(pair: Pair): Promise<void> {
  const currencies = await currenciesOf(pair)
  for (const currency of currencies) {
    const [firsts, seconds] = [
      await optionsOf(pair, pair.first, currency),
      await optionsOf(pair, pair.second, currency),
    ]
    await onlyOne(pair, pair.second, firsts, seconds)
    await onlyOne(pair, pair.first, seconds, firsts)
  }
}

/** Those of the wallets: an account has one for each currency that it can use. */
async function currenciesOf({ first }: Pair): Promise<readonly string[]> {
  const { data } = await first.ask({ path: '/data/wallet-balances', withSecret: true })
  const { merchant_wallets: list } = data
  return [...new Set((Array.isArray(list) ? list.filter(isFields) : []).map(({ currency }) => String(currency)))]
}

/** Collections of mobile money in a currency. */
async function optionsOf(pair: Pair, merchant: Merchant, currency: string): Promise<readonly Fields[]> {
  const answer = await merchant.ask({
    path: `/data/payment-providers?currency=${currency}&transaction_type=COLLECTION`,
  })
  const list = Object.values(answer.data).find((value) => Array.isArray(value))
  const items = Array.isArray(list) ? list.filter(isFields) : []
  const codes = items.map(({ provider_code }) => String(provider_code))
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  pair.hold(ABOUT, 'own options only', twice !== undefined && `the list of ${merchant.name} has ${twice} twice`, [
    answer.request,
  ])
  return items.filter(
    ({ transaction_method, is_active }) => transaction_method === 'MOBILE_MONEY' && is_active === true,
  )
}

async function onlyOne(
  pair: Pair,
  lacking: Merchant,
  listed: readonly Fields[],
  others: readonly Fields[],
): Promise<void> {
  const known = new Set(others.map(({ provider_code }) => provider_code))
  for (const option of listed.filter(({ provider_code }) => !known.has(provider_code))) {
    const { provider_code, transaction_currency: currency, min_amount: amount } = option
    const reference = pair.reference('LIST')
    const { option_prefixes: prefixes } = option
    const msisdn = phoneNumber(String(currency), String(Array.isArray(prefixes) ? prefixes[0] : ''), 1, '001')
    const body = mobileCollection({ provider_code, currency, amount, merchant_reference: reference, msisdn })
    const answer = await collect(lacking, body)
    const wanted = `Invalid provider code (${String(provider_code)}): not enabled for this merchant`
    const isRefused = answer.status === 400 && answer.message === wanted
    const fault =
      !isRefused &&
      `${String(provider_code)} is listed for the other merchant only, and was answered ${told(answer)} to ${lacking.name}, not 400 "${wanted}"`
    pair.hold('initializeCollection', 'option of another', fault, [answer.request], { names: [reference] })
  }
}

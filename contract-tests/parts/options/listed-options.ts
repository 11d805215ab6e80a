import type { Fields } from '../../harness/json.ts'
import { reported } from '../../driver/api-replies.ts'
import { getAs, wallets } from '../../driver/merchant.ts'
import { itemsOf, type ApiReply } from '../../driver/requests.ts'
import { minorOf } from '../../driver/money.ts'
import type { ChargeRule } from './charges.ts'
import type { Method, SandboxPage, Type } from './page.ts'
import { forEachOf, textOf, type OptionsFixture } from './fixture.ts'

/** A payment option as the server lists it, completed from the docs. */
export interface Option {
  readonly type: Type
  readonly code: string
  readonly name: string
  readonly method: Method
  readonly currency: string
  /** As documented, otherwise as listed: faults of the list were reported already. */
  readonly minMinor: bigint
  readonly maxMinor: bigint
  readonly listed: { readonly minMinor: bigint; readonly maxMinor: bigint; readonly dailyMinor: bigint }
  readonly prefixes: readonly string[]
  readonly isActive: boolean
  /** Undefined when the docs do not mention it. */
  readonly charge: ChargeRule | undefined
  readonly asksForOtp: boolean | undefined
  /** The request that listed it. */
  readonly answer: ApiReply
  readonly item: Fields
}

export const TYPES = ['COLLECTION', 'PAYOUT'] as const
const KINDS: Readonly<Record<Type, string>> = { COLLECTION: 'Collection', PAYOUT: 'Payout' }
/** A currency that no sandbox provider moves. */
const NO_PROVIDERS = 'XOF'

/** All options of the account: in the currencies of its wallets, and in those of the docs. */
export async function offered(fixture: OptionsFixture, page: SandboxPage | undefined): Promise<readonly Option[]> {
  const { data } = await wallets(fixture.merchant)
  const held = itemsOf(data, 'merchant_wallets').map((wallet) => textOf(wallet, 'currency'))
  const currencies = [...new Set([...held, ...(page?.providers ?? []).map(({ currency }) => currency)])]
  const requested = currencies.flatMap((currency) => TYPES.map((type) => ({ currency, type })))
  const lists = await forEachOf(requested, ({ currency, type }) => listOf(fixture, page, currency, type))
  const none = await listOf(fixture, page, NO_PROVIDERS, 'COLLECTION')
  const fault = none.length > 0 && `providers are listed for ${NO_PROVIDERS}, in which none transacts`
  fixture.hold(
    'listPaymentProviders',
    'currency without options',
    fault,
    NO_PROVIDERS,
    none.slice(0, 1).map(({ answer }) => answer),
  )
  return lists.flat()
}

async function listOf(
  fixture: OptionsFixture,
  page: SandboxPage | undefined,
  currency: string,
  type: Type,
): Promise<readonly Option[]> {
  const path = `/data/payment-providers?currency=${currency}&transaction_type=${type}`
  const answer = await getAs(fixture.merchant, path)
  const about = 'listPaymentProviders'
  const subject = `${type} in ${currency}`
  const hold = (rule: string, fault: string | false) => fixture.hold(about, rule, fault, subject, [answer])
  hold('answered', answer.status !== 200 && `the list was answered ${reported(answer)}, not 200`)
  const items = itemsOf(answer.data, 'payment_providers')
  const codes = items.map((item) => textOf(item, 'provider_code'))
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  hold('unique codes', twice !== undefined && `${twice} is listed twice`)
  const elsewhere = items.find((item) => item['transaction_currency'] !== currency)
  hold(
    'requested currency',
    elsewhere !== undefined &&
      `${textOf(elsewhere, 'provider_code')} is listed with ${String(elsewhere['transaction_currency'])}, requested was ${currency}`,
  )
  const other = items.find((item) => item['transaction_type'] !== KINDS[type])
  hold(
    'type asked',
    other !== undefined &&
      `${textOf(other, 'provider_code')} is listed with ${String(other['transaction_type'])}, requested was ${type}`,
  )
  return items.map((item) => optionOf(item, type, currency, page, answer))
}

function optionOf(item: Fields, type: Type, currency: string, page: SandboxPage | undefined, answer: ApiReply): Option {
  const code = textOf(item, 'provider_code')
  const minor = (name: string): bigint => minorOf(Number(item[name]), currency) ?? -1n
  const { option_prefixes: prefixes } = item
  const listed = {
    minMinor: minor('min_amount'),
    maxMinor: minor('max_amount'),
    dailyMinor: minor('max_daily_amount'),
  }
  const documented = page?.providers.find((provider) => provider.code === code)
  return {
    type,
    code,
    name: textOf(item, 'provider_name'),
    method: item['transaction_method'] === 'BANK' ? 'BANK' : 'MOBILE_MONEY',
    currency,
    minMinor: documented?.minMinor ?? listed.minMinor,
    maxMinor: documented?.maxMinor ?? listed.maxMinor,
    listed,
    prefixes: Array.isArray(prefixes) ? prefixes.map(String) : [],
    isActive: item['is_active'] === true,
    charge: documented?.charges[type],
    asksForOtp: type === 'COLLECTION' ? documented?.asksForOtp : false,
    answer,
    item,
  }
}

import { bankAccount, CALLING_CODES, NATIONAL_DIGITS } from './account-numbers.ts'
import type { PaymentDriver } from './payment-driver.ts'
import { itemsOf, type ApiReply, type PostOperation } from './requests.ts'

export type Direction = 'COLLECTION' | 'PAYOUT'
export const DIRECTIONS: readonly Direction[] = ['COLLECTION', 'PAYOUT']

/** A provider in one direction, as the server itself lists it. */
export interface Option {
  readonly code: string
  readonly name: string
  readonly type: Direction
  readonly method: 'MOBILE_MONEY' | 'BANK'
  readonly currency: string
  readonly min: number
  readonly max: number
  readonly daily: number
  /** None for banks. */
  readonly prefixes: readonly string[]
  readonly isActive: boolean
  /** That it pays out to. */
  readonly banks: readonly Bank[]
}

export interface Bank {
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly isActive: boolean
}

export type Lister = Pick<PaymentDriver, 'get' | 'wallets'>

export const listOptions = (lister: Lister, type: Direction, currency: string): Promise<ApiReply> =>
  lister.get(`/data/payment-providers?currency=${currency}&transaction_type=${type}`)
export const listBanks = (lister: Lister, provider: string): Promise<ApiReply> =>
  lister.get(`/data/payout-bank-codes?provider_code=${provider}`)

/** The options in a reply, without their banks. */
export const optionsIn = ({ data }: ApiReply, type: Direction, currency: string): readonly Option[] =>
  itemsOf(data, 'payment_providers').map(({ provider_code, provider_name, option_prefixes, ...item }) => ({
    code: String(provider_code),
    name: String(provider_name),
    type,
    method: item.transaction_method === 'BANK' ? 'BANK' : 'MOBILE_MONEY',
    currency,
    min: Number(item.min_amount),
    max: Number(item.max_amount),
    daily: Number(item.max_daily_amount),
    prefixes: Array.isArray(option_prefixes) ? option_prefixes.map(String) : [],
    isActive: item.is_active === true,
    banks: [],
  }))

export const banksIn = ({ data }: ApiReply, provider: string): readonly Bank[] =>
  itemsOf(data, 'payout_banks').map(({ bank_code, bank_name, is_active }) => ({
    provider,
    code: String(bank_code),
    name: String(bank_name),
    isActive: is_active === true,
  }))

/** Currencies of the wallets: an account has a wallet for each currency that it can use. */
export const walletCurrencies = async (lister: Lister): Promise<readonly string[]> => [
  ...new Set(itemsOf((await lister.wallets()).data, 'merchant_wallets').map(({ currency }) => String(currency))),
]

const optionsOf = async (
  lister: Lister,
  currencies: readonly string[],
  types: readonly Direction[] = DIRECTIONS,
): Promise<readonly Option[]> => {
  const asked = currencies.flatMap((currency) => types.map((type) => ({ currency, type })))
  const lists = await Promise.all(
    asked.map(async ({ currency, type }) => optionsIn(await listOptions(lister, type, currency), type, currency)),
  )
  return lists.flat()
}

/** @returns undefined when the server does not list it */
export const optionOf = async (
  lister: Lister,
  provider: string,
  type: Direction,
  currency: string,
): Promise<Option | undefined> => (await optionsOf(lister, [currency], [type])).find(({ code }) => code === provider)

/** All listed mobile money options in the sandbox's currencies. */
export const mobileMoney = (lister: Lister): Promise<readonly Option[]> => optionsOf(lister, Object.keys(CALLING_CODES))

/**
 * All active options for which an account number is known, with their active banks. @param currencies absent: those of
 * the wallets
 */
export async function payableOptions(lister: Lister, currencies?: readonly string[]): Promise<readonly Option[]> {
  const listed = await optionsOf(lister, currencies ?? (await walletCurrencies(lister)))
  return Promise.all(
    listed
      .filter((option) => option.isActive && hasNumbers(option))
      .map(async (option) => {
        const { code, type, method } = option
        const banks = type === 'PAYOUT' && method === 'BANK' ? banksIn(await listBanks(lister, code), code) : []
        return { ...option, banks: banks.filter(({ isActive }) => isActive) }
      }),
  )
}

/** Dollars, which a provider of another currency takes where there is a rate, and an amount within all limits. */
export const IN_DOLLARS = { currency: 'USD', amount: 10.01 }

/** The first listed mobile money option that is paid in dollars, by a collection of them; undefined: none is. */
export async function paidInDollars(
  driver: PaymentDriver,
): Promise<{ readonly option: Option; readonly collection: ApiReply } | undefined> {
  for (const option of (await mobileMoney(driver)).filter(({ type }) => type === 'COLLECTION')) {
    const payer = { provider_code: option.code, msisdn: accountOf(driver, option, '001') }
    const collection = await driver.collect({ ...payer, ...IN_DOLLARS, charge_customer: true })
    if (collection.status === 202) return { option, collection }
  }
  return undefined
}

export const operationOf = ({ type }: Pick<Option, 'type'>): PostOperation =>
  type === 'COLLECTION' ? 'initializeCollection' : 'sendFunds'

/** Whether account numbers at this provider are known. */
export const hasNumbers = ({ method, currency }: Option): boolean => method === 'BANK' || currency in CALLING_CODES

/** A number of this country that nothing else in this run uses. */
export const numberOf = (driver: PaymentDriver, currency: string, prefix: string, ending = '123'): string =>
  `${CALLING_CODES[currency] ?? ''}${prefix}${driver.phone(ending).slice(-(NATIONAL_DIGITS - prefix.length))}`

/** A phone number or a bank account at this provider that nothing else in this run uses. @param ending test number */
export function accountOf(driver: PaymentDriver, { method, currency, prefixes }: Option, ending: string): string {
  const phone = driver.phone(ending)
  if (method === 'BANK') return bankAccount(Number(phone.slice(4, -3)), ending)
  const prefix = prefixes[Number(phone.slice(-4, -3)) % prefixes.length] ?? ''
  return numberOf(driver, currency, prefix, ending)
}

/** Amounts that add up to the daily limit, each within the limits of one payment; the last could be one unit larger. */
export function wholeDay({ min, max, daily }: Option): readonly number[] {
  const largest = Array.from({ length: Math.ceil(daily / max) - 1 }, () => max)
  const rest = daily - largest.length * max
  if (rest === max) return [...largest, max - min, min]
  return rest >= min ? [...largest, rest] : [...largest.slice(1), max - min, rest + min]
}

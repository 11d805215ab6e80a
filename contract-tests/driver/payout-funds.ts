import type { Target } from '../harness/part.ts'
import { itemsOf, sendRequest, walletsRequest } from './requests.ts'

/** Money for payouts, by currency, in units. */
export type PayoutFunds = ReadonlyMap<string, number>

/**
 * What the account can pay out now: earlier runs on one server use its wallets up. Undefined: the server did not say,
 * and nothing is skipped.
 */
export async function payoutFunds(account: FundedAccount): Promise<PayoutFunds | undefined> {
  const { status, data } = await sendRequest(account.url, walletsRequest(account))
  if (status !== 200 || !Array.isArray(data['merchant_wallets'])) return undefined
  return new Map(
    itemsOf(data, 'merchant_wallets').flatMap(({ wallet_type, currency, available_balance }): [string, number][] =>
      wallet_type === 'MERCHANT_PAYOUT' ? [[String(currency), Number(available_balance)]] : [],
    ),
  )
}

type FundedAccount = Pick<Target, 'url' | 'publicKey' | 'secretKey'>

/** The status message of a payout that its wallet did not cover (`POST /payout/send-funds`). */
export const UNCOVERED = 'Insufficient balance for the transaction'

/** A charge comes on top of each payout: so many times the amounts cover it. */
const WITH_CHARGES = 1.2

/**
 * Why payouts of these amounts would fail, as a warning; undefined: the wallet covers them. @param skipped what is not
 * tested then
 */
export function tooLittle(
  funds: PayoutFunds | undefined,
  currency: string,
  amount: number,
  skipped: string,
): string | undefined {
  const available = funds?.get(currency)
  const needed = Math.ceil(amount * WITH_CHARGES)
  if (funds === undefined || (available ?? 0) >= needed) return undefined
  return notEnough(currency, available ?? 0, `${needed.toLocaleString('en')} needed; skipped: ${skipped}`)
}

/** `not enough in wallet UGX: 503,108 (…)` */
export const notEnough = (currency: string, available: number | bigint, rest: string): string =>
  `not enough in wallet ${currency}: ${available.toLocaleString('en')} (${rest})`

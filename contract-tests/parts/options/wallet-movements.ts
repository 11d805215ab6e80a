import type { Fields } from '../../harness/json.ts'
import { minorOf } from '../model/money.ts'
import { itemsOf } from './listed-options.ts'
import type { PlayedCase } from './play.ts'
import { textOf, type OptionsFixture } from './fixture.ts'

/** Balance of each wallet in minor units, by type and currency. */
type Balances = ReadonlyMap<string, bigint>

export async function balancesOf({ merchant }: OptionsFixture): Promise<Balances> {
  const { data } = await merchant.request({ path: '/data/wallet-balances', withSecret: true })
  return new Map(
    itemsOf(data, 'merchant_wallets').map((wallet) => [
      walletName(wallet, 'wallet_type'),
      minorIn(wallet, 'actual_balance', 'currency'),
    ]),
  )
}

const walletName = (fields: Fields, type: string): string => `${textOf(fields, type)} ${textOf(fields, 'currency')}`
const minorIn = (fields: Fields, amount: string, currency: string): bigint =>
  minorOf(Number(fields[amount]), textOf(fields, currency)) ?? 0n

/** Every wallet has moved by the totals of its payments, in the currency of the provider, and no other has. */
export function judgeMoved(
  fixture: OptionsFixture,
  before: Balances,
  after: Balances,
  played: readonly PlayedCase[],
): void {
  const wanted = new Map<string, bigint>()
  for (const { record } of played) {
    const isPayout = record['transaction_type'] === 'PAYOUT'
    const name = `${isPayout ? 'MERCHANT_PAYOUT' : 'MERCHANT_COLLECTION'} ${textOf(record, 'transaction_currency')}`
    const total = minorIn(record, isPayout ? 'total_debit' : 'total_credit', 'transaction_currency')
    wanted.set(name, (wanted.get(name) ?? 0n) + (isPayout ? -total : total))
  }
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (fixture.faultyCurrencies.has(name.slice(-3))) continue
    const moved = (after.get(name) ?? 0n) - (before.get(name) ?? 0n)
    const by = wanted.get(name) ?? 0n
    fixture.hold(
      'listWalletBalances',
      'moved by the totals',
      moved !== by && `${name} moved by ${moved} minor units, its payments by ${by}`,
      name,
    )
  }
}

import { minorOf } from '../model/money.ts'
import { itemsOf } from './listed-options.ts'
import { textOf, type OptionsFixture } from './fixture.ts'

/** Balance of each wallet in minor units, by type and currency. */
type Balances = ReadonlyMap<string, bigint>

export async function balancesOf({ merchant }: OptionsFixture): Promise<Balances> {
  const { data } = await merchant.request({ path: '/data/wallet-balances', withSecret: true })
  return new Map(
    itemsOf(data, 'merchant_wallets').map((wallet) => [
      `${textOf(wallet, 'wallet_type')} ${textOf(wallet, 'currency')}`,
      minorOf(Number(wallet['actual_balance']), textOf(wallet, 'currency')) ?? 0n,
    ]),
  )
}

import type { Malipo } from '../../../client/index.ts'
import { minorOf } from '../../driver/money.ts'

interface Balance {
  readonly availableMinor: bigint
  readonly actualMinor: bigint
}
/** By wallet type and currency; a missing wallet has a balance of zero. */
export type Balances = ReadonlyMap<string, Balance>
export const EMPTY: Balance = { availableMinor: 0n, actualMinor: 0n }

export async function readBalances(malipo: Malipo): Promise<Balances> {
  const wallets = await malipo.wallets.list()
  const minor = (amount: number, currency: string) => minorOf(amount, currency) ?? -1n
  return new Map(
    wallets.map(({ wallet_type, currency, available_balance, actual_balance }) => [
      `${wallet_type} ${currency}`,
      { availableMinor: minor(available_balance, currency), actualMinor: minor(actual_balance, currency) },
    ]),
  )
}

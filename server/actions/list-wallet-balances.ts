import type { Merchant } from '../domain/merchant.ts'
import type { Currency } from '../domain/money.ts'
import type { Lookups, Wallet } from './ports/lookups.ts'

/** The merchant's wallets: all of them when no currency is given. */
export const listWalletBalances = (
  { lookups }: { lookups: Lookups },
  merchant: Merchant,
  currency: Currency | undefined,
): Promise<readonly Wallet[]> => lookups.wallets(merchant.id, currency)

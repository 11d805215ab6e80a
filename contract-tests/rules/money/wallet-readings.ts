import { listOf } from '../../harness/json.ts'
import type { ObservedExchange } from '../observed-exchange.ts'
import { minorOf } from './minor-units.ts'

/** A wallet in a reply, in minor units; undefined: no amount in its currency. */
export interface ReadWallet {
  /** `MERCHANT_PAYOUT UGX` */
  readonly name: string
  readonly currency: string
  readonly available: bigint | undefined
  readonly uncleared: bigint | undefined
  readonly reserve: bigint | undefined
  readonly actual: bigint | undefined
}

/** A reading of a merchant's wallets. */
export interface WalletReading {
  /** Its public key. */
  readonly merchant: string
  /** When the request was sent, and when its reply had come. */
  readonly from: number
  readonly to: number
  /** Of every currency; otherwise of one. */
  readonly isFull: boolean
  readonly wallets: readonly ReadWallet[]
}

/** Undefined for any other exchange. */
export function walletReading(seen: ObservedExchange): WalletReading | undefined {
  const { operation, exchange, query, data, merchant, began: from, ended: to } = seen
  if (operation?.id !== 'listWalletBalances' || exchange.reply.status !== 200) return undefined
  const wallets = listOf(data.merchant_wallets).map((wallet): ReadWallet => {
    const { wallet_type, currency } = wallet
    return {
      name: `${String(wallet_type)} ${String(currency)}`,
      currency: String(currency),
      available: minorOf(wallet.available_balance, currency),
      uncleared: minorOf(wallet.uncleared_balance, currency),
      reserve: minorOf(wallet.reserve_balance, currency),
      actual: minorOf(wallet.actual_balance, currency),
    }
  })
  return { merchant, from, to, isFull: query === '', wallets }
}

import { listOf } from '../../harness/json.ts'
import type { ObservedExchange } from '../observed-exchange.ts'

/** A list that the server returned. */
export interface ListReading {
  readonly operation: string
  /** The same request of the same merchant. */
  readonly key: string
  /** What names each item, in the order of the list. */
  readonly names: readonly string[]
  /** What stays the same while nothing changes it. */
  readonly text: string
  readonly began: number
  readonly ended: number
}

interface ListKind {
  readonly list: string
  readonly names: readonly string[]
  /** Balances change with every payment. */
  readonly isNamesOnly?: true
}

const KINDS: Readonly<Record<string, ListKind>> = {
  listPaymentProviders: { list: 'payment_providers', names: ['provider_code', 'transaction_type'] },
  listPayoutBanks: { list: 'payout_banks', names: ['bank_code'] },
  listWalletBalances: { list: 'merchant_wallets', names: ['wallet_type', 'currency'], isNamesOnly: true },
}

export function listIn({ operation, query, data, exchange, merchant, began, ended }: ObservedExchange) {
  const kind = KINDS[operation?.id ?? '']
  const list = kind && data[kind.list]
  if (!operation || !kind || exchange.reply.status !== 200 || !Array.isArray(list)) return undefined
  const items = listOf(list)
  const names = items.map((item) => kind.names.map((name) => String(item[name])).join(' '))
  return {
    operation: operation.id,
    key: [operation.id, query, merchant].join(' '),
    names,
    text: kind.isNamesOnly ? names.join() : JSON.stringify(items),
    began,
    ended,
  }
}

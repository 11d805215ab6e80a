import type { Transfer } from '../domain/ledger.ts'
import type { WalletPurpose } from '../domain/wallet-transfer.ts'
import { bookTransfers, walletsCover } from './ledger.ts'
import { available, inTransaction, type Pool } from './pool.ts'

/** One wallet in one currency as operators see it, in minor units. */
export interface WalletView {
  readonly purpose: WalletPurpose
  readonly currency: string
  readonly available_minor: bigint
  readonly uncleared_minor: bigint
  readonly reserve_minor: bigint
  /** Held for payouts on their way; no part of the actual balance. */
  readonly held_minor: bigint
}

export const merchantWallets = (pool: Pool, merchantId: bigint): Promise<WalletView[]> =>
  available(async () => (await pool.query<WalletView>(
    `select split_part(kind, '_', 1) as purpose, currency, ${['available', 'uncleared', 'reserve', 'held'].map((part) =>
      `coalesce(sum(balance_minor) filter (where kind like '%\\_${part}'), 0)::bigint as ${part}_minor`).join(', ')}
     from accounts where merchant_id = $1 and kind ~ '^(collection|payout)_' group by 1, 2 order by 2, 1`, [merchantId])).rows)

/** What operators, not payments, did to a merchant's wallets. */
export interface OperatorMovement {
  readonly transfer_id: bigint
  readonly at: Date
  readonly kind: 'deposit' | 'wallet_transfer'
  /** The wallet that it was put into. */
  readonly into: WalletPurpose
  readonly currency: string
  readonly amount_minor: bigint
  readonly note: string | null
}

/** The newest first. */
export const operatorMovements = (pool: Pool, merchantId: bigint, limit: number): Promise<OperatorMovement[]> =>
  available(async () => (await pool.query<OperatorMovement>(
    `select t.id as transfer_id, t.created_at as at, t.kind, split_part(a.kind, '_', 1) as "into", a.currency, e.amount_minor, n.note
     from transfers t join entries e on e.transfer_id = t.id join accounts a on a.id = e.account_id left join transfer_notes n on n.transfer_id = t.id
     where t.kind in ('deposit', 'wallet_transfer') and a.merchant_id = $1 and e.amount_minor > 0 order by t.id desc limit $2`, [merchantId, limit])).rows)

/** The currencies in which a merchant can have wallets: those it has, and those of any provider. */
export const walletCurrencies = (pool: Pool, merchantId: bigint): Promise<string[]> =>
  available(async () => (await pool.query<{ currency: string }>(
    'select currency from accounts where merchant_id = $1 union select currency from providers order by 1', [merchantId])).rows.map(({ currency }) => currency))

/** Books an operator's movement with its note. @returns the id of the transfer. @throws WalletTooLow when a wallet would fall below zero */
export const bookOperatorTransfer = (pool: Pool, transfer: Transfer, note: string | undefined, now: Date): Promise<bigint> =>
  walletsCover(() => inTransaction(pool, async (client) => {
    await bookTransfers(client, [transfer], now)
    // Of this connection: nobody else's transfer can be meant.
    const { rows: [row] } = await client.query<{ id: bigint }>(`select currval('transfer_ids') as id`)
    if (note !== undefined) await client.query('insert into transfer_notes (transfer_id, note) values ($1, $2)', [row!.id, note])
    return row!.id
  }))

import { WalletTooLow } from '../../actions/ports/store.ts'
import type { Transfer } from '../../domain/ledger.ts'
import { present } from '../../domain/present.ts'
import type { WalletPurpose } from '../../domain/wallet-transfer.ts'
import { bookTransfers, walletsCover } from '../../storage/ledger.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction, type Pool } from '../../storage/pool.ts'
import { storeCause } from '../../storage/transfer-causes.ts'
import { nextTransferIds } from '../../storage/transfer-ids.ts'
import { rowsOf } from './rows.ts'

/** One wallet in one currency as staff see it, in minor units. */
export interface WalletView {
  readonly purpose: WalletPurpose
  readonly currency: string
  readonly available_minor: bigint
  readonly uncleared_minor: bigint
  readonly reserve_minor: bigint
  /** Held for payouts in flight; not part of the actual balance. */
  readonly held_minor: bigint
}

/** Wallets with their balances, to be selected and grouped by purpose and currency. */
export const WALLETS = `select split_part(kind, '_', 1) as purpose, currency, ${[
  'available',
  'uncleared',
  'reserve',
  'held',
]
  .map((part) => `coalesce(sum(balance_minor) filter (where kind like '%\\_${part}'), 0)::bigint as ${part}_minor`)
  .join(', ')} from accounts`

/** The wallets of a merchant with their balances, in minor units. */
export const merchantWallets = (pool: Pool, merchantId: bigint): Promise<WalletView[]> =>
  rowsOf<WalletView>(
    pool,
    `${WALLETS} where merchant_id = $1 and kind ~ '^(collection|payout)_' group by 1, 2 order by 2, 1`,
    [merchantId],
  )

/** A movement in a merchant's wallets by staff, not by a payment. */
export interface OperatorMovement {
  readonly transfer_id: bigint
  readonly at: Date
  readonly kind: 'deposit' | 'wallet_transfer'
  /** The wallet that received it. */
  readonly into: WalletPurpose
  readonly currency: string
  readonly amount_minor: bigint
  readonly note: string | null
  /** The reference that staff gave it. */
  readonly reference: string | null
}

const MOVEMENTS = `
  select t.id as transfer_id, t.created_at as at, t.kind, split_part(a.kind, '_', 1) as "into", a.currency,
    e.amount_minor, n.note, r.reference
  from transfers t join entries e on e.transfer_id = t.id join accounts a on a.id = e.account_id
  left join transfer_notes n on n.transfer_id = t.id left join operator_references r on r.transfer_id = t.id
  where t.transaction_id is null and t.kind in ('deposit', 'wallet_transfer') and e.amount_minor > 0`

/** The newest first. */
export const operatorMovements = (pool: Pool, merchantId: bigint, limit: number): Promise<OperatorMovement[]> =>
  rowsOf<OperatorMovement>(pool, `${MOVEMENTS} and a.merchant_id = $1 order by t.id desc limit $2`, [merchantId, limit])

/** The currencies in which a merchant can have wallets: those that it has, and those of any provider. */
export const walletCurrencies = async (pool: Pool, merchantId: bigint): Promise<string[]> => {
  const rows = await rowsOf<{ currency: string }>(
    pool,
    'select currency from accounts where merchant_id = $1 union select currency from providers order by 1',
    [merchantId],
  )
  return rows.map(({ currency }) => currency)
}

interface StaffTransfer {
  readonly transfer: Transfer
  readonly note: string | undefined
  /** Unique among all staff movements: one bank reference is booked once, for one merchant. */
  readonly reference: string | undefined
  /** The audit entry of the person who moves it; without one the doctor reports a missing cause. */
  readonly staffActionId: bigint | undefined
}

/** A movement with this reference exists already. */
export class ReferenceUsed extends Error {
  readonly movement: OperatorMovement & { readonly merchant_name: string; readonly merchant_id: bigint }

  constructor(movement: ReferenceUsed['movement']) {
    super(`the reference ${movement.reference} was used before`)
    this.name = 'ReferenceUsed'
    this.movement = movement
  }
}

/**
 * Books a staff movement with its note.
 * @returns the id of its transfer
 * @throws WalletTooLow when a wallet would fall below zero
 * @throws ReferenceUsed when a movement has the reference already, this one or another
 */
export async function bookStaffTransfer(pool: AuditedPool, wanted: StaffTransfer, now: Date): Promise<bigint> {
  await refuseUsed(pool, wanted)
  try {
    return await book(pool, wanted, now)
  } catch (error) {
    // A concurrent booking may have used the same reference: then that is the reason, even if it also emptied the
    // wallet.
    if (error instanceof WalletTooLow || isReferenceTaken(error)) await refuseUsed(pool, wanted)
    throw error
  }
}

const isReferenceTaken = (error: unknown): boolean => {
  const { code, table } = error as { code?: string; table?: string }
  return code === '23505' && table === 'operator_references'
}

/** Banks write references in capitals, people type them in any case: both are the same movement. */
async function refuseUsed(pool: Pool, { reference }: StaffTransfer): Promise<void> {
  const {
    rows: [movement],
  } = await available(() =>
    pool.query<ReferenceUsed['movement']>(
      `select movement.*, a.merchant_id, m.name as merchant_name
     from (${MOVEMENTS} and upper(r.reference) = upper($1)) movement
     join entries e on e.transfer_id = movement.transfer_id and e.amount_minor > 0
       join accounts a on a.id = e.account_id join merchants m on m.id = a.merchant_id`,
      [reference],
    ),
  )
  if (movement) throw new ReferenceUsed(movement)
}

const book = (pool: Pool, { transfer, note, reference, staffActionId }: StaffTransfer, now: Date): Promise<bigint> =>
  walletsCover(() =>
    inTransaction(pool, async (client) => {
      const ids = await nextTransferIds(client, 1, now)
      const id = present(ids[0], 'the id of the movement')
      await bookTransfers(client, [transfer], now, ids)
      if (staffActionId !== undefined) await storeCause(client, ids, { kind: 'staff_action', staffActionId })
      if (note !== undefined)
        await client.query('insert into transfer_notes (transfer_id, note) values ($1, $2)', [id, note])
      if (reference !== undefined)
        await client.query('insert into operator_references (reference, transfer_id) values ($1, $2)', [reference, id])
      return id
    }),
  )

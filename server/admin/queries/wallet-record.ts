import { amountToWire } from '../../domain/money.ts'
import type { Pool } from '../../storage/pool.ts'
import { merchantWallets, operatorMovements, type OperatorMovement, type WalletView } from './wallets.ts'

const MOVEMENTS_SHOWN = 10

/** What a wallet holds, available or not. */
export const actualMinor = ({ available_minor, uncleared_minor, reserve_minor }: WalletView): bigint =>
  available_minor + uncleared_minor + reserve_minor

/** A wallet as the command line prints it and the admin API returns it; amounts in major units. */
export function walletRecord(row: WalletView) {
  const wire = (amountMinor: bigint) => amountToWire(amountMinor, row.currency)
  return {
    wallet_type: row.purpose === 'collection' ? ('MERCHANT_COLLECTION' as const) : ('MERCHANT_PAYOUT' as const),
    currency: row.currency,
    available_balance: wire(row.available_minor),
    uncleared_balance: wire(row.uncleared_minor),
    reserve_balance: wire(row.reserve_minor),
    actual_balance: wire(actualMinor(row)),
    held_balance: wire(row.held_minor),
  }
}

/** A movement by staff. */
export const movementRecord = (row: OperatorMovement) => ({
  transfer_id: row.transfer_id,
  at: row.at,
  kind: row.kind,
  into: row.into,
  currency: row.currency,
  amount: amountToWire(row.amount_minor, row.currency),
  note: row.note,
  reference: row.reference,
})

/** The wallets of a merchant and the latest movements by staff, as stored. */
export async function walletViews(pool: Pool, merchantId: bigint) {
  const [wallets, movements] = await Promise.all([
    merchantWallets(pool, merchantId),
    operatorMovements(pool, merchantId, MOVEMENTS_SHOWN),
  ])
  return { wallets, movements }
}

/** The same as records. */
export async function walletsOf(pool: Pool, merchantId: bigint) {
  const { wallets, movements } = await walletViews(pool, merchantId)
  return { wallets: wallets.map(walletRecord), movements: movements.map(movementRecord) }
}

import { decimalsOf } from '../../domain/money.ts'
import type { Transfer } from '../../domain/ledger.ts'
import { walletTransfer } from '../../domain/wallet-transfer.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { present } from '../../domain/present.ts'
import { applyChange, type AuditedAction, type StaffChange } from '../../admin/queries/audit-log.ts'
import { bookStaffTransfer } from '../../admin/queries/wallets.ts'
import type { Pool } from '../../storage/pool.ts'

/** The user of the machine, in the sandbox. */
export const TEST_ACTOR: Actor = { kind: 'os_user', role: 'admin', name: 'test', address: 'test-host' }

/** What a member of staff does who archives the month. */
export const archiving = (month: string): AuditedAction => ({
  actor: TEST_ACTOR,
  command: 'archive run',
  subject: month,
  reason: undefined,
})

/**
 * Books a deposit, or a transfer between two wallets, as the command does: with the audit entry of a member of staff.
 * @returns its id
 */
export async function bookByStaff(pool: Pool, transfer: Transfer, now: Date): Promise<bigint> {
  const { account, amountMinor } = present(
    transfer.entries.find((entry) => entry.amountMinor > 0n),
    'what it puts into a wallet',
  )
  const { rows } = await pool.query<{ public_key: string }>('select public_key from merchants where id = $1', [
    account.merchantId,
  ])
  const decimals = decimalsOf(account.currency)
  const digits = String(amountMinor).padStart(decimals + 1, '0')
  const amount = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  const { result } = await applyChange(
    pool,
    {
      actor: TEST_ACTOR,
      command: transfer.kind === 'deposit' ? 'wallet deposit' : 'wallet transfer',
      subject: present(rows[0], 'the merchant').public_key,
      reason: 'a test needs it',
      reference: undefined,
    },
    {
      read: async () => ({}),
      apply: (joined, staffActionId) =>
        bookStaffTransfer(joined, { transfer, note: undefined, reference: undefined, staffActionId }, now),
      done: { amount: `${amount} ${account.currency}` },
    },
    now,
  )
  return result
}

/**
 * Moves money between the demo merchant's wallets until exactly this amount, in minor units, can be paid out.
 */
export async function leaveForPayouts(pool: Pool, currency: string, leftMinor: bigint, now: Date): Promise<void> {
  const { rows } = await pool.query<{ merchant_id: bigint; balance_minor: bigint }>(
    `select a.merchant_id, a.balance_minor from accounts a join merchants m on m.id = a.merchant_id
     where m.public_key = 'pub_sandbox_demo' and a.kind = 'payout_available' and a.currency = $1`,
    [currency],
  )
  const { merchant_id: merchantId, balance_minor: balanceMinor } = present(rows[0], `the payout wallet in ${currency}`)
  if (balanceMinor === leftMinor) return
  const [surplus, way] =
    balanceMinor > leftMinor
      ? [balanceMinor - leftMinor, { from: 'payout', to: 'collection' } as const]
      : [leftMinor - balanceMinor, { from: 'collection', to: 'payout' } as const]
  await bookByStaff(pool, walletTransfer(merchantId, currency, surplus, way), now)
}

/** Changes a transaction by hand as `transaction resolve` does: with the audit entry of a member of staff. */
export async function resolveByStaff<Result>(
  pool: Pool,
  internalReference: string,
  apply: StaffChange<Result>['apply'],
  now: Date,
): Promise<Result> {
  const { result } = await applyChange(
    pool,
    {
      actor: TEST_ACTOR,
      command: 'transaction resolve',
      subject: internalReference,
      reason: 'a test needs it',
      reference: undefined,
    },
    { read: async () => ({}), apply },
    now,
  )
  return result
}

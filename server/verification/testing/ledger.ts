import { expect } from 'vitest'
import type { Gateway } from '../../main.ts'

/**
 * The books balance: each transfer and the whole sum to zero, every account equals the replay of its entries, no wallet
 * is negative.
 */
export async function expectBalancedBooks({ pool }: Pick<Gateway, 'pool'>): Promise<void> {
  const { rows: unbalanced } = await pool.query(
    'select transfer_id from entries group by transfer_id having sum(amount_minor) <> 0',
  )
  expect(unbalanced).toEqual([])
  const { rows: drifted } = await pool.query(`
    select a.id, a.kind, a.balance_minor, coalesce(sum(e.amount_minor), 0) as replayed
    from accounts a left join entries e on e.account_id = a.id group by a.id having a.balance_minor <> coalesce(sum(e.amount_minor), 0)`)
  expect(drifted).toEqual([])
  const { rows: negative } = await pool.query(
    `select kind from accounts where balance_minor < 0 and kind not in ('rail', 'operator', 'fee', 'suspense')`,
  )
  expect(negative).toEqual([])
}

import { daysLeft } from '../../domain/rail-balance.ts'
import { available, type Pool } from '../../storage/pool.ts'

/** What an operator reported last as its balance, and what our ledger had then, in minor units. */
export interface RailFloat {
  readonly rail_account: string
  readonly operator_minor: bigint
  readonly ledger_minor: bigint
  readonly difference_minor: bigint
  readonly unexplained_minor: bigint
  readonly unexplained_since: Date | null
  readonly read_at: Date
  /** What payouts may take of it; null: the operator does not say what it pays from. */
  readonly float_minor: bigint | null
  readonly float_low_minor: bigint | null
  readonly days_left: number | undefined
}

/** By rail account, in the currency of each; absent where nothing was read yet. */
export const railFloats = (pool: Pool): Promise<ReadonlyMap<string, RailFloat>> =>
  available(async () => {
    const { rows } = await pool.query<RailFloat & { readonly spent_minor: bigint; readonly spent_since: Date | null }>(
      `select b.rail_account, b.operator_minor, b.ledger_minor,
         b.operator_minor - b.opening_minor - b.ledger_minor as difference_minor, b.unexplained_minor,
         b.unexplained_since, b.checked_at as read_at, b.float_minor, b.float_low_minor, b.spent_minor, b.spent_since
       from rail_balances b join rail_accounts i on i.name = b.rail_account and i.currency = b.currency
       where b.checked_at is not null`,
    )
    return new Map(
      rows.map(({ spent_minor: spentMinor, spent_since: since, ...row }) => {
        const spend = since && { spentMinor, since, readAt: row.read_at }
        const days = spend && row.float_minor !== null ? daysLeft(row.float_minor, spend) : undefined
        return [row.rail_account, { ...row, days_left: days }]
      }),
    )
  })

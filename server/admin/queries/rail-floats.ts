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
}

/** By rail account, in the currency of each; absent where nothing was read yet. */
export const railFloats = (pool: Pool): Promise<ReadonlyMap<string, RailFloat>> =>
  available(async () => {
    const { rows } = await pool.query<RailFloat>(
      `select b.rail_account, b.operator_minor, b.ledger_minor,
         b.operator_minor - b.opening_minor - b.ledger_minor as difference_minor, b.unexplained_minor,
         b.unexplained_since, b.checked_at as read_at
       from rail_balances b join rail_accounts i on i.name = b.rail_account and i.currency = b.currency
       where b.checked_at is not null`,
    )
    return new Map(rows.map((row) => [row.rail_account, row]))
  })

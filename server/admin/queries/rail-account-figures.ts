import type { RailAccountFigure } from '../../actions/ports/figures.ts'
import type { Pool } from '../../storage/pool.ts'

/**
 * What waits at each rail account that is or was in use. Uses indexes that hold little else.
 * @param countedMax counts at most this many of each
 * @param answerMsMax query timeout
 */
export async function railAccountFigures(
  pool: Pool,
  countedMax: number,
  answerMsMax: number,
): Promise<readonly RailAccountFigure[]> {
  const query = { name: 'at-rail-accounts', text: AT_RAIL_ACCOUNTS, values: [countedMax], answerMsMax }
  const { rows } = await pool.query<RailAccountFigure>(query)
  return rows
}

// Two halves of the exceptions, because each has its own index: an exception that reverses another one is not in the
// index of open ones.
const AT_RAIL_ACCOUNTS = `
  with unresolved as (
    select coalesce(t.rail_account, '') as rail_account, count(*)::int as orders
    from (select subject_id from jobs where kind in ('resolveUnknownOutcome', 'resolveRefund') order by due_at limit $1) w
      join transactions t on t.id = w.subject_id group by 1
  ), differing as (
    select rail_account, count(*)::int as exceptions from (
      (select rail_account from reconciliation_exceptions where ended_at is null and overtakes is null limit $1)
      union all
      (select rail_account from reconciliation_exceptions where ended_at is null and overtakes is not null limit $1)
    ) open group by 1
  )
  select rail_account as "railAccount", coalesce(orders, 0) as "unknownOutcomeOrders", coalesce(exceptions, 0) as "openExceptions"
  from (select name as rail_account from rail_accounts where removed_at is null) used
    full join unresolved using (rail_account) full join differing using (rail_account)
  order by 1`

import type { InstallationFigure } from '../../actions/ports/figures.ts'
import type { Pool } from '../../storage/pool.ts'

/**
 * What waits at each rail account that is or was in use. Uses indexes that hold little else.
 * @param countedMax counts at most this many of each
 * @param answerMsMax query timeout
 */
export async function installationFigures(
  pool: Pool,
  countedMax: number,
  answerMsMax: number,
): Promise<readonly InstallationFigure[]> {
  const query = { name: 'at-installations', text: AT_INSTALLATIONS, values: [countedMax], answerMsMax }
  const { rows } = await pool.query<InstallationFigure>(query)
  return rows
}

// Two halves of the exceptions, because each has its own index: an exception that reverses another one is not in the
// index of open ones.
const AT_INSTALLATIONS = `
  with unresolved as (
    select coalesce(t.rail_installation, '') as installation, count(*)::int as orders
    from (select subject_id from work where kind = 'findOrder' order by due_at limit $1) w
      join transactions t on t.id = w.subject_id group by 1
  ), differing as (
    select installation, count(*)::int as exceptions from (
      (select installation from reconciliation_exceptions where ended_at is null and overtakes is null limit $1)
      union all
      (select installation from reconciliation_exceptions where ended_at is null and overtakes is not null limit $1)
    ) open group by 1
  )
  select installation, coalesce(orders, 0) as "unresolvedOrders", coalesce(exceptions, 0) as "openExceptions"
  from (select name as installation from rail_installations where removed_at is null) used
    full join unresolved using (installation) full join differing using (installation)
  order by 1`

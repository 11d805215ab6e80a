import { HISTORY, monthsAhead } from '../../../storage/months.ts'
import { FIRST_TIME_ID } from '../../../storage/time-ids.ts'
import type { Check } from './check.ts'

const TABLES = `(values ${HISTORY.map(({ name }) => `('${name}')`).join(', ')}) as h(name)`

const EXPECTED = `
  select h.name, h.name || '_before' as partition, 'FOR VALUES FROM (MINVALUE) TO (${FIRST_TIME_ID})' as bounds from ${TABLES}
  union all
  select h.name, h.name || '_' || replace(m.month, '-', '_'),
    'FOR VALUES FROM (' || m.from_id || ') TO (' || m.until_id || ')'
  from ${TABLES} cross join history_months m where m.archived_at is null`

/** Without the quotes that PostgreSQL puts around numbers that are too large for an integer. */
const ATTACHED = `
  select h.name, c.relname as partition, replace(pg_get_expr(c.relpartbound, 0), '''', '') as bounds
  from ${TABLES} join pg_inherits p on p.inhparent = to_regclass(h.name) join pg_class c on c.oid = p.inhrelid`

/** Checks that partitions exist for the coming months, and still for the past ones. */
export const MONTH_CHECKS: readonly Check[] = [
  {
    name: 'months_ahead',
    scope: 'all',
    rule: 'the partitions of this month and of the next one are there; malipo months makes them, and so does a server that logs in as the owner',
    sql: `select 'there is no partition for ' || wanted.month from unnest($1::text[]) as wanted(month)
          where not exists (select from history_months h where h.month = wanted.month and h.archived_at is null)`,
    values: (now) => [monthsAhead(now, 1).map(({ name }) => name)],
  },
  {
    name: 'months_whole',
    scope: 'all',
    rule: 'every table of the history has the partitions of all months that are not archived, and no other',
    sql: `with expected as (${EXPECTED}), attached as (${ATTACHED})
          select coalesce(w.partition, a.partition) || case when a.partition is null then ' is no partition of ' || w.name
            when w.partition is null then ' is a partition of ' || a.name || ' and of no month'
            else ' has ' || a.bounds || ', not ' || w.bounds end
          from expected w full join attached a on a.name = w.name and a.partition = w.partition
          where a.bounds is distinct from w.bounds`,
  },
]

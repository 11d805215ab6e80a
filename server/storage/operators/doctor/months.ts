import { monthsAhead } from '../../months.ts'
import type { Check } from './check.ts'

/** That there is room for what comes. */
export const MONTH_CHECKS: readonly Check[] = [
  {
    name: 'months_ahead',
    scope: 'all',
    rule: 'the partitions of this month and of the next one are there; malipo months makes them, and so does a server that logs in as the owner',
    sql: `select 'there is no partition for ' || wanted.month from unnest($1::text[]) as wanted(month)
          where not exists (select from history_months h where h.month = wanted.month and h.archived_at is null)`,
    values: (now) => [monthsAhead(now, 1).map(({ name }) => name)],
  },
]

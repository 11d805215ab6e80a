import { monthsAhead } from '../../months.ts'
import type { Check } from './check.ts'

/** That there is room for what comes. */
export const MONTH_CHECKS: readonly Check[] = [
  {
    name: 'months_ahead',
    scope: 'all',
    rule: 'the partitions of this month and of the next one are there; every start of malipo serve and its housekeeping create them',
    sql: `select 'there is no partition for ' || wanted.month from unnest($1::text[]) as wanted(month)
          where not exists (select from history_months h where h.month = wanted.month and h.archived_at is null)`,
    values: (now) => [monthsAhead(now, 1).map(({ name }) => name)],
  },
]

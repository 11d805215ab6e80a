import type { Check } from './check.ts'

export const MODE_CHECKS: readonly Check[] = [
  {
    name: 'mode_known',
    rule: 'the database knows its mode, and a live one has neither the demo merchant nor a simulated payment',
    sql: `select 'the table database_mode is empty' where not exists (select from database_mode)
          union all
          select 'merchant ' || m.id || ' (' || m.public_key || ') is the demo merchant' from merchants m
          where m.sandbox_only and exists (select from database_mode where mode = 'live')
          union all
          select 'the simulator got ' || o.reference || ' of ' || o.amount_minor || ' ' || o.currency
            || ' (minor units)' from sandbox.orders o
          where exists (select from database_mode where mode = 'live')`,
  },
]

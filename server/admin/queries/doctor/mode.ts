import type { Check } from './check.ts'

export const MODE_CHECKS: readonly Check[] = [
  {
    name: 'mode_known',
    scope: 'all',
    rule: 'the database knows its mode, and only a sandbox has the demo merchant and simulated payments; a live one has no trial rail account of a rail, and no other one for production',
    sql: `select 'the table database_mode is empty' where not exists (select from database_mode)
          union all
          select 'merchant ' || m.id || ' (' || m.public_key || ') is the demo merchant' from merchants m
          where m.sandbox_only and exists (select from database_mode where mode <> 'sandbox')
          union all
          select 'the simulator got ' || o.reference || ' of ' || o.amount_minor || ' ' || o.currency
            || ' (minor units)' from sandbox.orders o
          where exists (select from database_mode where mode <> 'sandbox')
          union all
          select 'rail account ' || i.name || ' is one for ' || i.environment || ', in a ' || d.mode || ' database'
          from rail_accounts i cross join database_mode d
          where (d.mode = 'live') <> (i.environment = 'production')`,
  },
]

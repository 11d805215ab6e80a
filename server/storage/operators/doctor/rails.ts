import { shown, type Check } from './check.ts'

/** As long as it may take until a difference is explained by itself. */
const UNEXPLAINED_MS = 60 * 60_000

/** What is at operators, and what their statements say. */
export const RAIL_CHECKS: readonly Check[] = [
  {
    name: 'suspense_explained',
    rule: 'what is on a suspense account is what its exceptions have put there and nobody has moved on',
    sql: `select 'suspense ' || coalesce(a.currency, e.currency) || ' at ' || coalesce(a.installation, e.installation) || ' has '
            || coalesce(a.balance_minor, 0) || ', its exceptions ' || coalesce(e.suspense_minor, 0)
          from (select installation, currency, balance_minor from accounts where kind = 'suspense') a
            full join (select installation, currency, sum(suspense_minor) as suspense_minor from reconciliation_exceptions
              where ended_at is null or (ended_by <> 'reconcile' and moved_to is null) group by 1, 2) e
              using (installation, currency)
          where coalesce(a.balance_minor, 0) <> coalesce(e.suspense_minor, 0)`,
  },
  {
    name: 'rail_balances_agree',
    rule: "every operator's own balance is what the ledger and the orders on their way explain, within an hour",
    sql: `select 'installation ' || b.installation || ' has ' || b.unexplained_minor || ' ' || b.currency
            || ' (minor units) that nothing explains, since ' || ${shown('b.unexplained_since')}
          from rail_balances b join rail_installations i on i.name = b.installation and i.removed_at is null
          where b.unexplained_since < $1`,
    values: (now) => [new Date(now.getTime() - UNEXPLAINED_MS)],
  },
]

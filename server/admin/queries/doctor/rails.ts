import { PAID_AGAIN } from '../suspense.ts'
import { PAID } from '../statements/bounds.ts'
import { shown, type Check } from './check.ts'

/** How long a difference may take to resolve itself. */
const UNEXPLAINED_MS = 60 * 60_000

/** A short outage of an operator ends by itself within this time; the alert rule of the docs waits as long. */
const DOWN_MS = 5 * 60_000

/** Checks of balances at operators, and of their statements. */
export const RAIL_CHECKS: readonly Check[] = [
  {
    name: 'suspense_explained',
    scope: 'all',
    rule: 'the balance of every suspense account equals the amounts of its exceptions that were not moved on, and what customers have paid again',
    sql: `select 'suspense ' || coalesce(a.currency, e.currency) || ' at ' || coalesce(a.rail_account, e.rail_account) || ' has '
            || coalesce(a.balance_minor, 0) || ', its exceptions ' || coalesce(e.suspense_minor, 0)
          from (select rail_account, currency, balance_minor from accounts where kind = 'suspense') a
            full join (select rail_account, currency, sum(suspense_minor) as suspense_minor from (
              select rail_account, currency, suspense_minor from reconciliation_exceptions
              where ended_at is null or (ended_by <> 'reconcile' and moved_to is null)
              union all
              select coalesce(t.rail_account, ''), t.currency, ${PAID} from transactions t
              where ${PAID_AGAIN}) x group by 1, 2) e
              using (rail_account, currency)
          where coalesce(a.balance_minor, 0) <> coalesce(e.suspense_minor, 0)`,
  },
  {
    name: 'operators_answer',
    scope: 'all',
    rule: `every connected operator answers, or recovers within ${DOWN_MS / 60_000} minutes; malipo rail check shows what is wrong`,
    sql: `select 'the operator of ' || i.name || ' has not answered since ' || ${shown('i.down_since')} || ': orders wait'
          from rail_accounts i where i.removed_at is null and i.down_since < $1 order by i.down_since, i.name`,
    values: (now) => [new Date(now.getTime() - DOWN_MS)],
  },
  {
    name: 'rail_balances_agree',
    scope: 'all',
    rule: "every operator's own balance is what the ledger and the orders on their way explain, within an hour",
    sql: `select 'rail account ' || b.rail_account || ' has ' || b.unexplained_minor || ' ' || b.currency
            || ' (minor units) that nothing explains, since ' || ${shown('b.unexplained_since')}
          from rail_balances b join rail_accounts i on i.name = b.rail_account and i.removed_at is null
          where b.unexplained_since < $1`,
    values: (now) => [new Date(now.getTime() - UNEXPLAINED_MS)],
  },
]

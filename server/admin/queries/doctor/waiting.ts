import { POLL_RAIL_AFTER_MS } from '../../../domain/transaction.ts'
import { CLAIM } from '../statements/claims.ts'
import { PAID_AGAIN } from '../suspense.ts'
import { shown, TRANSACTION, type Check } from './check.ts'

/** Most lost responses are followed by a callback within minutes. */
const UNKNOWN_OUTCOME_MS = POLL_RAIL_AFTER_MS
/** The next day's statement explains a payment that was only late. */
const UNEXPLAINED_HOURS = 24

/** What waits for a person. */
export const WAITING_CHECKS: readonly Check[] = [
  {
    name: 'paid_payouts_booked',
    scope: 'all',
    rule: 'every payout that its rail has paid is booked',
    sql: `select ${TRANSACTION} || ' was paid at ' || ${shown('t.rail_paid_at')} || ', as its operator says, and is not booked'
          from transactions t where t.rail_paid_at is not null and t.status = 'FAILED' order by t.rail_paid_at`,
  },
  {
    name: 'attempts_refunded',
    scope: 'all',
    rule: 'no customer has paid a collection twice: what a further attempt has paid is on suspense until it is given back',
    sql: `select ${TRANSACTION} || ', an attempt, was paid too at ' || ${shown('t.rail_paid_at')}
          from transactions t where ${PAID_AGAIN}
          order by t.rail_paid_at`,
  },
  {
    name: 'orders_answered',
    scope: 'all',
    rule: `every order that must not be sent twice has an answer within ${UNKNOWN_OUTCOME_MS / 60_000} minutes; a result, a line of the operator's statement or malipo transaction resolve ends those without one`,
    sql: `select ${TRANSACTION} || coalesce(' at ' || t.rail_account, '') || ' has had no answer since ' || ${shown('t.since')}
          from (select o.*, coalesce((select min(e.at) from transaction_events e
              where e.transaction_id = o.id and e.kind = 'submitted'), o.created_at) as since
            from jobs w join transactions o on o.id = w.subject_id where w.kind in ('resolveUnknownOutcome', 'resolveRefund')) t
          where t.since < $1 order by t.since`,
    values: (now) => [new Date(now.getTime() - UNKNOWN_OUTCOME_MS)],
  },
  {
    name: 'results_mapped',
    scope: 'all',
    rule: 'no open order has a result code that no table explains; malipo transaction show has it, the operator says what it means, and malipo transaction resolve ends the order if a poll does not',
    sql: `select ${TRANSACTION} || coalesce(' at ' || t.rail_account, '') || ': ' || e.detail || ', since ' || ${shown('e.at')}
          from jobs w join transactions t on t.id = w.subject_id and t.status = 'PROCESSING'
            join transaction_events e on e.transaction_id = t.id and e.kind = 'unmapped_result'
          where w.kind in ('pollRail', 'resolveUnknownOutcome', 'submitToRail', 'pollRefund', 'resolveRefund', 'submitRefund') order by e.at, e.id`,
  },
  {
    name: 'exceptions_ended',
    scope: 'all',
    rule: `every exception of a reconciliation is ended within ${UNEXPLAINED_HOURS} hours, by a later statement or by malipo reconcile end`,
    sql: `select 'exception ' || e.id || ' (' || e.kind || ' at ' || e.rail_account || ') is open since ' || ${shown('e.opened_at')}
          from reconciliation_exceptions e where e.ended_at is null and e.opened_at < $1 order by e.opened_at, e.id`,
    values: (now) => [new Date(now.getTime() - UNEXPLAINED_HOURS * 3_600_000)],
  },
  {
    name: 'claims_confirmed',
    scope: 'all',
    rule: `every payment without an order that an operator's message tells of is confirmed within ${UNEXPLAINED_HOURS} hours, by the operator or by a statement; until then nothing is booked; malipo reconcile claims lists them`,
    sql: `select 'payment ' || p.receipt || ' at ' || p.rail_account || ' is told, not confirmed, since ' || ${shown('p.recorded_at')}
          from ${CLAIM} and p.recorded_at < $1 order by p.recorded_at, p.receipt`,
    values: (now) => [new Date(now.getTime() - UNEXPLAINED_HOURS * 3_600_000)],
  },
  {
    name: 'nothing_quarantined',
    scope: 'all',
    rule: 'no job and no report of a rail is quarantined',
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') has failed ' || w.failures || ' times: '
          || w.last_error from jobs w where w.failures > 0
          union all
          select 'the report of ' || r.status || ' for ' || r.reference || ' has failed ' || r.failures || ' times'
            from sandbox.reports r
          where r.failures > 0 and r.acknowledged_at is null`,
  },
]

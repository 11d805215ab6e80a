import { shown, TRANSACTION, type Check } from './check.ts'

/** What waits for a person. */
export const WAITING_CHECKS: readonly Check[] = [
  {
    name: 'paid_payouts_booked',
    rule: 'every payout that its rail has paid is booked',
    sql: `select ${TRANSACTION} || ' was paid by its rail at ' || ${shown('t.rail_paid_at')} || ' and is not booked'
          from transactions t where t.rail_paid_at is not null and t.status = 'FAILED' order by t.rail_paid_at`,
  },
  {
    name: 'nothing_put_aside',
    rule: 'no work and no report of a rail is put aside because it fails',
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') has failed ' || w.failures || ' times: '
          || w.last_error from work w where w.failures > 0
          union all
          select 'the report of ' || r.status || ' for ' || r.reference || ' has failed ' || r.failures || ' times'
            from sandbox.reports r
          where r.failures > 0 and r.acknowledged_at is null`,
  },
]

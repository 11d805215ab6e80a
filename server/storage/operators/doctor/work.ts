import { ofPayment } from '../../time-ids.ts'
import { shown, TRANSACTION, type Check } from './check.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How late work may be before somebody must look: leases and polls take seconds. */
export const OVERDUE_MS = 2 * MINUTE_MS
/** Work that nobody has begun may wait for longer: for a gateway that is down for a while. */
const UNBEGUN_DAYS = 1
/** Callbacks are tried again within little more than a day, everything else sooner. */
const AHEAD_DAYS = 2
/** Credit is uncleared or in reserve for a year at most. */
const RELEASE_AHEAD_DAYS = 367
/** What never leaves our database is done at the first try; others may be away for days. */
const ATTEMPTS_MAX = { inside: 100, outside: 1_500 } as const
/** Callbacks aside, even a rail that says nothing for a day has been given up by then, or an operator must ask it. */
const OPEN_DAYS_MAX = 7

/** What brings a transaction to its end. */
const PAYMENT_WORK = `('verifyPayout', 'holdFunds', 'submitToRail', 'askRail', 'findOrder', 'expirePage')`
const HELD = `exists (select from transfers r where r.kind = 'payout_hold' and ${ofPayment('r', 't.id')})`
const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** That everything goes on by itself. */
export const WORK_CHECKS: readonly Check[] = [
  {
    name: 'work_has_subject',
    scope: 'all',
    rule: "every piece of work has its transaction, callback or operator's message",
    sql: `select 'work ' || w.id || ' (' || w.kind || ') is about ' || case w.kind
          when 'deliverCallback' then 'callback ' when 'readRailCallback' then 'message '
          else 'transaction ' end || w.subject_id || ', which does not exist'
          from work w where case w.kind when 'deliverCallback' then not exists (select from callbacks c
            where c.id = w.subject_id)
            when 'readRailCallback' then not exists (select from rail_callbacks c where c.id = w.subject_id)
            else not exists (select from transactions t where t.id = w.subject_id) end`,
  },
  {
    name: 'open_transactions_have_work',
    scope: 'changed',
    rule: 'every PENDING or PROCESSING transaction has work that brings it to an end',
    sql: `select ${TRANSACTION} || ' has no work' from transactions t where t.status in ('PENDING', 'PROCESSING')
          and not exists (select from work w where w.subject_id = t.id and w.kind in ${PAYMENT_WORK})`,
  },
  {
    name: 'work_fits_state',
    scope: 'all',
    rule: "every open transaction's work fits what has happened: a payout is verified and held before its money is, and goes to the rail after",
    sql: `select 'work ' || w.id || ' (' || w.kind || ') does not fit ' || ${TRANSACTION} || case
          when ${HELD} then ', whose money is held' else '' end
          from work w join transactions t on t.id = w.subject_id
          where w.kind in ${PAYMENT_WORK} and t.status in ('PENDING', 'PROCESSING') and not case w.kind
            when 'askRail' then t.status = 'PROCESSING'
            when 'findOrder' then t.status = 'PROCESSING' and t.rail_order_id is not null
            when 'submitToRail' then t.status = 'PROCESSING' or t.type = 'COLLECTION' or ${HELD}
            when 'expirePage' then t.status = 'PENDING' and t.type = 'COLLECTION'
            else t.status = 'PENDING' and t.type = 'PAYOUT' and not ${HELD} end`,
  },
  {
    name: 'open_transactions_are_young',
    scope: 'all',
    rule: `no transaction is PENDING or PROCESSING for more than ${OPEN_DAYS_MAX} days`,
    sql: `select ${TRANSACTION} || ' is open since ' || ${shown('t.created_at')} from transactions t
          where t.status in ('PENDING', 'PROCESSING') and t.created_at < $1 order by t.created_at`,
    // By the work that each of them has: nothing need have happened to it for days.
    sqlOfChanged: `select distinct ${TRANSACTION} || ' is open since ' || ${shown('t.created_at')}
          from work w join transactions t on t.id = w.subject_id
          where w.kind in ${PAYMENT_WORK} and t.status in ('PENDING', 'PROCESSING') and t.created_at < $1`,
    values: (now) => [before(now, OPEN_DAYS_MAX * DAY_MS)],
  },
  {
    name: 'leases_taken_over',
    scope: 'all',
    rule: `no work whose lease has ended waits longer than ${OVERDUE_MS / MINUTE_MS} minutes`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ', attempt ' || w.attempt
          || ') is due since ' || ${shown('w.due_at')}
          from work w where w.attempt > 0 and w.due_at < $1 order by w.due_at`,
    values: (now) => [before(now, OVERDUE_MS)],
  },
  {
    name: 'work_due_in_time',
    scope: 'all',
    rule: `no work is due in more than ${AHEAD_DAYS} days (release of credit: a year), and none waits to be begun for more than a day`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') is due ' || ${shown('w.due_at')}
          from work w
          where w.due_at > case when w.kind in ('clearFunds', 'releaseReserve') then $2::timestamptz
            else $1::timestamptz end or (w.attempt = 0 and w.due_at < $3) order by w.due_at`,
    values: (now) => [
      before(now, -AHEAD_DAYS * DAY_MS),
      before(now, -RELEASE_AHEAD_DAYS * DAY_MS),
      before(now, UNBEGUN_DAYS * DAY_MS),
    ],
  },
  {
    name: 'work_gets_done',
    scope: 'all',
    rule: `no work has been begun more than ${ATTEMPTS_MAX.inside} times, or ${ATTEMPTS_MAX.outside} times where it waits for a rail or a merchant`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') was begun ' || w.attempt || ' times'
          from work w
          where w.attempt > case when w.kind in ('holdFunds', 'expirePage', 'clearFunds',
            'releaseReserve') then ${ATTEMPTS_MAX.inside} else ${ATTEMPTS_MAX.outside} end order by w.attempt desc`,
  },
]

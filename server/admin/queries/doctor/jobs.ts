import { dueAt } from '../../../storage/job-leases.ts'
import type { JobKind } from '../../../actions/ports/jobs.ts'
import { ofPayment } from '../../../storage/time-ids.ts'
import { shown, TRANSACTION, type Check } from './check.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How late a job may be before somebody must act: leases and polls take seconds. */
const OVERDUE_MS = 2 * MINUTE_MS
/** A job that was never started may wait longer: the gateway may be down for a while. */
const UNBEGUN_DAYS = 1
/** Callbacks are retried within little more than a day, everything else sooner. */
const AHEAD_DAYS = 2
/** Credit is uncleared or in reserve for a year at most. */
const RELEASE_AHEAD_DAYS = 367
/** A job that stays inside our database succeeds at the first attempt; external systems may be down for days. */
const ATTEMPTS_MAX = { inside: 100, outside: 1_500 } as const
/** Callbacks aside, a rail that reports nothing for a day has been given up by then, or staff must query it. */
const OPEN_DAYS_MAX = 7

/** The jobs that bring a transaction to its end. */
const PAYMENT_WORK = `('verifyPayout', 'holdFunds', 'submitToRail', 'pollRail', 'resolveUnknownOutcome', 'expirePage',
  'expireExpected', 'expireApproval', 'holdRefund', 'submitRefund', 'pollRefund', 'resolveRefund')`
/** Its merchant says how long it waits for its customer. */
const EXPECTED = `exists (select from expected_payments e where e.transaction_id = t.id and e.is_open)`
const HELD = `exists (select from transfers r where r.kind in ('payout_hold', 'refund_hold') and ${ofPayment('r', 't.id')})`

/** The table of each job kind's subject. */
const SUBJECT_TABLES: Readonly<Record<JobKind, keyof typeof SUBJECT_NAMES>> = {
  verifyPayout: 'transactions',
  holdFunds: 'transactions',
  submitToRail: 'transactions',
  pollRail: 'transactions',
  resolveUnknownOutcome: 'transactions',
  readRailCallback: 'rail_callbacks',
  readAccountMessage: 'account_messages',
  deliverCallback: 'callbacks',
  expirePage: 'transactions',
  expireExpected: 'transactions',
  expireApproval: 'transactions',
  sendOtp: 'transactions',
  clearFunds: 'transactions',
  releaseReserve: 'transactions',
  verifyBatch: 'payout_batches',
  finishBatch: 'payout_batches',
  holdRefund: 'transactions',
  submitRefund: 'transactions',
  pollRefund: 'transactions',
  resolveRefund: 'transactions',
}
const SUBJECT_NAMES = {
  transactions: 'transaction',
  callbacks: 'callback',
  rail_callbacks: 'operator message',
  payout_batches: 'batch of payouts',
  account_messages: 'operator message',
} as const
/** Selects by the kind of a row `w` of work; unknown kinds of other versions belong to transactions. */
const bySubject = (of: (table: keyof typeof SUBJECT_NAMES) => string): string =>
  `case w.kind ${Object.entries(SUBJECT_TABLES)
    .map(([kind, table]) => `when '${kind}' then ${of(table)}`)
    .join(' ')} else ${of('transactions')} end`

const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

/** Checks that everything proceeds without a person. */
export const WORK_CHECKS: readonly Check[] = [
  {
    name: 'jobs_have_subjects',
    scope: 'all',
    rule: 'every job has its transaction, callback, operator message or batch',
    sql: `select 'work ' || w.id || ' (' || w.kind || ') is about ' || ${bySubject((table) => `'${SUBJECT_NAMES[table]} '`)}
            || w.subject_id || ', which does not exist'
          from jobs w where not ${bySubject((table) => `exists (select from ${table} s where s.id = w.subject_id)`)}`,
  },
  {
    name: 'open_transactions_have_jobs',
    scope: 'changed',
    rule: 'every PENDING or PROCESSING transaction has a job that ends it',
    sql: `select ${TRANSACTION} || ' has no work' from transactions t where t.status in ('PENDING', 'PROCESSING')
          and not exists (select from jobs w where w.subject_id = t.id and w.kind in ${PAYMENT_WORK})
          and not exists (select from collection_attempts a join transactions x on x.id = a.transaction_id
            where a.collection_id = t.id and x.status in ('PENDING', 'PROCESSING'))`,
  },
  {
    name: 'jobs_fit_state',
    scope: 'all',
    rule: "every open transaction's job fits its state: a payout is verified and held before its money is, and goes to the rail after",
    sql: `select 'work ' || w.id || ' (' || w.kind || ') does not fit ' || ${TRANSACTION} || case
          when ${HELD} then ', whose money is held' else '' end
          from jobs w join transactions t on t.id = w.subject_id
          where w.kind in ${PAYMENT_WORK} and t.status in ('PENDING', 'PROCESSING') and not case w.kind
            when 'pollRail' then t.status = 'PROCESSING' and t.type not in ('REFUND', 'RETURN')
            when 'resolveUnknownOutcome' then t.status = 'PROCESSING' and t.rail_order_id is not null
            when 'submitToRail' then t.status = 'PROCESSING' or t.type in ('COLLECTION', 'ATTEMPT') or ${HELD}
            when 'expirePage' then t.type = 'COLLECTION' and t.rail_order_id is null
            when 'expireExpected' then t.status = 'PENDING' and t.type = 'COLLECTION'
            when 'pollRefund' then t.status = 'PROCESSING' and t.type in ('REFUND', 'RETURN')
            when 'resolveRefund' then t.status = 'PROCESSING' and t.type in ('REFUND', 'RETURN') and t.rail_order_id is not null
            when 'submitRefund' then t.type = 'RETURN' or (t.type = 'REFUND' and (t.status = 'PROCESSING' or ${HELD}))
            when 'holdRefund' then t.status = 'PENDING' and t.type = 'REFUND' and not ${HELD}
            when 'expireApproval' then t.status = 'PENDING' and t.type <> 'COLLECTION' and not ${HELD}
            else t.status = 'PENDING' and t.type = 'PAYOUT' and not ${HELD} end`,
  },
  {
    name: 'open_transactions_are_young',
    scope: 'all',
    rule: `no transaction is PENDING or PROCESSING for more than ${OPEN_DAYS_MAX} days`,
    sql: `select ${TRANSACTION} || ' is open since ' || ${shown('t.created_at')} from transactions t
          where t.status in ('PENDING', 'PROCESSING') and t.created_at < $1 and not ${EXPECTED}
          order by t.created_at`,
    // Found by their jobs: a transaction may have had no event for days.
    sqlOfChanged: `select distinct ${TRANSACTION} || ' is open since ' || ${shown('t.created_at')}
          from jobs w join transactions t on t.id = w.subject_id
          where w.kind in ${PAYMENT_WORK} and w.kind <> 'expireExpected' and t.status in ('PENDING', 'PROCESSING')
            and t.created_at < $1`,
    values: (now) => [before(now, OPEN_DAYS_MAX * DAY_MS)],
  },
  {
    name: 'leases_taken_over',
    scope: 'all',
    rule: `no job whose lease has ended waits longer than ${OVERDUE_MS / MINUTE_MS} minutes`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ', attempt ' || w.attempt
          || ') is due since ' || ${shown(dueAt('w'))}
          from jobs w where w.attempt > 0 and ${dueAt('w')} < $1 order by ${dueAt('w')}`,
    values: (now) => [before(now, OVERDUE_MS)],
  },
  {
    name: 'jobs_due_in_time',
    scope: 'all',
    rule: `no job is due in more than ${AHEAD_DAYS} days (release of credit, expected payments: a year), and none waits for more than a day`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') is due ' || ${shown('w.due_at')}
          from jobs w
          where w.due_at > case when w.kind in ('clearFunds', 'releaseReserve', 'expireExpected') then $2::timestamptz
            else $1::timestamptz end or (w.attempt = 0 and w.due_at < $3) order by w.due_at`,
    values: (now) => [
      before(now, -AHEAD_DAYS * DAY_MS),
      before(now, -RELEASE_AHEAD_DAYS * DAY_MS),
      before(now, UNBEGUN_DAYS * DAY_MS),
    ],
  },
  {
    name: 'jobs_finish',
    scope: 'all',
    rule: `no job has been tried more than ${ATTEMPTS_MAX.inside} times, or ${ATTEMPTS_MAX.outside} times where it waits for a rail or a merchant`,
    sql: `select 'work ' || w.id || ' (' || w.kind || ' ' || w.subject_id || ') was begun ' || w.attempt || ' times'
          from jobs w
          where w.attempt > case when w.kind in ('holdFunds', 'holdRefund', 'expirePage', 'expireExpected', 'expireApproval',
            'clearFunds', 'releaseReserve') then ${ATTEMPTS_MAX.inside} else ${ATTEMPTS_MAX.outside} end order by w.attempt desc`,
  },
]

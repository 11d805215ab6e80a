import { DAILY_WINDOW_MS } from '../../../domain/amount-limits.ts'
import { type Check, CLAIMED_REFERENCE, LIMITED_TYPE, TRANSACTION } from './check.ts'

/** A clock that is a little ahead may already have deleted usage at the end of the window. */
const WINDOW_SLACK_MS = 5 * 60_000

/** Compares the state of payments with what was booked and counted for them. */
export const PAYMENT_CHECKS: readonly Check[] = [
  {
    name: 'collections_booked',
    scope: 'changed',
    rule: 'every completed collection is booked once with its amounts, every other one not at all',
    sql: `with booked as (
            select r.transaction_id, min(r.id) as first, max(r.id) as last, max(a.merchant_id) as merchant_id,
              coalesce(sum(e.amount_minor) filter (where a.merchant_id <> 0), 0) as credited,
                -coalesce(sum(e.amount_minor) filter (where a.kind = 'rail'), 0) as paid
            from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id
              where r.kind = 'collection' group by r.transaction_id
          )
          select ${TRANSACTION} || case when b.transaction_id is null then ' is not booked' when t.status <> 'COMPLETED'
            or t.type <> 'COLLECTION' then ' is booked'
            when b.first <> b.last then ' is booked more than once'
            else ' is booked with a credit of ' || b.credited || ' to merchant ' || b.merchant_id || ' out of '
              || b.paid || ', not ' || t.total_minor end
          from transactions t left join booked b on b.transaction_id = t.id
          where case when t.type = 'COLLECTION' and t.status = 'COMPLETED'
            then b.transaction_id is null or b.first <> b.last or b.credited <> t.total_minor
              or (b.merchant_id <> t.merchant_id and b.credited <> 0)
              or b.paid <> t.amount_minor + case when t.charge_customer then t.charge_minor else 0 end
            else b.transaction_id is not null end`,
  },
  {
    name: 'payouts_booked',
    scope: 'changed',
    rule: 'every completed payout or refund has left its wallet once, every failed one has its money back, one on its way is held',
    sql: `with booked as (
            select r.transaction_id, coalesce(sum(e.amount_minor)
                filter (where a.kind in ('payout_held', 'collection_held')), 0) as held,
              -coalesce(sum(e.amount_minor)
                filter (where a.kind in ('payout_available', 'collection_available', 'suspense')), 0) as taken,
                coalesce(sum(e.amount_minor) filter (where a.kind = 'rail'), 0) as paid
            from transfers r join entries e on e.transfer_id = r.id join accounts a on a.id = e.account_id
              where r.kind like 'payout%' or r.kind like 'refund%' or r.kind = 'suspense_return' group by r.transaction_id
          ), payouts as (
            select t.id, t.merchant_reference, t.status, t.total_minor,
              -- What is given back from suspense needs no hold.
              case when t.type = 'RETURN' then 0 else t.total_minor end as hold_minor,
              t.amount_minor + case when t.type <> 'PAYOUT' and t.charge_customer then t.charge_minor else 0 end
                as amount_minor, coalesce(b.held, 0) as held,
              coalesce(b.taken, 0) as taken, coalesce(b.paid, 0) as paid
            from transactions t left join booked b on b.transaction_id = t.id
              where t.type not in ('COLLECTION', 'ATTEMPT')
          )
          select ${TRANSACTION} || ' of ' || t.amount_minor || ' (with charge ' || t.total_minor || ') took ' || t.taken
            || ' from the wallet, holds ' || t.held || ', paid ' || t.paid
          from payouts t where not case t.status
            when 'COMPLETED' then t.held = 0 and t.taken = t.total_minor and t.paid = t.amount_minor
            when 'PROCESSING' then t.held = t.hold_minor and t.taken = t.held and t.paid = 0
            when 'PENDING' then t.held in (0, t.hold_minor) and t.taken = t.held and t.paid = 0
            else t.held = 0 and t.taken = 0 and t.paid = 0 end`,
  },
  {
    name: 'credit_released',
    scope: 'changed',
    rule: 'every credit that is uncleared or in reserve has work that releases it, or was released once with the same amount',
    sql: `with credit as (
            select r.transaction_id, a.kind, coalesce(sum(e.amount_minor) filter (where r.kind = 'collection'), 0)
              as credited, coalesce(-sum(e.amount_minor) filter (where r.kind <> 'collection'), 0) as released
            from accounts a join entries e on e.account_id = a.id join transfers r on r.id = e.transfer_id
            where a.kind in ('collection_uncleared', 'collection_reserve') and r.transaction_id is not null
              group by r.transaction_id, a.kind
          ), due as (
            select subject_id, case kind when 'clearFunds' then 'collection_uncleared'
              else 'collection_reserve' end as kind from jobs where kind in ('clearFunds', 'releaseReserve')
          )
          select 'transaction ' || coalesce(c.transaction_id, d.subject_id) || ' has ' || coalesce(c.credited, 0)
            || ' in ' || coalesce(c.kind, d.kind) || ', ' || coalesce(c.released, 0) || ' of it released'
            || case when d.subject_id is null then ' and no work that releases it'
              else ', and work that releases it' end
          from credit c full join due d on d.subject_id = c.transaction_id and d.kind = c.kind
          where case when c.transaction_id is null then true when d.subject_id is null then c.released <> c.credited
            else c.released <> 0 end`,
  },
  {
    name: 'final_states_have_time',
    scope: 'changed',
    rule: 'every COMPLETED, FAILED or CANCELLED transaction knows when it ended, and no other has ended',
    sql: `select ${TRANSACTION} || case when t.final_at is null then ' does not know when it ended'
          else ' has the time of an end' end
          from transactions t where (t.status in ('COMPLETED', 'FAILED', 'CANCELLED')) <> (t.final_at is not null)`,
  },
  {
    name: 'limits_counted',
    scope: 'changed',
    rule: 'every transaction of the last 24 hours that did not fail counts toward its daily limit with its amount, and none that failed does',
    // Refunds count toward no limit. A hosted payment claims its limit when the customer confirms. A payment that its rail has paid counts although it
    // is FAILED here.
    sql: `select ${TRANSACTION} || ' does not count toward its daily limit with ' || t.amount_minor from transactions t
          where t.created_at > $1 and (t.status not in ('FAILED', 'CANCELLED') or t.rail_paid_at is not null)
            and t.account <> '' and t.type not in ('REFUND', 'RETURN')
            and not exists (select from limit_usage u
              where u.provider_code = t.provider_code and u.account = t.account
                and u.transaction_type = ${LIMITED_TYPE}
                and u.transaction_id = t.id and u.amount_minor = t.amount_minor)
            and not (t.status = 'PENDING' and exists (select from payment_sessions s
              where s.transaction_id = t.id and s.awaits = 'confirmation'))
            and not exists (select from collection_attempts a where a.collection_id = t.id)
          union all
          select coalesce(${TRANSACTION}, 'transaction ' || u.transaction_id || ', which does not exist,')
            || ' counts toward a daily limit'
          from limit_usage u left join transactions t on t.id = u.transaction_id
            where t.id is null or (t.status in ('FAILED', 'CANCELLED') and t.rail_paid_at is null)`,
    values: (now) => [new Date(now.getTime() - DAILY_WINDOW_MS + WINDOW_SLACK_MS)],
  },
  {
    name: 'references_match',
    scope: 'changed',
    rule: 'every transaction holds its merchant reference, every reference its transaction',
    sql: `select case when t.id is null then 'reference ' || r.merchant_reference || ' of merchant ' || r.merchant_id
          || ' is taken by transaction ' || r.transaction_id || ', which does not exist'
            when r.transaction_id is null then ${TRANSACTION} || ' does not hold its reference' else ${TRANSACTION}
              || ' holds another reference: ' || r.merchant_reference end
          from transaction_references r full join transactions t on t.id = r.transaction_id
          where (t.id is null and not exists (select from history_months h
              where h.archived_at is not null and r.transaction_id >= h.from_id and r.transaction_id < h.until_id))
            or (r.transaction_id is null and t.type <> 'ATTEMPT') or t.merchant_id <> r.merchant_id
            or ${CLAIMED_REFERENCE} <> r.merchant_reference`,
  },
]

import { TRANSACTION, type Check } from './check.ts'

// A column beside the body stores the status in it. Bodies of older versions are JSON as this program writes it, so a
// quoted text cannot look like a field; parsing a million of them as JSON would take longer than all other checks. One
// sum counts all outcomes, each in its own decimal places, which is faster than one count each: it distinguishes at
// most 99 callbacks of a kind.
const COMPLETED = 1
const FAILED = 100
const CANCELLED = 10_000
const OTHER = 1_000_000
const holds = (status: string): string => `coalesce(told = '${status}', body like '%"transaction_status":"${status}"%')`
const OUTCOME = `case
  when event in ('transaction.completed', 'refund.completed') then case when ${holds('COMPLETED')} then ${COMPLETED} else ${OTHER} end
  when event in ('transaction.failed', 'refund.failed') then case when ${holds('FAILED')} then ${FAILED}
    when ${holds('CANCELLED')} then ${CANCELLED} else ${OTHER} end
  else ${OTHER} end`

/** Checks of the callbacks that merchants receive. */
export const CALLBACK_CHECKS: readonly Check[] = [
  {
    name: 'pending_callbacks_have_jobs',
    scope: 'changed',
    rule: 'every PENDING callback has a job that delivers it',
    sql: `select 'callback ' || c.id || ' of transaction ' || c.transaction_id || ' has no work' from callbacks c
          where c.status = 'PENDING' and not exists (select from jobs w
            where w.kind = 'deliverCallback' and w.subject_id = c.id)`,
  },
  {
    name: 'callbacks_told',
    scope: 'changed',
    // The callback of a batch belongs to its first transaction, and tells nothing of it.
    rule: 'every final transaction has one callback with its final status, a late completion also that of its former failure, and no other has any',
    sql: `with told as (
            select transaction_id, sum(${OUTCOME}) as outcomes, max(merchant_id) as merchant_id, min(merchant_id)
              as merchant_id_min from callbacks where event <> 'payout_batch.completed' group by transaction_id
          ), since as materialized (
            -- What ended before every end had a callback may have none.
            select coalesce(max(since), '-infinity') as since from rules_since where rule = 'callbacks_told'
          ), failed_before as materialized (
            select transaction_id from transaction_events
              where kind = 'settled' and detail like 'FAILED:%' and at > (select since from since)
          )
          select coalesce(${TRANSACTION}, 'transaction ' || c.transaction_id || ', which does not exist,') || ' has '
            || case
            when c.transaction_id is null then 'no callback'
            when c.merchant_id <> t.merchant_id
              or c.merchant_id_min <> t.merchant_id then 'a callback to another merchant'
            else 'callbacks of which tell COMPLETED ' || c.outcomes % ${FAILED} || ', FAILED '
              || c.outcomes / ${FAILED} % 100 || ', CANCELLED ' || c.outcomes / ${CANCELLED} % 100
              || ', something else ' || c.outcomes / ${OTHER} end
          from transactions t full join told c on c.transaction_id = t.id
          where case when c.transaction_id is null then t.status in ('COMPLETED', 'FAILED', 'CANCELLED')
            and t.type not in ('ATTEMPT', 'RETURN')
            and t.final_at > (select since from since)
            when c.merchant_id <> t.merchant_id or c.merchant_id_min <> t.merchant_id then true
            else not case t.status
              when 'COMPLETED' then c.outcomes = ${COMPLETED + FAILED}
                or (c.outcomes = ${COMPLETED} and t.id not in (select transaction_id from failed_before))
              when 'FAILED' then c.outcomes = ${FAILED}
              when 'CANCELLED' then c.outcomes = ${CANCELLED}
              else false end
            end`,
  },
]

import { TRANSACTION, type Check } from './check.ts'

// Bodies are JSON as this program writes it, so a text in quotes cannot look like a field; reading a million of them as JSON would take longer than all other checks.
const TOLD = `select id, transaction_id, merchant_id, event, split_part(split_part(body, '"transaction_status":"', 2), '"', 1) as tells from callbacks`

/** What merchants are told. */
export const CALLBACK_CHECKS: readonly Check[] = [
  {
    name: 'pending_callbacks_have_work',
    rule: 'every PENDING callback has work that delivers it',
    sql: `select 'callback ' || c.id || ' of transaction ' || c.transaction_id || ' has no work' from callbacks c
          where c.status = 'PENDING' and not exists (select from work w where w.kind = 'deliverCallback' and w.subject_id = c.id)`,
  },
  {
    name: 'callbacks_told',
    rule: 'every final transaction has one callback that tells how it ended, a late completion also the one of its failure before, and no other has any',
    sql: `with told as (
            select transaction_id, count(*) as callbacks, max(merchant_id) as merchant_id, min(merchant_id) as merchant_id_min,
              count(*) filter (where tells = 'COMPLETED' and event = 'transaction.completed') as completed,
              count(*) filter (where tells = 'FAILED' and event = 'transaction.failed') as failed,
              count(*) filter (where tells = 'CANCELLED' and event = 'transaction.failed') as cancelled
            from (${TOLD}) c group by transaction_id
          ), since as materialized (
            -- What ended before every end had a callback may have none.
            select coalesce(max(since), '-infinity') as since from rules_since where rule = 'callbacks_told'
          ), failed_before as materialized (
            select transaction_id from transaction_events where kind = 'settled' and detail like 'FAILED:%' and at > (select since from since)
          )
          select coalesce(${TRANSACTION}, 'transaction ' || c.transaction_id || ', which does not exist,') || ' has ' || case
            when c.transaction_id is null then 'no callback'
            when c.merchant_id <> t.merchant_id or c.merchant_id_min <> t.merchant_id then 'a callback to another merchant'
            else c.callbacks || case c.callbacks when 1 then ' callback' else ' callbacks' end || ', of which tell COMPLETED ' || c.completed || ', FAILED ' || c.failed || ', CANCELLED ' || c.cancelled end
          from transactions t full join told c on c.transaction_id = t.id
          where case when t.id is null or t.status not in ('COMPLETED', 'FAILED', 'CANCELLED') then c.transaction_id is not null
            when c.transaction_id is null then t.final_at > (select since from since)
            else c.merchant_id <> t.merchant_id or c.merchant_id_min <> t.merchant_id or c.callbacks <> c.completed + c.failed + c.cancelled
              or c.completed <> (t.status = 'COMPLETED')::int or c.cancelled <> (t.status = 'CANCELLED')::int
              or case t.status when 'FAILED' then c.failed <> 1 when 'CANCELLED' then c.failed <> 0
                else c.failed > 1 or (c.failed = 0 and t.id in (select transaction_id from failed_before)) end
            end`,
  },
]

-- migration: expand
-- locks: callbacks access exclusive
-- rewrites: none
-- reads: transactions
-- Sent again by an operator: an answer to an attempt from before that decides nothing any more, and the schedule begins anew.
alter table callbacks add column resends integer not null default 0;
alter table callbacks add column attempts_before integer not null default 0;

-- Before 0008 a payout that its rail had paid and that could not be booked left a line in its history, and nothing else: it becomes what it would be now.
update transactions t set rail_paid_at = (
  select min(e.at) from transaction_events e
  where e.transaction_id = t.id and e.kind = 'rail_result_ignored'
    and (e.detail like 'Late COMPLETED: the wallet no longer covers it%' or e.detail like 'Late COMPLETED after more than 72 hours%')
) where t.type = 'PAYOUT' and t.status = 'FAILED' and t.rail_paid_at is null;
insert into limit_usage (provider_code, transaction_type, account, transaction_id, created_at, amount_minor)
select provider_code, type, account, id, created_at, amount_minor from transactions where rail_paid_at is not null on conflict do nothing;

-- The machines of before wrote their own time: one that was ahead must not put a rule off until then.
update rules_since set since = least(since, now() + interval '1 hour') where rule = 'callbacks_told';

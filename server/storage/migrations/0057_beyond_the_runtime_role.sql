-- migration: expand
-- locks: history_months access exclusive, ledger_links access exclusive
-- rewrites: none
-- reads: ledger_links, transfer_causes, transfer_causes_since
-- What excuses a transfer from naming a payment, a statement or a person is the owner's word alone: the runtime role can
-- append to the ledger, under any id.

-- Deposits, transfers between wallets and openings that were there before their causes were kept.
create table uncaused_transfers (transfer_id bigint primary key);
insert into uncaused_transfers
  select r.id from transfers r
  where r.transaction_id is null and r.kind in ('deposit', 'wallet_transfer', 'opening')
    and not exists (select from transfer_causes c where c.transfer_id = r.id)
    and (select max(e.id) from entries e where e.transfer_id = r.id) <= (select entry_id from transfer_causes_since);
create trigger append_only before update or delete or truncate on uncaused_transfers for each statement execute function refuse_change();

-- What an archived month was brought forward by, one transfer a currency.
alter table history_months add column opening_transfer_ids bigint[];
update history_months h set opening_transfer_ids = c.ids
  from (select month, array_agg(transfer_id) as ids from transfer_causes where kind = 'archive' group by month) c
  where c.month = h.month;

-- By name of the schema: a temporary table of a session comes before it, and whoever makes one must not choose what these see.
create or replace function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare unbalanced bigint;
begin
  -- Per currency too: a transfer never mixes them.
  select e.transfer_id into unbalanced
  from new_entries e join public.accounts a on a.id = e.account_id
  group by e.transfer_id having sum(e.amount_minor) <> 0 or count(distinct a.currency) > 1 limit 1;
  if found then raise exception 'transfer % does not sum to zero', unbalanced using errcode = 'check_violation'; end if;
  return null;
end $$;
create or replace function note_unchained() returns trigger language plpgsql as $$
begin
  insert into public.unchained_transfers (xid, transfer_id) select pg_current_xact_id(), id from new_transfers;
  return null;
end $$;

-- What no link looks like would end the doctor that reads it.
alter table ledger_links add constraint ledger_links_readable
  check (isfinite(at) and array_ndims(transfer_ids) = 1 and array_position(transfer_ids, null) is null);

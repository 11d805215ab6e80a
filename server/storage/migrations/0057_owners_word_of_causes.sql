-- migration: expand
-- locks: history_months access exclusive
-- rewrites: none
-- reads: transfer_causes, transfer_causes_since
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

-- migration: expand
-- locks: reconciliation_exceptions share, statement_lines share
-- rewrites: none
-- reads: reconciliation_exceptions, statement_lines
-- Why money moved where no payment says it (server/storage/transfer-causes.ts), and the transfers of before for the chain.

insert into unchained_transfers (xid, transfer_id)
  select '0'::xid8, t.id from transfers t where not exists (select from unchained_transfers u where u.transfer_id = t.id);

-- Of a deposit, a transfer between wallets and an opening. The lines and exceptions of statements name their transfers themselves.
create table transfer_causes (
  transfer_id bigint primary key,
  kind text not null check (kind in ('staff_action', 'demo_balance', 'archive')),
  -- An entry in staff_actions moves money once.
  staff_action_id bigint unique,
  -- What an opening brings forward, as in history_months.
  month text,
  check ((kind = 'staff_action') = (staff_action_id is not null) and (kind = 'archive') = (month is not null))
);
create trigger append_only before update or delete or truncate on transfer_causes for each statement execute function refuse_change();

-- How a doctor finds what names a transfer.
create index statement_lines_by_fee_transfer on statement_lines (fee_transfer_id) where fee_transfer_id is not null;
create index reconciliation_exceptions_by_opening on reconciliation_exceptions (opening_transfer_id)
  where opening_transfer_id is not null;
create index reconciliation_exceptions_by_closing on reconciliation_exceptions (closing_transfer_id)
  where closing_transfer_id is not null;

-- Entries and events up to these were there before their causes were kept.
create table transfer_causes_since (
  only_one boolean primary key default true check (only_one),
  entry_id bigint not null,
  event_id bigint not null
);
insert into transfer_causes_since (entry_id, event_id)
  select case when e.is_called then e.last_value else e.last_value - 1 end,
    case when v.is_called then v.last_value else v.last_value - 1 end
  from entries_ids e cross join transaction_events_ids v;
create trigger append_only before update or delete or truncate on transfer_causes_since for each statement execute function refuse_change();

-- migration: stop
-- locks: callback_attempts access exclusive, callbacks access exclusive, entries access exclusive, entries_id_seq access exclusive, transaction_events access exclusive, transaction_events_id_seq access exclusive, transactions access exclusive, transfers access exclusive
-- rewrites: none
-- reads: callback_attempts, callbacks, entries, transaction_events, transactions, transfers
-- The history by months (server/storage/months.ts): each table is partitioned by its own key, which tells the time
-- (server/storage/time-ids.ts). What is there becomes the first partition as it is, and no row is written anew.

-- Reads everything once; payments go on meanwhile.
alter table transactions validate constraint transactions_before;
alter table callbacks validate constraint callbacks_before;
alter table callbacks validate constraint callbacks_of_payment;
alter table callback_attempts validate constraint callback_attempts_before;
alter table transaction_events validate constraint transaction_events_before;
alter table transfers validate constraint transfers_before;
alter table transfers validate constraint transfers_of_payment;
alter table entries validate constraint entries_before;

-- Which months there are; the rows are also what two processes that create the same month meet at.
create table history_months (
  month text primary key,
  from_id bigint not null unique,
  until_id bigint not null,
  created_at timestamptz not null,
  -- Its partitions are gone, into files.
  archived_at timestamptz
);

-- From here on everybody waits until the commit, some milliseconds later. In the order in which payments lock the tables.
alter index transactions_paid_by_rail rename to transactions_before_paid_by_rail;
alter index transfers_of_operators rename to transfers_before_of_operators;
alter index callbacks_by_time rename to callbacks_before_by_time;
alter index callbacks_of_merchant rename to callbacks_before_of_merchant;

do $$
declare history record;
begin
  for history in
    select * from (values ('transactions', 'id', 'id'), ('callbacks', 'id', 'id'),
      ('callback_attempts', 'callback_id', 'callback_id, attempt'), ('transaction_events', 'transaction_id', 'transaction_id, id'),
      ('transfers', 'id', 'id'), ('entries', 'transfer_id', 'transfer_id, id')) as h(name, time_id, key)
  loop
    execute format('alter table %I rename to %I', history.name, history.name || '_before');
    execute format('alter table %I rename constraint %I to %I', history.name || '_before', history.name || '_pkey',
      history.name || '_before_pkey');
    -- One sequence for all partitions.
    if history.name in ('transaction_events', 'entries') then
      execute format('create sequence %I', history.name || '_ids');
      execute format('select setval(%L, last_value) from %I', history.name || '_ids', history.name || '_id_seq');
      execute format('alter table %I alter id drop identity', history.name || '_before');
      execute format('alter table %I alter id set default nextval(%L)', history.name || '_before', history.name || '_ids');
    end if;
    execute format('create table %I (like %I including defaults including constraints) partition by range (%I)',
      history.name, history.name || '_before', history.time_id);
    execute format('alter table %I drop constraint %I', history.name, history.name || '_before');
    execute format('alter table %I add primary key (%s)', history.name, history.key);
    execute format('alter table %I attach partition %I for values from (minvalue) to (794354201395200)', history.name,
      history.name || '_before');
  end loop;
end $$;

create index transactions_paid_by_rail on transactions (id) where rail_paid_at is not null;
create index transfers_of_operators on transfers (id) where transaction_id is null;
create index callbacks_by_time on callbacks using brin (created_at);
create index callbacks_of_merchant on callbacks (merchant_id, created_at);

create trigger balanced after insert on entries referencing new table as new_entries
  for each statement execute function refuse_unbalanced_entries();
create trigger append_only before update or delete or truncate on entries for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on transfers for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on transaction_events for each statement execute function refuse_change();

-- migration: expand
-- locks: ledger_candidates access exclusive
-- rewrites: none
-- reads: ledger_candidates
-- malipo doctor looks at what has happened since its last clean run (server/storage/operators/doctor/changed.ts).

-- What the highest id of an event was, beside that of an entry.
alter table ledger_candidates add column event_id bigint not null default 0;
alter table ledger_candidates drop constraint ledger_candidates_pkey, add primary key (id, event_id);
update ledger_candidates
  set event_id = (select case when is_called then last_value else last_value - 1 end from transaction_events_ids);

-- One row, once a run was clean: up to these ids everything was there and right.
create table doctor_mark (
  only_one boolean primary key default true check (only_one),
  entry_id bigint not null,
  event_id bigint not null,
  clean_at timestamptz not null
);

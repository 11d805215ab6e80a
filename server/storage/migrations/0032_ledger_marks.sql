-- migration: expand
-- locks: entries share, transaction_events share
-- rewrites: none
-- reads: entries, transaction_events
-- The ledger check counts on from where it was (server/storage/operators/ledger-check.ts) instead of from the first entry.

-- Numbers of one sequence, given in the order of time: pages tell which they hold, in a thousandth of the room of a tree.
-- New partitions get them with their table. Payments wait while they are made, some tenths of a second for a million.
create index entries_by_id on entries using brin (id) with (autosummarize = on);
create index transaction_events_by_id on transaction_events using brin (id) with (autosummarize = on);

-- Two counts of all entries from the first on: the one that balances are held against, and the one that will replace it.
create table ledger_marks (
  kind text primary key check (kind in ('verified', 'recount')),
  -- Entries up to this id are in its sums.
  upto bigint not null default 0,
  -- Of the recount: when the last one was through, whether this one was begun because a balance was off, and whether the
  -- last one has found the same.
  ended_at timestamptz,
  doubted boolean not null default false,
  off boolean not null default false
);
insert into ledger_marks (kind) values ('verified'), ('recount');

create table ledger_sums (
  kind text not null,
  account_id bigint not null,
  minor bigint not null,
  primary key (kind, account_id)
);

-- Ids that were the highest at some time. While an index is made nobody writes: what has an id now is there for all to see.
create table ledger_candidates (id bigint primary key, noted_at timestamptz not null);
insert into ledger_candidates
  select case when is_called then last_value else last_value - 1 end, '-infinity' from entries_ids;

-- migration: expand
-- locks: doctor_mark access exclusive, ledger_candidates access exclusive, transfers share row exclusive
-- rewrites: none
-- reads: none
-- A hash chain over transfers with their entries, made after their commit (server/storage/ledger-chain.ts).

-- Transfers that are in no link yet, each with its transaction: what is older than the oldest running one is complete.
create table unchained_transfers (
  xid xid8 not null,
  transfer_id bigint not null,
  primary key (xid, transfer_id)
);
create function note_unchained() returns trigger language plpgsql as $$
begin
  insert into unchained_transfers (xid, transfer_id) select pg_current_xact_id(), id from new_transfers;
  return null;
end $$;
create trigger unchained after insert on transfers referencing new table as new_transfers
  for each statement execute function note_unchained();

-- One row a batch. Each transfer keeps a digest of its own: the chain still verifies when a month is in files, and a
-- changed transfer is named.
create table ledger_links (
  seq bigint primary key check (seq > 0),
  at timestamptz not null,
  transfer_ids bigint[] not null,
  -- 32 bytes for each of them, in the same order.
  digests bytea not null check (length(digests) = 32 * cardinality(transfer_ids)),
  hash bytea not null check (length(hash) = 32)
);
-- Hashes: to try to compress them would be in vain.
alter table ledger_links alter digests set storage external;
create trigger append_only before update or delete or truncate on ledger_links for each statement execute function refuse_change();

-- Whoever holds the lock of this row adds links.
create table ledger_chain_turn (only_one boolean primary key default true check (only_one));
insert into ledger_chain_turn default values;

-- The last link when the ids beside it were noted: whatever came later is in a later one.
alter table ledger_candidates add column link_seq bigint not null default 0;
alter table doctor_mark add column link_seq bigint not null default 0;

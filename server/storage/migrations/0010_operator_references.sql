-- migration: expand
-- locks: transfers share row exclusive
-- rewrites: none
-- reads: none
-- An operator's own name of a deposit or a move between wallets, for example the bank's: the same one books once, for whichever merchant.
-- A table of its own, as for the notes: transfers are append-only, and payments have no such reference.
create table operator_references (
  reference text primary key,
  transfer_id bigint not null unique references transfers (id)
);
create trigger append_only before update or delete or truncate on operator_references for each statement execute function refuse_change();

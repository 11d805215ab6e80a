-- migration: expand
-- locks: rail_references share
-- rewrites: none
-- reads: rail_references
-- What payers read beside a payment is what its merchant calls it. Two orders must not share it while one list of payments
-- can bring either: the one that reserves it first has it, the other gets a suffix. Orders that went out before have
-- none: they are found by the hash of their id.
create table payer_references (
  -- Whose list of payments: a short code, which several installations may have.
  scope text not null,
  -- In upper case: the operator may write it in any.
  reference text not null,
  transaction_id bigint not null,
  reserved_until timestamptz not null,
  primary key (scope, reference)
);
create index on payer_references (reserved_until);

-- Statements write it in any case too.
create index rail_references_of_payers on rail_references (upper(reference)) where name = 'AccountReference';

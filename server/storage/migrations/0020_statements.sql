-- migration: expand
-- locks: accounts access exclusive, rail_references share
-- rewrites: none
-- reads: accounts, rail_references
-- What operators' statements say, held against our book. The room for an installation in the names of accounts: what is at an operator,
-- what it took for itself and what nobody has explained is reckoned per installation. Accounts of before have none, and keep their names.
alter table accounts add column installation text not null default '';
alter table accounts add unique (kind, currency, merchant_id, provider_code, installation);
alter table accounts drop constraint accounts_kind_currency_merchant_id_provider_code_key;
alter table accounts drop constraint accounts_check;
alter table accounts add constraint accounts_check
  check (balance_minor >= 0 or kind in ('rail', 'operator', 'fee', 'suspense'));

-- Orders are looked through by their time when a statement comes, and by nobody else.
create index on rail_references using brin (recorded_at);

-- Every reading of a statement, also one that brought nothing new.
create table statement_imports (
  id bigint generated always as identity primary key,
  installation text not null,
  -- csv, camt.053 or pull.
  form text not null,
  -- Of the file; of a pull the period that was asked for.
  name text not null,
  digest bytea,
  imported_at timestamptz not null,
  lines bigint not null,
  new_lines bigint not null,
  skipped bigint not null,
  first_at timestamptz,
  last_at timestamptz
);
create index on statement_imports (installation, id);

-- What an operator says that it moved. Never changed but in what we make of it.
create table statement_lines (
  id bigint generated always as identity primary key,
  installation text not null,
  -- The operator's own name of the movement, and ours where the line has one.
  reference text not null,
  our_reference text,
  direction text not null check (direction in ('in', 'out')),
  -- Zero where the line tells a fee and nothing else.
  amount_minor bigint not null check (amount_minor >= 0),
  fee_minor bigint not null,
  -- What the fee should be, by the settings of the time; absent: whatever it is.
  expected_fee_minor bigint,
  currency text not null,
  at timestamptz not null,
  -- The how manieth of its kind in one file: a second one is a second movement, in another file it is the same.
  occurrence integer not null,
  import_id bigint not null,
  line_number bigint not null,
  transaction_id bigint,
  fee_transfer_id bigint,
  -- Its order was told of it.
  reported_at timestamptz,
  -- Nothing is open about it.
  settled_at timestamptz,
  unique (installation, reference, direction, amount_minor, occurrence)
);
create index on statement_lines (transaction_id) where transaction_id is not null;
create index on statement_lines (installation, at);
create index statement_lines_open on statement_lines (installation, id) where settled_at is null;
create index statement_lines_fees on statement_lines (installation, id) where fee_minor <> 0 and fee_transfer_id is null;

-- What does not agree. Each stays open until the next statement explains it or an operator ends it with a reason.
create table reconciliation_exceptions (
  id bigint generated always as identity primary key,
  installation text not null,
  kind text not null,
  transaction_id bigint,
  line_id bigint,
  currency text not null,
  -- What our book and the statement say, where they can be compared: in minor units.
  expected_minor bigint,
  found_minor bigint,
  -- What waits on the suspense account because of it; below zero it is missing.
  suspense_minor bigint not null,
  -- Which account was put right by that.
  corrected text not null check (corrected in ('rail', 'fee')),
  provider_code text,
  opened_at timestamptz not null,
  opening_transfer_id bigint,
  ended_at timestamptz,
  -- `reconcile`, or who decided.
  ended_by text,
  reason text,
  -- What became of the money: back where it came from, or where an operator let it go.
  closing_transfer_id bigint,
  moved_to text,
  -- What was ended by an operator and then came about after all: this one takes back what that one had booked.
  overtakes bigint unique references reconciliation_exceptions (id),
  check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (reason is null))
);
create unique index reconciliation_exceptions_open on reconciliation_exceptions
  (installation, kind, coalesce(transaction_id, 0), coalesce(line_id, 0)) where ended_at is null and overtakes is null;
create index on reconciliation_exceptions (transaction_id) where transaction_id is not null;
create index on reconciliation_exceptions (line_id) where line_id is not null;

-- How far an installation was reconciled: up to when its statements are said to be complete, and which ends of payments were held against them.
create table reconciliations (
  installation text primary key,
  complete_until timestamptz not null,
  judged_from timestamptz not null,
  judged_until timestamptz not null,
  reconciled_at timestamptz not null
);

-- An installation's money by our book and by the operator, as it was last told.
create table rail_balances (
  installation text not null,
  currency text not null,
  -- When a process last began to ask: the others leave it alone for a while.
  asked_at timestamptz not null,
  ledger_minor bigint,
  operator_minor bigint,
  -- What the operator had before the first look.
  opening_minor bigint,
  -- What neither open orders nor the tolerance explain, and since when.
  unexplained_minor bigint,
  unexplained_since timestamptz,
  checked_at timestamptz,
  primary key (installation, currency)
);

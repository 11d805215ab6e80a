-- migration: expand
-- locks: unrequested_payments access exclusive
-- rewrites: none
-- reads: none

-- Collections that their customers start by paying under a reference, with what they may pay.
create table expected_payments (
  transaction_id bigint primary key,
  -- The rail account whose messages report the payment, or the name of a simulated operator.
  paid_to text not null,
  -- The rail account in the books; null: none.
  rail_account text,
  receipt_name text not null,
  -- Upper case, without blanks and hyphens.
  reference text not null,
  min_minor bigint not null check (min_minor > 0),
  max_minor bigint not null check (max_minor >= min_minor),
  charge_bps integer not null,
  charge_flat_minor bigint not null,
  expires_at timestamptz not null,
  is_open boolean not null default true
);
create unique index expected_payments_open on expected_payments (paid_to, reference) where is_open;
create index expected_payments_by_reference on expected_payments (paid_to, reference, transaction_id);

-- The collection that the payment belongs to: its own, or one that had no use for it.
alter table unrequested_payments add column transaction_id bigint;

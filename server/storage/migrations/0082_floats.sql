-- migration: expand
-- locks: rail_balances access exclusive
-- rewrites: none
-- reads: none

alter table rail_balances
  -- What payouts may take: what the operator reported last, without the orders that it may not have paid by then, and
  -- without what was handed over since. Null: the operator does not say what it pays from.
  add column float_minor bigint,
  -- All that was ever handed over, and what of it when the balance was read last.
  add column handed_minor bigint not null default 0,
  add column handed_when_read_minor bigint not null default 0,
  -- An average of what is handed over in a day, which counts from then on.
  add column spent_minor bigint not null default 0,
  add column spent_since timestamptz,
  -- Below this, people must act; null: nobody has said so.
  add column float_low_minor bigint;

-- Payouts that wait for their operator. What has ended or been sent meanwhile is recognized by its message, and removed
-- after a while.
create table payout_waits (
  transaction_id bigint primary key,
  rail_account text not null,
  merchant_id bigint not null,
  amount_minor bigint not null,
  created_at timestamptz not null,
  reason text not null check (reason in ('float', 'operator')),
  since timestamptz not null
);
create index on payout_waits (rail_account, created_at);

-- migration: expand
-- locks: rail_questions access exclusive, unrequested_payments access exclusive
-- rewrites: none
-- reads: unrequested_payments

-- Absent: only a message claims the payment, and nothing is booked until the operator or a statement confirms it.
alter table unrequested_payments alter column line_id drop not null;
create index on unrequested_payments (recorded_at) where line_id is null;

-- Our books when a question about balances began: its answer is about that time, or later.
alter table rail_questions
  add column ledger_minor bigint,
  add column open_in_minor bigint,
  add column open_out_minor bigint,
  add column handed_minor bigint;

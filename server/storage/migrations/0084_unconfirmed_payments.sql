-- migration: expand
-- locks: unrequested_payments access exclusive
-- rewrites: none
-- reads: unrequested_payments

-- Absent: only a message claims the payment, and nothing is booked until the operator or a statement confirms it.
alter table unrequested_payments alter column line_id drop not null;
create index on unrequested_payments (recorded_at) where line_id is null;

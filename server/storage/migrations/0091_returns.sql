-- migration: expand
-- locks: transactions access exclusive
-- rewrites: none
-- reads: none

-- What gives back money that lies on suspense is a transaction of a type of its own: its merchant neither pays for it
-- nor hears of it, so nothing that adds up refunds counts it. Validated by the next.
alter table transactions drop constraint transactions_type_check;
alter table transactions add constraint transactions_type_check
  check (type in ('COLLECTION', 'PAYOUT', 'REFUND', 'ATTEMPT', 'RETURN')) not valid;

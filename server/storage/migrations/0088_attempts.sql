-- migration: expand
-- locks: merchants access exclusive, payment_sessions access exclusive, transactions access exclusive
-- rewrites: none
-- reads: none

-- On the payment page, a collection may be tried more than once. Each attempt is a transaction of its own type, with its
-- own rail order and its own claim of the limits; the collection itself then has no order until one of them has paid.
alter table transactions drop constraint transactions_type_check;
alter table transactions add constraint transactions_type_check
  check (type in ('COLLECTION', 'PAYOUT', 'REFUND', 'ATTEMPT')) not valid;

create table collection_attempts (
  transaction_id bigint primary key,
  collection_id bigint not null,
  -- From 1.
  number smallint not null,
  unique (collection_id, number)
);

-- Set where its customer may try again. Null: not.
alter table payment_sessions add column retries boolean;
alter table payment_sessions drop constraint payment_sessions_awaits_check;
alter table payment_sessions add constraint payment_sessions_awaits_check
  check (awaits in ('confirmation', 'otp', 'retry', 'nothing')) not valid;

-- Whether customers of this merchant may try again on the payment page after a failure.
alter table merchants add column page_retries boolean not null default false;

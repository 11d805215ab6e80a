-- migration: expand
-- locks: merchants access exclusive, payment_options access exclusive, transactions access exclusive
-- rewrites: none
-- reads: none

-- A refund is a transaction of its own type. Here is what it gives back, and how: fixed at its acceptance.
alter table transactions add column refund json;
alter table transactions drop constraint transactions_type_check;
alter table transactions add constraint transactions_type_check
  check (type in ('COLLECTION', 'PAYOUT', 'REFUND')) not valid;

-- The refunds of a collection. A table of its own, because an index on all transactions would cost every payment.
create table refunds (
  collection_id bigint not null,
  transaction_id bigint not null,
  primary key (collection_id, transaction_id)
);

alter table merchants
  add column refund_callback_url text,
  -- Whether a collection may be refunded by a payout where its operator has no such refund.
  add column refunds_by_payout boolean not null default false;

-- Whether the charge of a refunded collection goes back too.
alter table payment_options add column refunds_charge boolean not null default false;

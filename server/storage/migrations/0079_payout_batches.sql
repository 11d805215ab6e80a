-- migration: expand
-- locks: merchants share row exclusive
-- rewrites: none
-- reads: none

-- Payouts that were accepted together: the references of batches are apart from those of payments.
create table payout_batches (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants (id),
  reference text not null,
  -- The batch whose failed payouts this one tries again.
  retry_of bigint references payout_batches (id),
  created_at timestamptz not null,
  -- When every payout was final, and the batch callback was stored.
  finished_at timestamptz,
  unique (merchant_id, reference)
);

create table payout_batch_rows (
  batch_id bigint not null references payout_batches (id),
  line integer not null,
  transaction_id bigint not null unique,
  -- The failed payout that this one tries again: each is tried again once.
  retry_of bigint unique,
  primary key (batch_id, line)
);

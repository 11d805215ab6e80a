-- migration: expand
-- locks: transactions access exclusive
-- rewrites: none
-- reads: none
-- Where a bank payout goes, beside the account number.
alter table transactions add column bank_code text, add column branch_code text;

-- Every question to a merchant's verification URL, as every callback attempt is kept.
create table handshake_attempts (
  transaction_id bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  primary key (transaction_id, attempt)
);

-- migration: expand
-- locks: payment_options access exclusive
-- rewrites: none
-- reads: payment_options
-- What a customer still has to do for a PENDING collection: confirm on the payment page, enter a one-time password, or nothing any more.
create table payment_sessions (
  transaction_id bigint primary key,
  awaits text not null check (awaits in ('confirmation', 'otp', 'nothing')),
  expires_at timestamptz not null,
  otp_tries_left integer not null check (otp_tries_left >= 0),
  -- A keyed digest: the password itself is nowhere.
  otp_digest bytea,
  otp_sent_at timestamptz,
  otp_sends integer not null default 0
);

-- Credit of a provider may be uncleared for a while, and a part of it may be kept as a rolling reserve.
alter table payment_options
  add column clearing_delay_seconds integer not null default 0 check (clearing_delay_seconds between 0 and 31536000),
  add column reserve_bps integer not null default 0 check (reserve_bps between 0 and 10000),
  add column reserve_seconds integer not null default 0 check (reserve_seconds between 0 and 31536000);

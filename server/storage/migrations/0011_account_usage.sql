-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- What counts toward the bounds of an account number, whoever's payment it is: one-time passwords sent to it, wrong ones entered for it, and open
-- payment pages. A row counts until a moment that is known when it is written; none of it belongs to the history.
create table account_usage (
  account text not null,
  kind text not null check (kind in ('otp_send', 'otp_wrong', 'open_page')),
  transaction_id bigint not null,
  -- The which of its kind for this transaction, from 1.
  number integer not null,
  counts_until timestamptz not null,
  primary key (account, kind, transaction_id, number)
);
create index on account_usage (counts_until);

-- Payment pages count toward the daily limit when their customer confirms: what was counted when they were made is given back until then.
delete from limit_usage u using payment_sessions s where s.transaction_id = u.transaction_id and s.awaits = 'confirmation';

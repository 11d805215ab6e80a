-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none

-- Messages of operators with one address for all orders of a rail account: sealed until they are read, and kept without
-- their text so that a repeated one is known.
create table account_messages (
  id bigint generated always as identity primary key,
  rail_account text not null,
  tail text not null,
  method text not null,
  digest bytea not null,
  sealed_body bytea,
  received_at timestamptz not null,
  result text,
  read_at timestamptz,
  unique (rail_account, tail, digest)
);
create index account_messages_waiting on account_messages (rail_account) where sealed_body is not null;
create index on account_messages using brin (received_at);

-- Money that somebody paid without an order of ours, by the operator's message. It lies on suspense, with a doubtful
-- line of the statement and an exception, until a statement or a person explains it.
create table unrequested_payments (
  rail_account text not null,
  receipt text not null,
  -- Its row in statement_lines.
  line_id bigint not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- As the operator writes it: a number, a part of one, or a hash.
  account text,
  -- What the payer typed.
  reference text,
  paid_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (rail_account, receipt)
);

-- Our questions about a whole rail account that the operator answers by a message: an answer to anything else is not
-- believed.
create table rail_questions (
  rail_account text not null,
  question text not null,
  asked_at timestamptz not null,
  primary key (rail_account, question)
);

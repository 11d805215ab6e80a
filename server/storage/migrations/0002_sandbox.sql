-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- The sandbox's own things, kept apart from the gateway's: the book of the simulated rails and what the built-in inbox received.

create schema sandbox;

-- What the simulated operators remember. It survives our crashes, as theirs would, and counts what really moved per reference.
create table sandbox.orders (
  reference text primary key,
  account text not null,
  amount_minor bigint not null,
  currency text not null,
  tries integer not null,
  accepted_at timestamptz,
  transfers integer not null default 0
);

-- Results the simulated operators report, again and again until the gateway acknowledges them.
create table sandbox.reports (
  id bigint generated always as identity primary key,
  reference text not null,
  due_at timestamptz not null,
  status text not null,
  reason text,
  acknowledged_at timestamptz
);
create index on sandbox.reports (due_at) where acknowledged_at is null;
create index on sandbox.reports (reference, due_at);

-- The newest messages that the built-in inbox received; the body is kept byte for byte, because signatures cover bytes.
create table sandbox.inbox (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  kind text not null check (kind in ('callback', 'handshake')),
  merchant_reference text,
  webhook_id text,
  -- 2 when it came for the second time: the same webhook_id again.
  delivery integer not null,
  answered integer not null,
  -- Name of the merchant whose keys fit.
  signer text,
  summary json not null,
  headers json not null,
  checks json not null,
  body bytea not null
);
create index on sandbox.inbox (merchant_reference, id);
create index on sandbox.inbox (webhook_id);

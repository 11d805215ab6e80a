-- migration: expand
-- locks: database_mode access exclusive, providers access exclusive, transactions access exclusive
-- rewrites: none
-- reads: database_mode
-- Connections to operators. What is secret among the settings is sealed; the token is part of the address at which the operator reports.
create table rail_installations (
  name text primary key,
  rail text not null,
  -- Which of the operator's worlds: live mode takes production only, the other modes never do.
  environment text not null check (environment in ('production', 'trial')),
  currency text not null,
  base_url text not null,
  callback_token text not null unique,
  settings json not null,
  sealed_settings bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Kept for what was handed to it: its name is never given again.
  removed_at timestamptz
);
create trigger bump_version after insert or update or delete on rail_installations
  for each statement execute function bump_reference_version();

alter table providers add column installation text references rail_installations (name);

-- Which installation got an order: it alone may be asked about it, wherever its provider leads by then.
alter table transactions add column rail_installation text;

-- What an order is called on both sides of an installation: our id, their receipts and request ids. Simulated orders have none.
create table rail_references (
  transaction_id bigint not null,
  installation text not null,
  name text not null,
  reference text not null,
  recorded_at timestamptz not null,
  primary key (transaction_id, name, reference)
);
create index on rail_references (reference);

-- What operators told us without being asked, stored before it is looked at; the text is sealed until then and goes with that: what support may see
-- of it is in operator_exchanges, masked.
create table rail_callbacks (
  id bigint generated always as identity primary key,
  installation text not null,
  transaction_id bigint not null,
  order_id text not null,
  tail text not null,
  method text not null,
  digest bytea not null,
  sealed_body bytea,
  received_at timestamptz not null,
  -- What became of it, and when: absent while it waits.
  result text,
  read_at timestamptz,
  -- The same message again is the same message.
  unique (order_id, tail, digest)
);
create index on rail_callbacks (transaction_id);
create index on rail_callbacks using brin (received_at);

alter table database_mode drop constraint database_mode_mode_check;
alter table database_mode add check (mode in ('sandbox', 'rehearsal', 'live'));

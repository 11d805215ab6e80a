-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- What was said between us and operators, masked, for support. No part of a payment's history: written beside it, and removed after 90 days.
create table operator_exchanges (
  id bigint generated always as identity primary key,
  installation text not null,
  purpose text not null,
  order_id text,
  at timestamptz not null,
  duration_ms integer not null,
  method text not null,
  path text not null,
  request text not null,
  status integer,
  reply text,
  error text
);
create index on operator_exchanges (order_id) where order_id is not null;
create index on operator_exchanges (at);

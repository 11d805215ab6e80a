-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none

-- How far the sandbox's clock is ahead of the database's: one row, and it only grows. While one process advances it, the
-- others run no jobs (server/local/sandbox/virtual-clock.ts).
create table sandbox.clock (
  only_row boolean primary key default true check (only_row),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  mover uuid,
  -- In real time: a process that was killed meanwhile stops nobody for long.
  moving_until timestamptz
);
insert into sandbox.clock default values;

-- What simulated operators and a merchant's callbacks do, as its own file says.
create table sandbox.scenarios (
  merchant_id bigint primary key,
  document json not null,
  loaded_at timestamptz not null
);
-- The orders that a rule of it has met, numbered.
create table sandbox.scenario_orders (
  merchant_id bigint not null,
  rule integer not null,
  reference text not null,
  number integer not null,
  primary key (merchant_id, rule, reference)
);

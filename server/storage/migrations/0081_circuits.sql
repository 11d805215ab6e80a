-- migration: expand
-- locks: processes share row exclusive
-- rewrites: none
-- reads: none

-- The circuits that are not closed, each as one process sees it: the rows of a process that has ended say nothing.
create table rail_circuits (
  rail_account text not null,
  process_id uuid not null references processes (id) on delete cascade,
  state text not null check (state in ('open', 'half_open')),
  since timestamptz not null,
  next_try_at timestamptz,
  -- How the last call failed, without customer data.
  last_error text,
  primary key (rail_account, process_id)
);
create index on rail_circuits (process_id);

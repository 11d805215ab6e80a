-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- Which processes run, and which migrations each of them knows (server/storage/processes.ts): what would break one of
-- them waits until it has ended. A process says every few seconds that it is there.
create table processes (
  id uuid primary key,
  role text not null,
  host text not null,
  pid integer not null,
  knows text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

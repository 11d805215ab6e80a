-- migration: expand
-- locks: people share row exclusive, reconciliation_exceptions access exclusive
-- rewrites: none
-- reads: none

-- Who looks into a difference.
alter table reconciliation_exceptions add column assignee_id bigint references people (id);

-- What people write down about a difference until it ends.
create table exception_notes (
  id bigint generated always as identity primary key,
  exception_id bigint not null references reconciliation_exceptions (id),
  at timestamptz not null,
  author text not null,
  note text not null
);
create index on exception_notes (exception_id, id);
create trigger append_only before update or delete or truncate on exception_notes
  for each statement execute function refuse_change();

-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- Who has changed a connection to an operator, and what: names of settings, and values of those that are no secret.
create table installation_changes (
  id bigint generated always as identity primary key,
  installation text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  what text not null
);
create index on installation_changes (installation, id);
create trigger append_only before update or delete or truncate on installation_changes
  for each statement execute function refuse_change();

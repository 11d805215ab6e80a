-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- What people change by commands: money, keys, limits and settings, each with who, why, and what it was before. An entry is
-- committed together with its change.
create table staff_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Who was logged in where the command ran.
  os_user text not null,
  command text not null,
  -- What was changed: a merchant's public key, a provider, a transaction.
  subject text not null,
  -- Values by name, only those that differ; no secret is among them.
  old jsonb not null,
  new jsonb not null,
  reason text not null check (length(reason) between 3 and 500),
  reference text
);
create index staff_actions_by_subject on staff_actions (subject, id);
create trigger append_only before update or delete or truncate on staff_actions for each statement execute function refuse_change();

-- migration: expand
-- locks: merchants share row exclusive
-- rewrites: none
-- reads: staff_actions

-- Staff, and people of merchants. Nobody is deleted: the audit log names them.
create table people (
  id bigint generated always as identity primary key,
  merchant_id bigint references merchants (id), -- null: staff
  email text not null unique check (email = lower(email)),
  name text not null,
  role text not null,
  created_at timestamptz not null,
  ended_at timestamptz, -- set: access has ended
  constraint people_role check (role in ('finance', 'developer', 'read-only')
    or (role in ('admin', 'support') and merchant_id is null) or (role = 'owner' and merchant_id is not null))
);

-- What a person presents to the command line, as digests: a one-time code to log in with, and the token of a login.
create table person_tokens (
  digest bytea primary key check (length(digest) = 32),
  person_id bigint not null references people (id),
  kind text not null check (kind in ('login_code', 'cli')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on person_tokens (person_id);

-- Every change by a person, committed together with the change. Replaces staff_actions, which only commands wrote.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('staff', 'merchant', 'os_user', 'break_glass')),
  actor text not null,
  role text,
  person_id bigint references people (id),
  -- The client's, or the host that the command ran on.
  address text,
  -- The operation, in the words of the command line.
  command text not null,
  -- What was changed: a merchant's public key, a provider, a transaction.
  subject text not null,
  merchant_id bigint, -- the merchant that it concerns
  -- Values by name, only those that differ; none of them is secret.
  old jsonb not null,
  new jsonb not null,
  -- Null only for what adds something and so takes nothing from anybody.
  reason text check (length(reason) between 3 and 500),
  reference text,
  request_id text,
  -- The link of the hash chain that holds this entry alone (server/admin/queries/audit-chain.ts). Null: older than the
  -- chain.
  seq bigint unique,
  hash bytea check (length(hash) = 32),
  check ((seq is null) = (hash is null)),
  check ((person_id is not null) = (actor_kind in ('staff', 'merchant')))
);
create index audit_log_by_subject on audit_log (subject, id);
create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

insert into audit_log (id, at, actor_kind, actor, command, subject, old, new, reason, reference)
  overriding system value
  select id, at, 'os_user', os_user, command, subject, old, new, reason, reference from staff_actions;
select setval(pg_get_serial_sequence('audit_log', 'id'), coalesce(max(id), 1), max(id) is not null) from audit_log;

-- Whoever holds the lock of this row adds to the audit log, and changes people: so an entry is never made by somebody
-- whose access has just ended.
create table audit_chain (
  only_one boolean primary key default true check (only_one),
  unchained bigint not null -- entries that are older than the chain
);
insert into audit_chain (unchained) select count(*) from audit_log;

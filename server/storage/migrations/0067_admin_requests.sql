-- migration: expand
-- locks: people share row exclusive
-- rewrites: none
-- reads: none

-- Idempotency keys of people: what they change by the admin API and the console happens once.
create table admin_requests (
  person_id bigint not null references people (id),
  key text not null,
  operation text not null,
  digest text not null,
  outcome jsonb,
  at timestamptz not null,
  primary key (person_id, key)
);

-- migration: expand
-- locks: people share row exclusive
-- rewrites: none
-- reads: none

-- How people sign in (server/admin/sign-in). Nothing here opens anything by itself: passwords are hashed by scrypt,
-- tokens, links and recovery codes are digests, and codes of an app are computed from a seed and the digest key.

create table sign_in_credentials (
  person_id bigint primary key references people (id),
  password_hash text,
  totp_seed bytea,
  -- The time step of the last code that was accepted: a code works once.
  totp_step bigint not null default 0,
  -- Issuer and subject at the company's identity provider, bound at the first sign-in: an address that is given to
  -- another person later does not bring the account along.
  oidc_subject text unique
);

create table passkeys (
  id text primary key,
  person_id bigint not null references people (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id);

-- Deleted when used.
create table recovery_codes (
  person_id bigint not null references people (id),
  digest bytea not null,
  primary key (person_id, digest)
);

-- Links, challenges of passkeys and logins at the identity provider: each is deleted when it is used.
create table sign_in_tokens (
  digest bytea primary key,
  purpose text not null check (purpose in ('invite', 'reset', 'renew', 'passkey', 'oidc')),
  person_id bigint references people (id),
  -- What only the server needs to know to accept it.
  detail text,
  expires_at timestamptz not null
);
create index sign_in_tokens_by_person on sign_in_tokens (person_id);
create index sign_in_tokens_by_end on sign_in_tokens (expires_at);

create table sessions (
  id bigint generated always as identity primary key,
  digest bytea not null unique,
  person_id bigint not null references people (id),
  -- At sign-in: a session ends when the role of its person changes, whatever changed it.
  role text not null,
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  seen_at timestamptz not null,
  address text not null,
  browser text not null
);
create index sessions_by_person on sessions (person_id);
create index sessions_by_start on sessions (created_at);

-- Failed attempts to sign in, by a keyed digest of what they are counted for.
create table sign_in_failures (
  bucket bytea primary key,
  failures integer not null,
  expires_at timestamptz not null
);
create index sign_in_failures_by_end on sign_in_failures (expires_at);

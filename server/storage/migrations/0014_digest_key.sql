-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- What digests are keyed with (storage/digests.ts), sealed: a new master key reseals it and changes no digest.
create table digest_key (
  only_row boolean primary key default true check (only_row),
  sealed bytea not null,
  created_at timestamptz not null
);

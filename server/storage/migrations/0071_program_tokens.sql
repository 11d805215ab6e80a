-- migration: expand
-- locks: person_tokens access exclusive
-- rewrites: none
-- reads: person_tokens

-- A person's token for programs has the name that they gave it. When a token was last used is noted once a minute.
alter table person_tokens add column name text check (length(name) between 1 and 60), add column used_at timestamptz;

-- migration: expand
-- locks: people share row exclusive
-- rewrites: none
-- reads: none

-- Lists of payments that a person returns to, as the query of their page.
create table saved_views (
  person_id bigint not null references people (id),
  name text not null,
  query text not null,
  saved_at timestamptz not null,
  primary key (person_id, name)
);

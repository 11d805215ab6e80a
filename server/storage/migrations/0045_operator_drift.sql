-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- Where operators' answers and messages differ from their contracts, counted: no value of theirs is in it. The gateway
-- keeps a bounded number of rows of each installation, and removes those that were not seen for 90 days.
create table operator_drift (
  installation text not null,
  source text not null,
  field text not null,
  shape text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  count bigint not null,
  primary key (installation, source, field, shape)
);

-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none

-- The current token of a rail account, where a new one ends the previous one: all processes use the same. The process
-- that fetches the next one holds the claim.
create table rail_tokens (
  rail_account text not null,
  product text not null,
  sealed_token bytea,
  fetched_at timestamptz,
  ends_at timestamptz,
  claimed_until timestamptz,
  primary key (rail_account, product)
);

-- migration: stop
-- locks: rail_callbacks access exclusive, rail_installations access exclusive
-- rewrites: rail_installations
-- reads: rail_installations
-- Each order has a token of its own in the address at which its operator reports, made from a sealed key of its rail
-- account (server/domain/callback-tokens.ts); a server makes the key when it starts. The token that all orders of an
-- account shared becomes its digest, for the orders of before. Older processes gave it away and need it in clear, so they
-- must have stopped. The table is written anew: no file of the database and no copy of one keeps the token.
alter table rail_installations
  drop constraint rail_installations_callback_token_key,
  alter column callback_token drop not null,
  alter column callback_token type bytea using sha256(convert_to(callback_token, 'UTF8'));
alter table rail_installations rename column callback_token to shared_token_digest;
alter table rail_installations
  add column sealed_callback_keys bytea,
  -- Since when no order gets the shared token; absent where none ever had one.
  add column shared_token_retired_at timestamptz default now();
alter table rail_installations alter column shared_token_retired_at drop default;

-- What claims no verdict takes no room from what does.
alter table rail_callbacks add column has_verdict boolean not null default false;

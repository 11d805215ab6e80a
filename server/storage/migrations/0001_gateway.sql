-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- Money is bigint minor units everywhere. Hot tables carry no foreign keys: their ids come from rows read a moment before by this program,
-- and each check would lock one shared row per payment.

-- Reference data: read into memory by every process, which looks at reference_version to know when to read again.

create table reference_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into reference_version (version) values (1);

create function bump_reference_version() returns trigger language plpgsql as $$
begin
  update reference_version set version = version + 1;
  return null;
end $$;

create table merchants (
  id bigint generated always as identity primary key,
  public_key text not null unique,
  name text not null,
  collection_callback_url text,
  payout_callback_url text,
  verification_url text,
  -- The demo merchant's keys are public knowledge: live mode does not load it.
  sandbox_only boolean not null default false,
  created_at timestamptz not null
);

-- A secret key is kept as a digest only. Signing keys and webhook secrets must be used again, so they are sealed (AES-256-GCM, storage/secret-box.ts).
create table merchant_keys (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants (id),
  kind text not null check (kind in ('secret_key', 'signing_key', 'webhook_secret')),
  digest bytea,
  sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  check ((kind = 'secret_key') = (digest is not null) and (kind = 'secret_key') = (sealed is null))
);
create index on merchant_keys (merchant_id);

create table rsa_keys (
  id bigint generated always as identity primary key,
  public_pem text not null,
  sealed_private_pem bytea not null,
  created_at timestamptz not null
);

create table providers (
  code text primary key,
  name text not null,
  method text not null check (method in ('MOBILE_MONEY', 'BANK')),
  currency text not null,
  calling_code text not null,
  prefixes text[] not null,
  asks_for_otp boolean not null default false
);

create table payment_options (
  provider_code text not null references providers (code),
  transaction_type text not null check (transaction_type in ('COLLECTION', 'PAYOUT')),
  min_amount_minor bigint not null check (min_amount_minor > 0),
  max_amount_minor bigint not null check (max_amount_minor >= min_amount_minor),
  max_daily_amount_minor bigint not null check (max_daily_amount_minor >= max_amount_minor),
  charge_bps integer not null check (charge_bps between 0 and 10000),
  charge_flat_minor bigint not null check (charge_flat_minor >= 0),
  is_active boolean not null default true,
  primary key (provider_code, transaction_type)
);

create table banks (
  provider_code text not null references providers (code),
  bank_code text not null,
  bank_name text not null,
  is_active boolean not null default true,
  primary key (provider_code, bank_code)
);

create table merchant_options (
  merchant_id bigint not null references merchants (id),
  provider_code text not null,
  transaction_type text not null,
  primary key (merchant_id, provider_code, transaction_type),
  foreign key (provider_code, transaction_type) references payment_options (provider_code, transaction_type)
);

create table exchange_rates (
  from_currency text not null,
  to_currency text not null,
  rate numeric not null check (rate > 0),
  updated_at timestamptz not null,
  primary key (from_currency, to_currency)
);

do $$
declare reference_table text;
begin
  foreach reference_table in array array['merchants', 'merchant_keys', 'rsa_keys', 'providers', 'payment_options', 'banks', 'merchant_options', 'exchange_rates'] loop
    execute format('create trigger bump_version after insert or update or delete on %I for each statement execute function bump_reference_version()', reference_table);
  end loop;
end $$;

-- Transactions. Uniqueness of references lives in its own narrow table, so that the history can be partitioned by month one day.

create sequence transaction_ids cache 64;

create table transactions (
  id bigint primary key,
  merchant_id bigint not null,
  merchant_reference text not null,
  internal_reference text not null unique,
  type text not null check (type in ('COLLECTION', 'PAYOUT')),
  method text not null check (method in ('MOBILE_MONEY', 'BANK')),
  provider_code text not null,
  account text not null,
  request_currency text not null,
  request_amount_minor bigint not null check (request_amount_minor > 0),
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  charge_minor bigint not null check (charge_minor >= 0),
  total_minor bigint not null check (total_minor >= 0),
  charge_customer boolean not null,
  allow_final_status_change boolean not null,
  customer_name text,
  customer_email text,
  description text not null,
  redirect_url text,
  institution_name text,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  status_message text not null,
  created_at timestamptz not null,
  final_at timestamptz
) with (fillfactor = 85); -- room on the page for the two updates of a life: they touch no index

create table transaction_references (
  merchant_id bigint not null,
  merchant_reference text not null,
  transaction_id bigint not null,
  primary key (merchant_id, merchant_reference)
);

-- The audit trail: every step of a transaction with its time and cause, never changed.
create table transaction_events (
  id bigint generated always as identity primary key,
  transaction_id bigint not null,
  at timestamptz not null,
  kind text not null,
  detail text not null
);
create index on transaction_events (transaction_id, id);

-- What counts toward the daily limit; a row goes when its transaction fails, or after the window.
create table limit_usage (
  provider_code text not null,
  transaction_type text not null,
  account text not null,
  transaction_id bigint not null,
  created_at timestamptz not null,
  amount_minor bigint not null,
  primary key (provider_code, transaction_type, account, transaction_id)
);
create index on limit_usage using brin (created_at);

-- Two requests for one account number must not both see the same free rest of its limit. They lock the same stripe (a hash of provider, type and
-- account), which unlike one lock row per account number costs no insert and never grows.
create table limit_locks (stripe integer primary key);
insert into limit_locks select generate_series(0, 16383);

create table idempotency_keys (
  merchant_id bigint not null,
  key text not null,
  request_digest bytea not null,
  outcome json not null,
  created_at timestamptz not null,
  primary key (merchant_id, key)
);
create index on idempotency_keys using brin (created_at);

-- Work: what is to be done, when. A claim moves due_at to the end of the lease and raises attempt, which is the token that fences late writers.

create table work (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id bigint not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  unique (kind, subject_id)
);
create index on work (kind, due_at);

-- Ledger: append-only double entry. The balances of accounts are kept beside it, in the same commit, and always equal the sum of the entries.

create table accounts (
  id bigint generated always as identity primary key,
  kind text not null,
  currency text not null,
  merchant_id bigint not null default 0,      -- 0: not a merchant's
  provider_code text not null default '',     -- '': not a provider's
  balance_minor bigint not null default 0,
  unique (kind, currency, merchant_id, provider_code),
  -- Only what stands for the world outside may be negative. A wallet never is.
  check (balance_minor >= 0 or kind in ('rail', 'operator'))
);

create sequence transfer_ids;

create table transfers (
  id bigint primary key,
  kind text not null,
  transaction_id bigint,
  created_at timestamptz not null,
  -- The last line of defence against paying twice: one transaction moves money once per kind of transfer.
  unique (kind, transaction_id)
);

create table entries (
  id bigint generated always as identity primary key,
  transfer_id bigint not null,
  account_id bigint not null,
  amount_minor bigint not null check (amount_minor <> 0)
);
create index on entries (account_id);
create index on entries (transfer_id);

create function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare unbalanced bigint;
begin
  -- Per currency too: a transfer never mixes them.
  select e.transfer_id into unbalanced
  from new_entries e join accounts a on a.id = e.account_id
  group by e.transfer_id having sum(e.amount_minor) <> 0 or count(distinct a.currency) > 1 limit 1;
  if found then raise exception 'transfer % does not sum to zero', unbalanced using errcode = 'check_violation'; end if;
  return null;
end $$;
create trigger balanced after insert on entries referencing new table as new_entries
  for each statement execute function refuse_unbalanced_entries();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete or truncate on entries for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on transfers for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on transaction_events for each statement execute function refuse_change();

-- Callbacks: what a merchant is told, and every attempt to tell it.

create table callbacks (
  id bigint generated always as identity primary key,
  webhook_id text not null unique,
  transaction_id bigint not null,
  merchant_id bigint not null,
  event text not null,
  url text not null,
  body text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'STOPPED')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index on callbacks (transaction_id);

create table callback_attempts (
  callback_id bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  reply_excerpt text,
  primary key (callback_id, attempt)
);

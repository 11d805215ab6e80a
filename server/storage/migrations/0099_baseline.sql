-- migration: stop
-- locks: none
-- rewrites: none
-- reads: none
-- The whole schema. It replaces migrations 0059 to 0098, which led to the same schema before the first release; a
-- database that has them is marked (server/storage/baseline.ts). `stop`: their processes do not know this name.
--
-- Money is bigint minor units everywhere. Hot tables have no foreign keys: their ids come from rows that this program
-- has just read, and each check would lock one shared row per payment.

-- ---------------------------------------------------------------------------------------------------------------------
-- Functions of triggers and checks

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Which ids belong to a payment: its transfers and callbacks have an id between these two, and so lie in one partition
-- with it. 794354201395200 is the first id that encodes its time, FIRST_TIME_ID of server/storage/time-ids.ts.
create function first_id_of_payment(id bigint) returns bigint language sql immutable parallel safe
  as $$ select case when id < 794354201395200 then 0 else (id >> 4) << 4 end $$;
create function last_id_of_payment(id bigint) returns bigint language sql immutable parallel safe
  as $$ select case when id < 794354201395200 then 794354201395200 - 1 else id | 15 end $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The database and its processes

-- Simulated payments and real ones never share a ledger: a process of another mode refuses to start
-- (server/storage/database-mode.ts). The process that creates the schema decides.
create table database_mode (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'rehearsal', 'live')),
  decided_at timestamptz not null default now()
);
insert into database_mode (mode) values (current_setting('malipo.mode'));

-- Running processes with their heartbeat, and the migrations that each of them knows (server/storage/processes.ts): a
-- migration that would break one of them waits until it has ended.
create table processes (
  id uuid primary key,
  role text not null,
  host text not null,
  pid integer not null,
  knows text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- How long the oldest due job waits for a worker, as this worker sees it, and when it said so: processes that serve
  -- the API accept no more payments than are finished while it is too long.
  queue_delay_ms integer,
  queue_delay_at timestamptz
);

-- The key of the digests (server/storage/digests.ts), sealed: a new master key reseals it and changes no digest.
create table digest_key (
  only_row boolean primary key default true check (only_row),
  sealed bytea not null,
  created_at timestamptz not null
);

-- Rules that are newer than some of the data: what became final before `since` is exempt.
create table rules_since (
  rule text primary key,
  since timestamptz not null
);
-- Every final transaction has its callback, also while its merchant has no URL.
insert into rules_since (rule, since) values ('callbacks_told', '-infinity');

-- ---------------------------------------------------------------------------------------------------------------------
-- Reference data

-- Platform data is cached as a whole: every process compares the version to know when to reload it. Merchants are
-- cached one by one (server/storage/merchant-cache.ts). `version` counts both.
create table reference_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  platform bigint not null default 1,
  merchants bigint not null default 0
);
insert into reference_version (version) values (1);

create function bump_reference_version() returns trigger language plpgsql as $$
begin
  update reference_version set version = version + 1, platform = platform + 1;
  return null;
end $$;

-- Without gaps: a process that has read up to 7 and finds 9 first knows that 8 was pruned before it polled.
create table merchant_changes (
  version bigint not null,
  merchant_id bigint not null,
  changed_at timestamptz not null default now(),
  primary key (version, merchant_id)
);

-- One version for each transaction, however many rows it changes. The counter's row stays locked until it commits, so
-- versions become visible in order. Row triggers: not every engine has transition tables.
create function tell_merchant_change() returns trigger language plpgsql as $$
declare
  told bigint := nullif(current_setting('malipo.merchants_version', true), '')::bigint;
begin
  if told is null then
    update reference_version set version = version + 1, merchants = merchants + 1 returning merchants into told;
    perform set_config('malipo.merchants_version', told::text, true);
  end if;
  if tg_table_name = 'merchants' then
    insert into merchant_changes (version, merchant_id) values (told, coalesce(new.id, old.id)) on conflict do nothing;
  else
    insert into merchant_changes (version, merchant_id)
      select told, id from unnest(array[new.merchant_id, old.merchant_id]) as id where id is not null
      on conflict do nothing;
  end if;
  return null;
end $$;

create table merchants (
  id bigint generated always as identity primary key,
  public_key text not null unique,
  name text not null,
  collection_callback_url text,
  payout_callback_url text,
  verification_url text,
  -- The demo merchant's keys are public: live mode does not load it.
  sandbox_only boolean not null default false,
  created_at timestamptz not null,
  -- Hosts to which the merchant's customers may be redirected: `shop.example`, or `*.shop.example` for every name below
  -- it. Null: any.
  redirect_hosts text[],
  -- What customers see of the merchant on the payment page (server/domain/brand.ts).
  brand_colour text,
  logo_digest text,
  support_contact text,
  -- While a merchant is suspended, no payment of it is accepted and no payout of it goes to an operator. The time of the
  -- last resumption lets payouts that waited longer than a day still go out.
  suspended_at timestamptz,
  resumed_at timestamptz,
  refund_callback_url text,
  -- Whether a collection may be refunded by a payout where its operator has no such refund.
  refunds_by_payout boolean not null default false,
  -- Whether its customers may try again on the payment page after a failure.
  page_retries boolean not null default false,
  -- Whether one handshake confirms all payouts of a batch.
  batch_handshake boolean not null default false
);

-- A table of its own, because every request looks its merchant up: each browser reads a logo once.
create table merchant_logos (
  digest text primary key,
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);

-- Of a secret key only the digest is stored. Signing keys and webhook secrets are needed again, so they are sealed
-- (AES-256-GCM, server/storage/secret-box.ts).
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

-- The private half of a withdrawn key is destroyed, and its public half is no longer served.
create table rsa_keys (
  id bigint generated always as identity primary key,
  public_pem text not null,
  sealed_private_pem bytea,
  created_at timestamptz not null,
  withdrawn_at timestamptz,
  check ((withdrawn_at is null) = (sealed_private_pem is not null))
);

-- Credentials and settings at operators. The secret settings are sealed.
create table rail_accounts (
  name text primary key,
  rail text not null,
  -- The operator's environment: live mode accepts production only, the other modes never do.
  environment text not null check (environment in ('production', 'trial')),
  currency text not null,
  base_url text not null,
  -- The address at which an operator reports once had one token for all orders. Its digest still verifies messages
  -- about the orders from before `shared_token_retired_at`; both are null where no order ever had it.
  shared_token_digest bytea,
  settings json not null,
  sealed_settings bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The row stays for its orders, so that its name is never reused.
  removed_at timestamptz,
  -- Since when the operator has not answered, as a worker noticed: all processes report it to merchants and customers.
  down_since timestamptz,
  -- Keys of the orders' own tokens (server/domain/callback-tokens.ts); a server creates them when it starts.
  sealed_callback_keys bytea,
  shared_token_retired_at timestamptz
);

-- Who changed a rail account, and what: names of settings, and the values of those that are not secret.
create table rail_account_changes (
  id bigint generated always as identity primary key,
  rail_account text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  what text not null
);
create index on rail_account_changes (rail_account, id);

create table providers (
  code text primary key,
  name text not null,
  method text not null check (method in ('MOBILE_MONEY', 'BANK')),
  currency text not null,
  calling_code text not null,
  prefixes text[] not null,
  requires_otp boolean not null default false,
  rail_account text references rail_accounts (name),
  -- Whether a phone number must begin with one of the prefixes (`strict`), or whether the operator decides (`hint`):
  -- where numbers are ported, a prefix proves no operator.
  prefix_rule text not null default 'strict' check (prefix_rule in ('strict', 'hint'))
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
  -- The credit of a collection may be uncleared for a while, and a part of it may be held as a rolling reserve.
  clearing_delay_seconds integer not null default 0 check (clearing_delay_seconds between 0 and 31536000),
  reserve_bps integer not null default 0 check (reserve_bps between 0 and 10000),
  reserve_seconds integer not null default 0 check (reserve_seconds between 0 and 31536000),
  -- Whether the charge of a refunded collection goes back too.
  refunds_charge boolean not null default false,
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

-- A merchant's own limits and charge for one option. Null: the provider's. Not columns of merchant_options, whose row
-- goes when staff forbid the option for a while.
create table merchant_terms (
  merchant_id bigint not null references merchants (id),
  provider_code text not null,
  transaction_type text not null,
  min_amount_minor bigint check (min_amount_minor > 0),
  max_amount_minor bigint check (max_amount_minor >= coalesce(min_amount_minor, 1)),
  max_daily_amount_minor bigint check (max_daily_amount_minor >= coalesce(max_amount_minor, min_amount_minor, 1)),
  charge_bps integer check (charge_bps between 0 and 10000),
  charge_flat_minor bigint check (charge_flat_minor >= 0),
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
  foreach reference_table in array
    array['rsa_keys', 'providers', 'payment_options', 'banks', 'exchange_rates', 'rail_accounts']
  loop
    execute format('create trigger bump_version after insert or update or delete on %I
      for each statement execute function bump_reference_version()', reference_table);
  end loop;
end $$;
create trigger tell_change after insert or update or delete on merchants
  for each row execute function tell_merchant_change();
create trigger tell_change after insert or update or delete on merchant_options
  for each row execute function tell_merchant_change();
create trigger tell_change after insert or update or delete on merchant_terms
  for each row execute function tell_merchant_change();
-- Not when a secret is resealed: it stays the same secret, and processes that run with the former master key continue
-- with what they have cached.
create trigger tell_change after insert or delete or update of merchant_id, kind, digest, expires_at on merchant_keys
  for each row execute function tell_merchant_change();

-- ---------------------------------------------------------------------------------------------------------------------
-- People, and what they do

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

-- What a person presents to the command line, as digests: a one-time code to log in with, the token of a login, and
-- tokens for programs.
create table person_tokens (
  digest bytea primary key check (length(digest) = 32),
  person_id bigint not null references people (id),
  kind text not null check (kind in ('login_code', 'cli')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of a token for programs: the name that the person gave it.
  name text check (length(name) between 1 and 60),
  -- Noted once a minute.
  used_at timestamptz
);
create index on person_tokens (person_id);

-- Every change by a person, committed together with the change.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- `api`: a merchant's own program, by its keys.
  actor_kind text not null check (actor_kind in ('staff', 'merchant', 'os_user', 'break_glass', 'api')),
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

-- Whoever holds the lock of this row adds to the audit log, and changes people: so an entry is never made by somebody
-- whose access has just ended.
create table audit_chain (
  only_one boolean primary key default true check (only_one),
  unchained bigint not null -- entries that are older than the chain
);
insert into audit_chain (unchained) values (0);

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

-- Four eyes: what waits for a second person. No rule, no approval. Without a merchant a rule covers all of them.
create table approval_rules (
  id bigint generated always as identity primary key,
  operation text not null,
  merchant_id bigint references merchants (id),
  currency text,
  from_minor bigint not null default 0 check (from_minor >= 0),
  created_at timestamptz not null,
  unique nulls not distinct (operation, merchant_id, currency)
);

-- Requests: of a payout, or of a change by staff with the arguments of its command. Rows are kept: they say who approved.
create table approvals (
  id bigint generated always as identity primary key,
  operation text not null,
  merchant_id bigint references merchants (id),
  transaction_id bigint unique,
  command text,
  subject text,
  arguments text[],
  reason text,
  old jsonb,
  new jsonb,
  digest text not null,
  maker text not null,
  maker_person_id bigint references people (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'expired', 'lapsed')),
  decided_at timestamptz,
  decider text,
  decider_person_id bigint references people (id),
  -- The secrets in the input of a request, such as an operator's credentials.
  sealed_input bytea,
  check ((transaction_id is null) = (arguments is not null))
);
create index approvals_waiting on approvals (id) where state = 'waiting';

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

-- Lists of payments that a person returns to, as the query of their page.
create table saved_views (
  person_id bigint not null references people (id),
  name text not null,
  query text not null,
  saved_at timestamptz not null,
  primary key (person_id, name)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- The history: partitioned by month (server/storage/months.ts), each table by the id that encodes the time
-- (server/storage/time-ids.ts). The tables themselves are here, their first partitions below.

-- The months that exist. Two processes that create the same month conflict on its row.
create table history_months (
  month text primary key,
  from_id bigint not null unique,
  until_id bigint not null,
  created_at timestamptz not null,
  -- Its partitions are archived in files.
  archived_at timestamptz,
  -- The transfers that brought an archived month forward, one for each currency.
  opening_transfer_ids bigint[]
);

-- Cache 1: a number that a session held back could repeat within one second.
create sequence transaction_ids cache 1;
create sequence transfer_ids;
create sequence callback_ids;
-- One sequence for all partitions.
create sequence transaction_events_ids;
create sequence entries_ids;

create table transactions (
  id bigint primary key,
  merchant_id bigint not null,
  merchant_reference text not null,
  internal_reference text not null,
  -- ATTEMPT: of a collection that its customer tries again. RETURN: gives back money that lies on suspense; its merchant
  -- neither pays for it nor hears of it.
  type text not null check (type in ('COLLECTION', 'PAYOUT', 'REFUND', 'ATTEMPT', 'RETURN')),
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
  final_at timestamptz,
  -- Where a bank payout goes, beside the account number.
  bank_code text,
  branch_code text,
  -- The rail has paid what is FAILED here, and it could not be booked: staff resolve it.
  rail_paid_at timestamptz,
  -- The id under which the operator knows the rail order, committed before it is sent: an order with an id may have
  -- arrived. No index: every payment would pay for one (its change to PROCESSING would update all the others), and only
  -- staff search by it.
  rail_order_id text,
  -- Why no money moved, for programs: of FAILED and CANCELLED, where a code is known. No check of the value: codes are
  -- added, and an older process must be able to save what a newer one has written. No index: nobody searches by it, and
  -- a change of state would update all the others.
  failure_code text,
  -- The rail account that got the order: it alone may be polled about it, even if its provider uses another one by
  -- then.
  rail_account text,
  -- The trace that the payment is part of (server/tracing), in W3C's form: the span of the request that was accepted.
  -- Null where that trace is not sampled, which is every payment of a gateway without tracing.
  traceparent text,
  -- What a refund gives back, and how: fixed at its acceptance.
  refund json
) partition by range (id);
create index transactions_paid_by_rail on transactions (id) where rail_paid_at is not null;

-- What a merchant is notified of.
create table callbacks (
  -- A callback's id belongs to its transaction's; the sequence is for transactions without a time id.
  id bigint primary key default nextval('callback_ids'),
  webhook_id text not null,
  transaction_id bigint not null,
  merchant_id bigint not null,
  event text not null,
  url text not null,
  -- Null where `packed_body` is used (server/storage/packed-body.ts).
  body text,
  status text not null check (status in ('PENDING', 'DELIVERED', 'STOPPED')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- Staff may send it again: the schedule restarts, and the reply to an attempt from before decides nothing any more.
  resends integer not null default 0,
  attempts_before integer not null default 0,
  packed_body bytea,
  -- What the body reports, for the checks.
  told text,
  constraint callbacks_of_payment
    check (id between first_id_of_payment(transaction_id) and last_id_of_payment(transaction_id))
) partition by range (id);
-- For `callback resend --since`. BRIN: rows come in the order of time, so it costs payments next to nothing.
create index callbacks_by_time on callbacks using brin (created_at);
-- Whether a merchant's URL fails depends on that merchant's own callbacks: without this index, the query for one quiet
-- merchant would scan everybody's.
create index callbacks_of_merchant on callbacks (merchant_id, created_at);

create table callback_attempts (
  callback_id bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  reply_excerpt text,
  -- Where the attempt went, without query and user name, which may contain secrets.
  url text,
  primary key (callback_id, attempt)
) partition by range (callback_id);

-- The audit trail: every step of a transaction with its time and cause, never changed.
create table transaction_events (
  id bigint not null default nextval('transaction_events_ids'),
  transaction_id bigint not null,
  at timestamptz not null,
  kind text not null,
  detail text not null,
  -- Rows are only searched by what they belong to, so that is the first column of the key.
  primary key (transaction_id, id)
) partition by range (transaction_id);
-- BRIN: the ids of one sequence ascend with time, so the ranges of pages are distinct, in a thousandth of the size of a
-- btree.
create index transaction_events_by_id on transaction_events using brin (id) with (autosummarize = on);

-- The ledger: append-only double entry.
create table transfers (
  id bigint primary key,
  kind text not null,
  transaction_id bigint,
  created_at timestamptz not null,
  constraint transfers_of_payment check
    (transaction_id is null or id between first_id_of_payment(transaction_id) and last_id_of_payment(transaction_id))
) partition by range (id);
-- The transfers that staff made: few among very many.
create index transfers_of_operators on transfers (id) where transaction_id is null;
-- Statements of merchants select movements by the time of booking. A payment's transfer has the month of the payment in
-- its id, and may be booked in a later one.
create index transfers_by_time on transfers using brin (created_at) with (autosummarize = on);
-- Statements of merchants find transfers by their payments, which they find from an hour before the period on
-- (server/admin/queries/reports.ts). What moved a wallet later than that is here: few of them.
create index late_transfers on transfers (created_at)
  where created_at - to_timestamp((id >> 22) + 1577836800) > interval '1 hour' and kind not in ('clearing', 'reserve_release');

create table entries (
  id bigint not null default nextval('entries_ids'),
  transfer_id bigint not null,
  account_id bigint not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (transfer_id, id)
) partition by range (transfer_id);
create index entries_by_id on entries using brin (id) with (autosummarize = on);

-- ---------------------------------------------------------------------------------------------------------------------
-- First partitions of the history: ids below the first time id. The constraint of the same name proves to PostgreSQL
-- that the table fits its partition.

create table transactions_before (
  like transactions including defaults including constraints,
  constraint transactions_before check (id < 794354201395200),
  primary key (id),
  constraint transactions_internal_reference_key unique (internal_reference)
) with (fillfactor = 50);
create index transactions_before_paid_by_rail on transactions_before (id) where rail_paid_at is not null;

create table callbacks_before (
  like callbacks including defaults including constraints,
  constraint callbacks_before check (id < 794354201395200),
  primary key (id),
  constraint callbacks_webhook_id_key unique (webhook_id)
) with (fillfactor = 75);
create index callbacks_transaction_id_idx on callbacks_before (transaction_id);
create index callbacks_before_by_time on callbacks_before using brin (created_at);
create index callbacks_before_of_merchant on callbacks_before (merchant_id, created_at);

create table callback_attempts_before (
  like callback_attempts including defaults including constraints,
  constraint callback_attempts_before check (callback_id < 794354201395200),
  primary key (callback_id, attempt)
);

create table transaction_events_before (
  like transaction_events including defaults including constraints,
  constraint transaction_events_before check (transaction_id < 794354201395200),
  primary key (transaction_id, id)
);

create table transfers_before (
  like transfers including defaults including constraints,
  constraint transfers_before check (id < 794354201395200),
  primary key (id),
  -- The last defence against paying twice: a transaction moves money once for each kind of transfer. A time id contains
  -- the kind, so in the other partitions the primary key is that defence.
  constraint transfers_kind_transaction_id_key unique (kind, transaction_id)
);
create index transfers_before_of_operators on transfers_before (id) where transaction_id is null;

create table entries_before (
  like entries including defaults including constraints,
  constraint entries_before check (transfer_id < 794354201395200),
  primary key (transfer_id, id)
);
create index entries_account_id_idx on entries_before (account_id);

do $$
declare history_table text;
begin
  foreach history_table in array
    array['transactions', 'callbacks', 'callback_attempts', 'transaction_events', 'transfers', 'entries']
  loop
    execute format('alter table %I attach partition %I for values from (minvalue) to (794354201395200)',
      history_table, history_table || '_before');
  end loop;
end $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Beside a transaction

-- Uniqueness of references has its own narrow table, because the history is partitioned.
create table transaction_references (
  merchant_id bigint not null,
  merchant_reference text not null,
  transaction_id bigint not null,
  primary key (merchant_id, merchant_reference)
);

create table idempotency_keys (
  merchant_id bigint not null,
  key text not null,
  request_digest bytea not null,
  outcome json not null,
  created_at timestamptz not null,
  primary key (merchant_id, key)
);
create index on idempotency_keys using brin (created_at);

-- What the customer of a PENDING collection still has to do: confirm on the payment page, enter an OTP, try again, or
-- nothing.
create table payment_sessions (
  transaction_id bigint primary key,
  awaits text not null check (awaits in ('confirmation', 'otp', 'retry', 'nothing')),
  expires_at timestamptz not null,
  otp_tries_left integer not null check (otp_tries_left >= 0),
  -- A keyed digest: the OTP itself is stored nowhere.
  otp_digest bytea,
  otp_sent_at timestamptz,
  otp_sends integer not null default 0,
  -- Set where its customer may try again. Null: not.
  retries boolean
);

-- On the payment page, a collection may be tried more than once. Each attempt is a transaction of its own type, with its
-- own rail order and its own claim of the limits; the collection itself then has no order until one of them has paid.
create table collection_attempts (
  transaction_id bigint primary key,
  collection_id bigint not null,
  -- From 1.
  number smallint not null,
  unique (collection_id, number)
);

-- Collections that their customers start by paying under a reference, with what they may pay.
create table expected_payments (
  transaction_id bigint primary key,
  -- The rail account whose messages report the payment, or the name of a simulated operator.
  paid_to text not null,
  -- The rail account in the books; null: none.
  rail_account text,
  receipt_name text not null,
  -- Upper case, without blanks and hyphens.
  reference text not null,
  min_minor bigint not null check (min_minor > 0),
  max_minor bigint not null check (max_minor >= min_minor),
  charge_bps integer not null,
  charge_flat_minor bigint not null,
  expires_at timestamptz not null,
  is_open boolean not null default true
);
create unique index expected_payments_open on expected_payments (paid_to, reference) where is_open;
create index expected_payments_by_reference on expected_payments (paid_to, reference, transaction_id);

-- The refunds of a collection. A table of its own, because an index on all transactions would cost every payment.
create table refunds (
  collection_id bigint not null,
  transaction_id bigint not null,
  primary key (collection_id, transaction_id)
);

-- Payouts that were accepted together: the references of batches are apart from those of payments.
create table payout_batches (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants (id),
  reference text not null,
  -- The batch whose failed payouts this one tries again.
  retry_of bigint references payout_batches (id),
  created_at timestamptz not null,
  -- When every payout was final, and the batch callback was stored.
  finished_at timestamptz,
  unique (merchant_id, reference),
  -- waiting, confirmed or refused; null: each payout has a handshake of its own. Fixed when the batch is accepted.
  handshake text
);

create table payout_batch_rows (
  batch_id bigint not null references payout_batches (id),
  line integer not null,
  transaction_id bigint not null unique,
  -- The failed payout that this one tries again: each is tried again once.
  retry_of bigint unique,
  primary key (batch_id, line)
);

-- Every request to a merchant's verification URL.
create table handshake_attempts (
  transaction_id bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error text,
  primary key (transaction_id, attempt)
);

-- What counts toward the daily limit of an account number; a row is deleted when its transaction fails, or after the
-- window. Payment pages count when their customer confirms.
create table limit_usage (
  provider_code text not null,
  transaction_type text not null,
  account text not null,
  transaction_id bigint not null,
  created_at timestamptz not null,
  amount_minor bigint not null,
  -- Each merchant has a share of the limit. Null counts for all merchants together and for none by itself.
  merchant_id bigint,
  primary key (provider_code, transaction_type, account, transaction_id)
);
create index on limit_usage using brin (created_at);

-- Two requests for one account number must not both see the same remainder of its limit. They lock the same stripe (a
-- hash of the account number), which unlike one lock row per account number costs no insert and never grows.
create table limit_locks (stripe integer primary key);
insert into limit_locks select generate_series(0, 16383);

-- What counts toward the bounds of an account number, whichever payment it is for: OTPs sent to it, wrong ones entered
-- for it, open payment pages, approval prompts, and those that were declined or not answered. The time until which a
-- row counts is known when it is written; none of it belongs to the history.
create table account_usage (
  account text not null,
  kind text not null check (kind in ('otp_send', 'otp_wrong', 'open_page', 'prompt', 'prompt_decline')),
  transaction_id bigint not null,
  -- Counts those of one kind for one transaction, from 1.
  number integer not null,
  counts_until timestamptz not null,
  -- As in limit_usage.
  merchant_id bigint,
  primary key (account, kind, transaction_id, number)
);
create index on account_usage (counts_until);

-- ---------------------------------------------------------------------------------------------------------------------
-- Jobs

-- A claim moves due_at to the end of the lease and changes the token, which fences late writers. The token never
-- repeats; the number of attempts, which restarts with every kind of job, is only for the backoff.
create table jobs (
  id bigint generated always as identity,
  kind text not null,
  subject_id bigint not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  token uuid,
  -- How often it has failed for another reason than an unavailable database, and the last reason. It is quarantined,
  -- and blocks nothing else.
  failures integer not null default 0,
  last_error text,
  -- The merchant's server that the job calls, as '<merchant>/<which of its URLs>' (server/domain/destination.ts): a
  -- claim takes a share of each, however long the backlog of one is. '' for jobs that call no merchant's server.
  destination text collate "C" not null default ''
);
-- The only index for a known subject. Beside others that began with the kind, the planner chose one of those while
-- there were few jobs, and the cached plan then scanned the whole backlog of a kind for each job: a worker with 500
-- payments of 800 read 367,000 rows, a third of a second. There is no primary key: nothing searches jobs by id, and one
-- more index costs 340 bytes of WAL for each payment.
create unique index jobs_subject_id_kind_key on jobs (subject_id, kind);
alter table jobs replica identity using index jobs_subject_id_kind_key;
create index on jobs (kind, due_at);
create index on jobs (failures) where failures > 0;
-- The claim steps from one destination to the next, and takes what has been due the longest of each. Other kinds have
-- no destination and do not pay for the index.
create index jobs_by_destination on jobs (kind, destination, due_at) where kind in ('deliverCallback', 'verifyPayout');

-- ---------------------------------------------------------------------------------------------------------------------
-- What is found and counted without reading all payments

-- The callbacks that failed in every attempt, for whoever looks for them. Not an index of callbacks: one that has their
-- state would keep deliveries from updating rows in place. By trigger: an older release writes them as well.
create table stopped_callbacks (callback_id bigint primary key);

create function note_stopped() returns trigger language plpgsql as $$
begin
  if new.status = 'STOPPED' and new.attempts > 0 then
    insert into stopped_callbacks values (new.id) on conflict do nothing;
  else
    delete from stopped_callbacks where callback_id = new.id;
  end if;
  return null;
end $$;
create trigger stopped after update on callbacks for each row
  when (old.status is distinct from new.status and (old.status = 'STOPPED' or new.status = 'STOPPED'))
  execute function note_stopped();

-- Callbacks that have no number among the events of their merchant yet (server/storage/merchant-events.ts). A trigger,
-- because processes of the release before store callbacks too.
create table unnumbered_callbacks (callback_id bigint primary key);
create function note_unnumbered() returns trigger language plpgsql as $$
begin
  insert into public.unnumbered_callbacks (callback_id) select id from new_callbacks;
  return null;
end $$;
create trigger unnumbered after insert on callbacks referencing new table as new_callbacks
  for each statement execute function note_unnumbered();

-- What the callbacks of a merchant told, numbered 1, 2, 3 in the order in which the numbers were given.
create table merchant_events (
  merchant_id bigint not null,
  number bigint not null,
  callback_id bigint not null unique,
  primary key (merchant_id, number)
);

-- The last number of each merchant, and up to which its events were archived with their month.
create table merchant_event_counts (
  merchant_id bigint primary key references merchants (id),
  last bigint not null,
  archived bigint not null default 0
);

-- Whoever holds the lock of this row gives numbers.
create table merchant_event_turn (only_one boolean primary key default true check (only_one));
insert into merchant_event_turn default values;

-- By what staff look for payments: one row for each of a payment's account number, amount, merchant and provider
-- (server/storage/search.ts). A worker writes them in batches after the commit, because indexes on the payments
-- themselves would make each acceptance pay for them. The key is half of a digest, for account numbers a keyed one: the
-- table has no account number in plain text.
create table search_keys (
  key bigint not null,
  transaction_id bigint not null,
  primary key (key, transaction_id)
);
-- The archive deletes the rows of a month.
create index on search_keys using brin (transaction_id) with (autosummarize = on);

-- Payments up to this id have their rows. The next mark may be taken once every transaction up to next_xid has ended:
-- no payment with an id up to next_upto can appear after that.
create table search_mark (
  only_one boolean primary key default true check (only_one),
  upto bigint not null default 0,
  next_upto bigint not null default 0,
  next_xid xid8 not null default '0'
);
insert into search_mark default values;

-- Figures of days that are over, which would otherwise be counted from all their payments (server/admin/queries/day-figures.ts).
create table day_figures (
  -- In UTC.
  day date primary key,
  -- Taken after the day: transactions with a smaller one may have changed a payment of the day without a row below.
  after_xid xid8 not null default pg_current_xact_id(),
  -- Null until they are counted.
  figures json,
  -- The same for each merchant. A process of a release that does not know them counts the others alone: then these are
  -- too old.
  by_merchant json
);

-- The days whose payments were stored or changed after their end: their figures are to be counted again. By trigger: an
-- older release, or anybody by SQL, cannot leave a wrong figure behind.
create table day_changes (day date not null);
create index on day_changes (day);

create function note_day_change() returns trigger language plpgsql as $$
begin
  insert into day_changes values ((new.created_at at time zone 'UTC')::date);
  return null;
end $$;
create trigger late_payment after insert on transactions for each row
  when (new.created_at < date_trunc('day', clock_timestamp(), 'UTC'))
  execute function note_day_change();
create trigger late_change after update on transactions for each row
  when ((old.status, old.amount_minor, old.charge_minor) is distinct from (new.status, new.amount_minor, new.charge_minor)
    and new.created_at < date_trunc('day', clock_timestamp(), 'UTC'))
  execute function note_day_change();

create function forget_by_merchant() returns trigger language plpgsql as $$
begin
  new.by_merchant := null;
  return new;
end $$;
create trigger forget_by_merchant before update of figures on day_figures for each row
  execute function forget_by_merchant();

-- What merchants asked operators about account holders in the last 24 hours, with the answers (sealed): for limits and
-- repeated questions. The audit log has who asked for which masked number.
create table account_holder_queries (
  id bigint generated always as identity primary key,
  merchant_id bigint not null,
  -- Keyed: the number cannot be found from it.
  account_digest bytea not null,
  asked_at timestamptz not null,
  sealed_answer bytea
);
create index account_holder_queries_by_merchant on account_holder_queries (merchant_id, asked_at);
create index account_holder_queries_by_account on account_holder_queries (merchant_id, account_digest, asked_at);
create index account_holder_queries_by_age on account_holder_queries (asked_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- The ledger, beside transfers and entries

-- Balances are updated in the commit of their entries, and always equal the entries' sum.
create table accounts (
  id bigint generated always as identity primary key,
  kind text not null,
  currency text not null,
  merchant_id bigint not null default 0,      -- 0: not a merchant's
  provider_code text not null default '',     -- '': not a provider's
  balance_minor bigint not null default 0,
  rail_account text not null default '',      -- '': not a rail account's
  constraint accounts_identity unique (kind, currency, merchant_id, provider_code, rail_account),
  -- Only the accounts of the outside world may be negative. A wallet never is.
  check (balance_minor >= 0 or kind in ('rail', 'operator', 'fee', 'suspense'))
) with (fillfactor = 50); -- space on the page for HOT updates
-- A merchant's wallets are found by the merchant alone. The unique key begins with the kind: the look-up scanned all of
-- it, 31 ms with 10,000 merchants.
create index accounts_of_merchant on accounts (merchant_id);

-- Names of the schema in trigger functions: a temporary table of a session precedes it in the search path, and whoever
-- creates one must not choose what these functions read.
create function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare unbalanced bigint;
begin
  -- Per currency too: a transfer never mixes them.
  select e.transfer_id into unbalanced
  from new_entries e join public.accounts a on a.id = e.account_id
  group by e.transfer_id having sum(e.amount_minor) <> 0 or count(distinct a.currency) > 1 limit 1;
  if found then raise exception 'transfer % does not sum to zero', unbalanced using errcode = 'check_violation'; end if;
  return null;
end $$;
create trigger balanced after insert on entries referencing new table as new_entries
  for each statement execute function refuse_unbalanced_entries();
create trigger balanced after insert on entries_before referencing new table as new_entries
  for each statement execute function refuse_unbalanced_entries();

-- Why staff moved money, in their own words. A table of its own: transfers are append-only, and payments have no note.
-- It outlives the transfer, whose month may be archived: no foreign key.
create table transfer_notes (
  transfer_id bigint primary key,
  note text not null
);

-- The reference of a deposit or of a transfer between wallets, for example the bank's: each books once, for whichever
-- merchant. It outlives the transfer, as a note does.
create table operator_references (
  reference text primary key,
  transfer_id bigint not null unique
);

-- The cause of a deposit, of a transfer between wallets and of an opening (server/storage/transfer-causes.ts). The
-- lines and exceptions of statements name their transfers themselves.
create table transfer_causes (
  transfer_id bigint primary key,
  kind text not null check (kind in ('staff_action', 'demo_balance', 'archive')),
  -- An entry in audit_log moves money once.
  staff_action_id bigint unique,
  -- The month that an opening brings forward, as in history_months.
  month text,
  check ((kind = 'staff_action') = (staff_action_id is not null) and (kind = 'archive') = (month is not null))
);

-- Entries and events up to these are older than the causes.
create table transfer_causes_since (
  only_one boolean primary key default true check (only_one),
  entry_id bigint not null,
  event_id bigint not null
);
insert into transfer_causes_since (entry_id, event_id) values (0, 0);

-- Deposits, transfers between wallets and openings that are older than the causes. Only the owner can exempt a transfer
-- from having a cause: the runtime role can append to the ledger, under any id.
create table uncaused_transfers (transfer_id bigint primary key);

-- The ledger check continues from its last position instead of the first entry. Two counts of all entries: the one that
-- balances are compared with, and the one that will replace it.
create table ledger_marks (
  kind text primary key check (kind in ('verified', 'recount')),
  -- Entries up to this id are in its sums.
  upto bigint not null default 0,
  -- Of the recount: when the last one ended, whether this one began because a balance was off, and whether the last one
  -- confirmed that.
  ended_at timestamptz,
  doubted boolean not null default false,
  off boolean not null default false
);
insert into ledger_marks (kind) values ('verified'), ('recount');

create table ledger_sums (
  kind text not null,
  account_id bigint not null,
  minor bigint not null,
  primary key (kind, account_id)
);

-- Ids of an entry and an event that were the highest at some time, and the last link of that time: whatever came later
-- is in a later one.
create table ledger_candidates (
  id bigint not null,
  noted_at timestamptz not null,
  event_id bigint not null default 0,
  link_seq bigint not null default 0,
  primary key (id, event_id)
);
insert into ledger_candidates (id, noted_at) values (0, '-infinity');

-- `malipo doctor` examines what has happened since its last clean run. One row, once a run was clean: everything up to
-- these ids was complete and correct.
create table doctor_mark (
  only_one boolean primary key default true check (only_one),
  entry_id bigint not null,
  event_id bigint not null,
  clean_at timestamptz not null,
  link_seq bigint not null default 0
);

-- A hash chain over transfers with their entries, built after their commit (server/storage/ledger-chain.ts).

-- Transfers that are in no link yet, each with its transaction id: those older than the oldest running transaction are
-- complete.
create table unchained_transfers (
  xid xid8 not null,
  transfer_id bigint not null,
  primary key (xid, transfer_id)
);
create function note_unchained() returns trigger language plpgsql as $$
begin
  insert into public.unchained_transfers (xid, transfer_id) select pg_current_xact_id(), id from new_transfers;
  return null;
end $$;
create trigger unchained after insert on transfers referencing new table as new_transfers
  for each statement execute function note_unchained();

-- One row for each batch. Each transfer has its own digest: the chain still verifies when a month is archived, and a
-- changed transfer is named.
create table ledger_links (
  seq bigint primary key check (seq > 0),
  at timestamptz not null,
  transfer_ids bigint[] not null,
  -- 32 bytes for each of them, in the same order.
  digests bytea not null check (length(digests) = 32 * cardinality(transfer_ids)),
  hash bytea not null check (length(hash) = 32),
  -- A doctor that reads a malformed link would fail.
  constraint ledger_links_readable
    check (isfinite(at) and array_ndims(transfer_ids) = 1 and array_position(transfer_ids, null) is null)
);
-- Hashes do not compress.
alter table ledger_links alter digests set storage external;

-- Whoever holds the lock of this row adds links.
create table ledger_chain_turn (only_one boolean primary key default true check (only_one));
insert into ledger_chain_turn default values;

-- ---------------------------------------------------------------------------------------------------------------------
-- Operators

-- The ids of a rail order on both sides: our id, the operator's receipts and request ids. Simulated orders have none.
create table rail_references (
  transaction_id bigint not null,
  rail_account text not null,
  name text not null,
  reference text not null,
  recorded_at timestamptz not null,
  -- Where the id comes from: `own` (from us), `call` (the operator's reply to our call), `statement`, or `message`,
  -- which anybody can write who knows the order's address. Null: stored before origins were. Such an order id binds as
  -- one of a call does, such a receipt as one of a message: neither lets a forged message move money.
  origin text,
  primary key (transaction_id, name, reference)
);
create index on rail_references (reference);
-- An imported statement scans orders by their time.
create index on rail_references using brin (recorded_at);
-- Statements write a payer's reference in any case.
create index rail_references_of_payers on rail_references (upper(reference)) where name = 'AccountReference';

-- Payers read the merchant's reference beside a payment. Two orders that one list of payments can contain must not
-- share it: the one that reserves it first gets it, the other gets a suffix. Orders without one are found by the hash
-- of their id.
create table payer_references (
  -- Whose list of payments: a short code, which several rail accounts may have.
  scope text not null,
  -- In upper case: the operator may write it in any.
  reference text not null,
  transaction_id bigint not null,
  reserved_until timestamptz not null,
  primary key (scope, reference)
);
create index on payer_references (reserved_until);

-- Requests and replies between us and operators, masked, for support. They are not part of a payment's history: written
-- beside it, and removed after 90 days.
create table operator_exchanges (
  id bigint generated always as identity primary key,
  rail_account text not null,
  purpose text not null,
  order_id text,
  at timestamptz not null,
  duration_ms integer not null,
  method text not null,
  path text not null,
  request text not null,
  status integer,
  reply text,
  error text
);
create index on operator_exchanges (order_id) where order_id is not null;
create index on operator_exchanges (at);

-- Operator messages, stored before they are read. The text is sealed until then and deleted after it: what support may
-- read is in operator_exchanges, masked.
create table rail_callbacks (
  id bigint generated always as identity primary key,
  rail_account text not null,
  transaction_id bigint not null,
  order_id text not null,
  tail text not null,
  method text not null,
  digest bytea not null,
  sealed_body bytea,
  received_at timestamptz not null,
  -- The outcome, and when; null while it waits.
  result text,
  read_at timestamptz,
  -- A message without a verdict takes no space from those that have one.
  has_verdict boolean not null default false,
  -- Deduplicates messages.
  unique (order_id, tail, digest)
);
create index on rail_callbacks (transaction_id);
create index on rail_callbacks using brin (received_at);

-- Messages of operators with one address for all orders of a rail account: sealed until they are read, and kept without
-- their text so that a repeated one is known.
create table account_messages (
  id bigint generated always as identity primary key,
  rail_account text not null,
  tail text not null,
  method text not null,
  digest bytea not null,
  sealed_body bytea,
  received_at timestamptz not null,
  result text,
  read_at timestamptz,
  unique (rail_account, tail, digest)
);
create index account_messages_waiting on account_messages (rail_account) where sealed_body is not null;
create index on account_messages using brin (received_at);

-- Money that somebody paid without an order of ours, by the operator's message. It lies on suspense, with a doubtful
-- line of the statement and an exception, until a statement or a person explains it.
create table unrequested_payments (
  rail_account text not null,
  receipt text not null,
  -- Its row in statement_lines. Null: only a message claims the payment, and nothing is booked until the operator or a
  -- statement confirms it.
  line_id bigint,
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- As the operator writes it: a number, a part of one, or a hash.
  account text,
  -- What the payer typed.
  reference text,
  paid_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The collection that the payment belongs to: its own, or one that had no use for it.
  transaction_id bigint,
  primary key (rail_account, receipt)
);
create index on unrequested_payments (recorded_at) where line_id is null;

-- Our questions about a whole rail account that the operator answers by a message: an answer to anything else is not
-- believed.
create table rail_questions (
  rail_account text not null,
  question text not null,
  asked_at timestamptz not null,
  -- Our books when a question about balances began: its answer is about that time, or later.
  ledger_minor bigint,
  open_in_minor bigint,
  open_out_minor bigint,
  handed_minor bigint,
  primary key (rail_account, question)
);

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

-- The circuits that are not closed, each as one process sees it: the rows of a process that has ended say nothing.
create table rail_circuits (
  rail_account text not null,
  process_id uuid not null references processes (id) on delete cascade,
  state text not null check (state in ('open', 'half_open')),
  since timestamptz not null,
  next_try_at timestamptz,
  -- How the last call failed, without customer data.
  last_error text,
  primary key (rail_account, process_id)
);
create index on rail_circuits (process_id);

-- Differences between operators' replies or messages and their contracts, counted without any value. The gateway keeps
-- a bounded number of rows for each rail account, and removes those that were not seen for 90 days.
create table operator_drift (
  rail_account text not null,
  source text not null,
  field text not null,
  shape text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  count bigint not null,
  primary key (rail_account, source, field, shape)
);

-- The money of a rail account, by our ledger and by the operator's last reply.
create table rail_balances (
  rail_account text not null,
  currency text not null,
  -- When a process last began to query: the others skip it for a while.
  asked_at timestamptz not null,
  ledger_minor bigint,
  operator_minor bigint,
  -- What the operator had before the first query.
  opening_minor bigint,
  -- What neither open orders nor the tolerance explain, and since when.
  unexplained_minor bigint,
  unexplained_since timestamptz,
  checked_at timestamptz,
  -- What payouts may take: what the operator reported last, without the orders that it may not have paid by then, and
  -- without what was handed over since. Null: the operator does not say what it pays from.
  float_minor bigint,
  -- All that was ever handed over, and what of it when the balance was read last.
  handed_minor bigint not null default 0,
  handed_when_read_minor bigint not null default 0,
  -- An average of what is handed over in a day, which counts from then on.
  spent_minor bigint not null default 0,
  spent_since timestamptz,
  -- Below this, people must act; null: nobody has said so.
  float_low_minor bigint,
  primary key (rail_account, currency)
);

-- Payouts that wait for their operator. What has ended or been sent meanwhile is recognized by its message, and removed
-- after a while.
create table payout_waits (
  transaction_id bigint primary key,
  rail_account text not null,
  merchant_id bigint not null,
  amount_minor bigint not null,
  created_at timestamptz not null,
  reason text not null check (reason in ('float', 'operator')),
  since timestamptz not null
);
create index on payout_waits (rail_account, created_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Statements and reconciliation

-- Every import of a statement, also one that added nothing.
create table statement_imports (
  id bigint generated always as identity primary key,
  rail_account text not null,
  -- csv, camt.053 or pull.
  form text not null,
  -- Of the file; of a pull, the requested period.
  name text not null,
  digest bytea,
  imported_at timestamptz not null,
  lines bigint not null,
  new_lines bigint not null,
  skipped bigint not null,
  first_at timestamptz,
  last_at timestamptz,
  passed_over bigint not null default 0
);
create index on statement_imports (rail_account, id);

-- A movement according to the operator. Only our conclusions about it ever change.
create table statement_lines (
  id bigint generated always as identity primary key,
  rail_account text not null,
  -- The operator's own name of the movement, and ours where the line has one.
  reference text not null,
  our_reference text,
  -- Direction and amount are null only where there is a doubt.
  direction text check (direction in ('in', 'out')),
  -- Zero where the line reports nothing but a fee.
  amount_minor bigint check (amount_minor >= 0),
  fee_minor bigint not null,
  -- The fee by the settings of the time; null: any.
  expected_fee_minor bigint,
  currency text not null,
  at timestamptz not null,
  -- Numbers equal lines of one file: a second one is a second movement, in another file it is the same.
  occurrence integer not null,
  import_id bigint not null,
  line_number bigint not null,
  transaction_id bigint,
  fee_transfer_id bigint,
  -- Its order was notified of it.
  reported_at timestamptz,
  -- Nothing about it is open.
  settled_at timestamptz,
  -- Null: not known yet. Empty: the statement names none.
  account text,
  -- In the statement's own zone. Null: not known (yet).
  booked_on date,
  -- The period of the statements that contain the line; the end is exclusive. Null: not known.
  period_from timestamp,
  period_to timestamp,
  -- Why the line does not count as a movement: a part of it cannot be read, or it may repeat another line.
  doubt text check (doubt in ('unclear', 'maybe_repeated')),
  note text
);
-- The identity of a movement. Lines from before it was stored have neither account nor day: the next statement that has
-- them fills them in, so that no time zone is guessed. Until then, the old identity holds among them. An import holds
-- the lock of its rail account's row.
create unique index statement_lines_identity on statement_lines
  (rail_account, reference, account, booked_on, direction, amount_minor, occurrence);
create unique index statement_lines_old_identity on statement_lines
  (rail_account, reference, direction, amount_minor, occurrence) where account is null;
create index on statement_lines (transaction_id) where transaction_id is not null;
create index on statement_lines (rail_account, at);
create index statement_lines_open on statement_lines (rail_account, id) where settled_at is null;
create index statement_lines_fees on statement_lines (rail_account, id)
  where fee_minor <> 0 and fee_transfer_id is null;
-- For the doctor, which searches what names a transfer.
create index statement_lines_by_fee_transfer on statement_lines (fee_transfer_id) where fee_transfer_id is not null;

-- Differences. Each stays open until the next statement explains it or staff end it with a reason.
create table reconciliation_exceptions (
  id bigint generated always as identity primary key,
  rail_account text not null,
  kind text not null,
  transaction_id bigint,
  line_id bigint,
  currency text not null,
  -- What our ledger and the statement say, where they can be compared: in minor units.
  expected_minor bigint,
  found_minor bigint,
  -- The amount on the suspense account because of it; negative if money is missing.
  suspense_minor bigint not null,
  -- The account that was corrected by that.
  corrected text not null check (corrected in ('rail', 'fee')),
  provider_code text,
  opened_at timestamptz not null,
  opening_transfer_id bigint,
  ended_at timestamptz,
  -- `reconcile`, or who decided.
  ended_by text,
  reason text,
  -- Where the money went: back to its source, or where staff moved it.
  closing_transfer_id bigint,
  moved_to text,
  -- The exception that staff ended although its movement came after all: this one reverses what that one booked.
  overtakes bigint unique references reconciliation_exceptions (id),
  -- Who looks into it.
  assignee_id bigint references people (id),
  check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (reason is null))
);
create unique index reconciliation_exceptions_open on reconciliation_exceptions
  (rail_account, kind, coalesce(transaction_id, 0), coalesce(line_id, 0)) where ended_at is null and overtakes is null;
create index on reconciliation_exceptions (transaction_id) where transaction_id is not null;
create index on reconciliation_exceptions (line_id) where line_id is not null;
-- For the doctor, which searches what names a transfer.
create index reconciliation_exceptions_by_opening on reconciliation_exceptions (opening_transfer_id)
  where opening_transfer_id is not null;
create index reconciliation_exceptions_by_closing on reconciliation_exceptions (closing_transfer_id)
  where closing_transfer_id is not null;

-- What people write down about a difference until it ends.
create table exception_notes (
  id bigint generated always as identity primary key,
  exception_id bigint not null references reconciliation_exceptions (id),
  at timestamptz not null,
  author text not null,
  note text not null
);
create index on exception_notes (exception_id, id);

-- How far a rail account is reconciled: until when its statements are complete, and which final payments were compared
-- with them.
create table reconciliations (
  rail_account text primary key,
  complete_until timestamptz not null,
  judged_from timestamptz not null,
  judged_until timestamptz not null,
  reconciled_at timestamptz not null
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Append-only: also in the partitions, because a trigger for each statement is not inherited

do $$
declare append_only_table text;
begin
  foreach append_only_table in array array['entries', 'entries_before', 'transfers', 'transfers_before',
    'transaction_events', 'transaction_events_before', 'ledger_links', 'transfer_notes', 'operator_references',
    'transfer_causes', 'transfer_causes_since', 'uncaused_transfers', 'audit_log', 'exception_notes',
    'rail_account_changes']
  loop
    execute format('create trigger append_only before update or delete or truncate on %I
      for each statement execute function refuse_change()', append_only_table);
  end loop;
end $$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The sandbox's own tables, apart from the gateway's

create schema sandbox;

-- What the simulated operators remember. It survives our crashes, as an operator's would, and counts the real transfers
-- for each reference.
create table sandbox.orders (
  reference text primary key,
  account text not null,
  amount_minor bigint not null,
  currency text not null,
  tries integer not null,
  accepted_at timestamptz,
  transfers integer not null default 0
) with (fillfactor = 75); -- space on the page for HOT updates

-- Results that the simulated operators report until the gateway acknowledges them.
create table sandbox.reports (
  id bigint generated always as identity,
  reference text not null,
  due_at timestamptz not null,
  status text not null,
  reason text,
  acknowledged_at timestamptz,
  -- A report that the gateway cannot process is quarantined; its time and outcome stay.
  failures integer not null default 0,
  again_at timestamptz,
  -- Of a failure.
  code text,
  -- Reports are found by their reference.
  primary key (reference, due_at, id)
) with (fillfactor = 50); -- a new version on another page costs a lock record, a second page and the whole row in WAL
create index on sandbox.reports (due_at) where acknowledged_at is null;
create index on sandbox.reports (failures) where failures > 0;

-- The newest messages that the built-in inbox received; the body is stored byte for byte, because signatures cover
-- bytes.
create table sandbox.inbox (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  kind text not null check (kind in ('callback', 'handshake')),
  merchant_reference text,
  webhook_id text,
  -- 2 for the second delivery: the same webhook_id again.
  delivery integer not null,
  answered integer not null,
  -- Name of the merchant whose keys fit.
  signer text,
  summary json not null,
  headers json not null,
  checks json not null,
  body bytea not null,
  -- Whose callback it is: they see it on the page of the test receiver, which stores here in live mode too.
  merchant_id bigint,
  request_line text,
  -- How long the sender waited for the reply; null where the receiver does not know.
  latency_ms integer,
  -- Null: it stays until newer messages replace it.
  expires_at timestamptz
);
create index on sandbox.inbox (merchant_reference, id);
create index on sandbox.inbox (webhook_id);
create index on sandbox.inbox (merchant_id, id) where merchant_id is not null;

-- The ledger of the operators that the sandbox runs on the wire (MALIPO_SANDBOX_RAILS=wire): what each of them
-- accepted, the outcome and whether it was reported, in order. An operator does not forget when a gateway ends.
create table sandbox.operator_journal (
  id bigint generated always as identity primary key,
  operator text not null,
  entry json not null
);
create index on sandbox.operator_journal (operator, id);

-- How far the sandbox's clock is ahead of the database's: one row, and it only grows. While one process advances it, the
-- others run no jobs (server/local/sandbox/virtual-clock.ts).
create table sandbox.clock (
  only_row boolean primary key default true check (only_row),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  mover uuid,
  -- In real time: a process that was killed meanwhile stops nobody for long.
  moving_until timestamptz
);
insert into sandbox.clock default values;

-- What simulated operators and a merchant's callbacks do, as its own file says.
create table sandbox.scenarios (
  merchant_id bigint primary key,
  document json not null,
  loaded_at timestamptz not null
);
-- The orders that a rule of it has met, numbered.
create table sandbox.scenario_orders (
  merchant_id bigint not null,
  rule integer not null,
  reference text not null,
  number integer not null,
  primary key (merchant_id, rule, reference)
);

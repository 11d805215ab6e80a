-- migration: expand
-- locks: merchants share row exclusive, people share row exclusive
-- rewrites: none
-- reads: none

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
  check ((transaction_id is null) = (arguments is not null))
);
create index approvals_waiting on approvals (id) where state = 'waiting';

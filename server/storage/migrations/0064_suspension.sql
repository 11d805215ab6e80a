-- migration: expand
-- locks: merchants access exclusive, payment_options share row exclusive
-- rewrites: none
-- reads: none

-- While a merchant is suspended, no payment of it is accepted and no payout of it goes to an operator. The time of the
-- last resumption lets payouts that waited longer than a day still go out.
alter table merchants add column suspended_at timestamptz, add column resumed_at timestamptz;

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
create trigger tell_change after insert or update or delete on merchant_terms
  for each row execute function tell_merchant_change();

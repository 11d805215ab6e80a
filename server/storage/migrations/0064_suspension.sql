-- migration: expand
-- locks: merchants access exclusive
-- rewrites: none
-- reads: none

-- While a merchant is suspended, no payment of it is accepted and no payout of it goes to an operator. The time of the
-- last resumption lets payouts that waited longer than a day still go out.
alter table merchants add column suspended_at timestamptz, add column resumed_at timestamptz;

-- migration: expand
-- locks: none
-- rewrites: none
-- reads: transactions

-- Proves for the months before it what 0091_returns left unproven: payments go on meanwhile.
alter table transactions validate constraint transactions_type_check;

-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none

-- Payments whose account, amount or provider changed after their acceptance: the search gives them keys once more. It
-- has rows for seconds only.
create table search_again (transaction_id bigint primary key);

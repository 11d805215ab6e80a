-- migration: expand
-- locks: approvals access exclusive
-- rewrites: none
-- reads: none

-- The secrets in the input of a request that waits for a second person, such as an operator's credentials.
alter table approvals add column sealed_input bytea;

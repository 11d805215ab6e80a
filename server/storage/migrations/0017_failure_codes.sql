-- migration: expand
-- locks: sandbox.reports access exclusive, transactions access exclusive
-- rewrites: none
-- reads: none
-- Why no money moved, for programs: of what is FAILED or CANCELLED, where a code is known. What ended before has none.
-- No check of the value: codes are added, and a process of the version before must be able to save what one of the next has written.
-- No index: nobody asks by it, and a change of state would rewrite all others.
alter table transactions add column failure_code text;

-- The simulated operators give one with each failure.
alter table sandbox.reports add column code text;

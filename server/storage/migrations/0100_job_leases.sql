-- migration: stop
-- locks: jobs access exclusive
-- rewrites: none
-- reads: jobs
-- `stop`: a worker of before would claim what another has leased.

-- A claim writes the end of its lease here. No index has this column, so the claim is a HOT update: it changes no index
-- and writes a third of the WAL. Half of each page is kept free for it; the table is small.
alter table jobs add column leased_until timestamptz;
alter table jobs set (fillfactor = 50);
update jobs set leased_until = due_at where token is not null;

-- migration: expand
-- locks: callback_attempts access exclusive
-- rewrites: none
-- reads: transactions
-- Rules that came later than some of the data: what became final before `since` is not held to them.
create table rules_since (
  rule text primary key,
  since timestamptz not null
);

-- From now on every final transaction has its callback, also while its merchant has no URL. What ended before may have none, and so may what
-- processes of the version before still end while this one starts: for that there is an hour. Read before the lock below is taken.
insert into rules_since (rule, since) select 'callbacks_told', coalesce(max(final_at) + interval '1 hour', '-infinity') from transactions;

-- Where each attempt went, as it may be shown: without what its query and user name may hide. Attempts of before do not know it.
alter table callback_attempts add column url text;

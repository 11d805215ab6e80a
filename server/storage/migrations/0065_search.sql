-- migration: expand
-- locks: transfers share
-- rewrites: none
-- reads: transfers

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

-- Statements of merchants select movements by the time of booking. A payment's transfer has the month of the payment in
-- its id, and may be booked in a later one.
create index transfers_by_time on transfers using brin (created_at) with (autosummarize = on);

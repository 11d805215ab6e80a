-- migration: expand
-- locks: entries access exclusive, transaction_events access exclusive
-- rewrites: none
-- reads: entries, transaction_events
-- One index less per row that is written for every payment: rows are only ever asked for by what they belong to, so that comes first in the key.
alter table entries drop constraint entries_pkey, add primary key (transfer_id, id);
drop index entries_transfer_id_idx;
alter table transaction_events drop constraint transaction_events_pkey, add primary key (transaction_id, id);
drop index transaction_events_transaction_id_id_idx;

-- Room on the page for the updates that each of these rows will see: they touch no index then.
alter table callbacks set (fillfactor = 75);
alter table sandbox.orders set (fillfactor = 75);
alter table accounts set (fillfactor = 50);

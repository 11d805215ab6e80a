-- migration: stop
-- locks: callback_attempts access exclusive, callbacks access exclusive, entries access exclusive, operator_references access exclusive, transaction_events access exclusive, transactions access exclusive, transfer_notes access exclusive, transfers access exclusive
-- rewrites: none
-- reads: transfers
-- Makes the tables of the history fit to become the first partition of themselves (0029), without holding anybody up for long.

-- Whatever belongs to one payment (transfers, callbacks) has an id within these two, and so lies in one partition with it.
-- 794354201395200 is the first id that tells its time, FIRST_TIME_ID of server/storage/time-ids.ts.
create function first_id_of_payment(id bigint) returns bigint language sql immutable parallel safe
  as $$ select case when id < 794354201395200 then 0 else (id >> 4) << 4 end $$;
create function last_id_of_payment(id bigint) returns bigint language sql immutable parallel safe
  as $$ select case when id < 794354201395200 then 794354201395200 - 1 else id | 15 end $$;

-- In the order in which payments lock these tables. Not valid: nothing is read now. The first of each pair proves to
-- PostgreSQL that a table fits its partition, so that it need not read it while everybody waits. The second keeps what
-- belongs to a payment in its month; with it a process of the version before, which gives small ids, cannot book for a
-- payment of this version: what it cannot do is done by the next process.
alter table transactions add constraint transactions_before check (id < 794354201395200) not valid;
alter table callbacks add constraint callbacks_before check (id < 794354201395200) not valid;
alter table callbacks add constraint callbacks_of_payment check
  (id between first_id_of_payment(transaction_id) and last_id_of_payment(transaction_id)) not valid;
alter table callback_attempts add constraint callback_attempts_before check (callback_id < 794354201395200) not valid;
alter table transaction_events add constraint transaction_events_before check (transaction_id < 794354201395200) not valid;
alter table transfers add constraint transfers_before check (id < 794354201395200) not valid;
alter table transfers add constraint transfers_of_payment check
  (transaction_id is null or id between first_id_of_payment(transaction_id) and last_id_of_payment(transaction_id)) not valid;
alter table entries add constraint entries_before check (transfer_id < 794354201395200) not valid;

-- They would keep a month from being archived: a note and an operator's reference outlive the transfer that they name.
alter table transfer_notes drop constraint transfer_notes_transfer_id_fkey;
alter table operator_references drop constraint operator_references_transfer_id_fkey;

-- Few among very many: what operators moved. Payments wait while it is made, some tenths of a second for a million.
create index transfers_of_operators on transfers (id) where transaction_id is null;

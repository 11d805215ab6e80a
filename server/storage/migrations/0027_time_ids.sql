-- migration: stop
-- locks: callbacks access exclusive, callbacks_id_seq access exclusive, transaction_ids share row exclusive
-- rewrites: none
-- reads: none
-- From here on ids tell when their payment was accepted (server/storage/time-ids.ts). What was stored before keeps its own.

-- A number that a session keeps back could come a second time within one second. The sequence notes every 32nd number.
alter sequence transaction_ids cache 1;

-- A callback's id belongs to its transaction's; the sequence counts on for transactions of before. A default, because
-- processes of the version before name no id.
create sequence callback_ids;
select setval('callback_ids', greatest((select last_value from callbacks_id_seq), 1));
alter table callbacks alter column id drop identity;
alter table callbacks alter column id set default nextval('callback_ids');

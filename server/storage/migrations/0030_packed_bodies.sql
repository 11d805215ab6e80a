-- migration: stop
-- locks: callbacks access exclusive
-- rewrites: none
-- reads: none
-- The body of a callback is packed (server/storage/packed-body.ts); what was stored before keeps its text. What it tells
-- stands beside it for the checks.
alter table callbacks alter column body drop not null;
alter table callbacks add column packed_body bytea, add column told text;

-- migration: expand
-- locks: sandbox.reports access exclusive, transactions access exclusive, work access exclusive
-- rewrites: none
-- reads: sandbox.reports, transactions, work
-- The token of a claim never repeats, whatever becomes of the row: the number of tries, which begins anew with every kind of work, is for waits only.
alter table work add column token uuid;
-- Running it failed, and not because the database was away: so often, lately for this reason. It waits, and holds up nothing else.
alter table work add column failures integer not null default 0;
alter table work add column last_error text;
create index on work (failures) where failures > 0;

-- The rail has paid what is FAILED here, and it could not be booked: an operator settles it.
alter table transactions add column rail_paid_at timestamptz;
create index transactions_paid_by_rail on transactions (id) where rail_paid_at is not null;

-- A report that the gateway cannot take is put aside as well; its time and outcome stay what they are.
alter table sandbox.reports add column failures integer not null default 0;
alter table sandbox.reports add column again_at timestamptz;
create index on sandbox.reports (failures) where failures > 0;

-- migration: expand
-- locks: rail_references access exclusive
-- rewrites: none
-- reads: none
-- Where a name of an order comes from: `own` (from us), `call` (the operator's answer to a call of ours), `statement`, or
-- `message`, which anybody can write who knows the order's address. Absent: stored by an older version, which did not say. Such an
-- order id binds as one of a call does, such a receipt as one of a message: neither lets a forged message move money.
alter table rail_references add column origin text;

-- migration: expand
-- locks: merchants access exclusive
-- rewrites: none
-- reads: none
-- Hosts that a merchant's customers may be sent to: `shop.example`, or `*.shop.example` for every name below it. Null: any.
alter table merchants add column redirect_hosts text[];

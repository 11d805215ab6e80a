-- migration: expand
-- locks: transactions access exclusive
-- rewrites: none
-- reads: transactions
-- The id under which an operator knows an order, committed before the order goes out: what has one may have arrived.
alter table transactions add column rail_order_id text;

-- Of what the version before handed over nobody noted whether it arrived: it may have.
update transactions set rail_order_id = gen_random_uuid() where status = 'PROCESSING';
-- No index: every payment would pay for one (its change to PROCESSING would rewrite all others), and only operators ask by it.

-- migration: expand
-- locks: rail_installations access exclusive
-- rewrites: none
-- reads: none
-- Since when an operator has not answered, as a worker noticed: merchants and customers are told by all processes.
alter table rail_installations add column down_since timestamptz;

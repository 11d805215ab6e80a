-- migration: expand
-- locks: transactions access exclusive
-- rewrites: none
-- reads: none
-- The trace that a payment is part of (server/tracing), as W3C writes it: the span of the request that it was accepted
-- with. Null where that trace is not kept, which is every payment of a gateway without tracing. A column without a
-- default changes no row, and the last version's statements name their columns and do not see it.
alter table transactions add column traceparent text;

-- migration: expand
-- locks: work access exclusive
-- rewrites: none
-- reads: work
-- Whose server work goes to, as '<merchant>/<which of its URLs>' (server/domain/addressee.ts): a claim takes a share of
-- each, however much waits for one of them. '' is of work that goes to no merchant's server, and of what was stored
-- before: that is named when it is put off, or its merchant's server answers and it ends. A constant default rewrites
-- nothing.
alter table work add column addressee text collate "C" not null default '';
-- The addressees are found by steps from one to the next, and of each what has been due the longest. Other kinds have
-- none, and pay nothing for the index.
create index work_by_addressee on work (kind, addressee, due_at) where kind in ('deliverCallback', 'verifyPayout');

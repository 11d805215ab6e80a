-- migration: expand
-- locks: work access exclusive
-- rewrites: none
-- reads: none
-- Nothing looks for work by its id any more: what it is for names it (kind, subject_id), as a unique index says. An index
-- less to write for every insertion and every claim, 340 bytes of the log for each payment. Processes of before find
-- their work without it, slower where much waits; those of 0.1.0 have stopped for 0027.
alter table work drop constraint work_pkey;
alter table work replica identity using index work_kind_subject_id_key;

-- migration: expand
-- locks: sandbox.reports access exclusive
-- rewrites: none
-- reads: sandbox.reports
-- Room on a page for what an outcome or an acknowledgement makes of a row: a new version on another page costs a lock
-- record, a second page and the whole row in the log. Work has none: what it gains
-- there was not weighed against a large backlog.
alter table sandbox.reports set (fillfactor = 50);
do $$
declare part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'transactions'::regclass
  loop
    execute format('alter table %s set (fillfactor = 50)', part);
  end loop;
end $$;

-- Reports are found by their reference: one index where there were two, each written anew with each of a report's two
-- versions. Processes of before acknowledge without it, slower in a sandbox with many orders.
alter table sandbox.reports drop constraint reports_pkey;
alter table sandbox.reports add primary key (reference, due_at, id);
drop index sandbox.reports_reference_due_at_idx;

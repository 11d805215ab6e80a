-- migration: expand
-- locks: none
-- rewrites: none
-- reads: merchants
-- A database knows its mode: simulated payments and real ones never share a book. Processes of the other mode refuse to start (storage/database-mode.ts).
create table database_mode (
  only_row boolean primary key default true check (only_row),
  mode text not null check (mode in ('sandbox', 'rehearsal', 'live')),
  decided_at timestamptz not null default now()
);

-- A new database gets the mode of the process that migrates it. One that was made before has merchants, and the demo merchant in sandboxes only.
insert into database_mode (mode)
select case
  when exists (select from merchants where sandbox_only) then 'sandbox'
  when exists (select from merchants) then 'live'
  else current_setting('malipo.mode')
end;

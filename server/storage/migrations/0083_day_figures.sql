-- migration: expand
-- locks: transactions share row exclusive
-- rewrites: none
-- reads: none

-- Figures of days that are over, which would otherwise be counted from all their payments (server/admin/queries/day-figures.ts).
create table day_figures (
  -- In UTC.
  day date primary key,
  -- Taken after the day: transactions with a smaller one may have changed a payment of the day without a row below.
  after_xid xid8 not null default pg_current_xact_id(),
  -- Null until they are counted.
  figures json
);

-- The days whose payments were stored or changed after their end: their figures are to be counted again. By trigger: an
-- older release, or anybody by SQL, cannot leave a wrong figure behind.
create table day_changes (day date not null);
create index on day_changes (day);

create function note_day_change() returns trigger language plpgsql as $$
begin
  insert into day_changes values ((new.created_at at time zone 'UTC')::date);
  return null;
end $$;
create trigger late_payment after insert on transactions for each row
  when (new.created_at < date_trunc('day', clock_timestamp(), 'UTC'))
  execute function note_day_change();
create trigger late_change after update on transactions for each row
  when ((old.status, old.amount_minor, old.charge_minor) is distinct from (new.status, new.amount_minor, new.charge_minor)
    and new.created_at < date_trunc('day', clock_timestamp(), 'UTC'))
  execute function note_day_change();

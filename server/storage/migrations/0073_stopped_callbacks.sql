-- migration: expand
-- locks: callbacks share row exclusive
-- rewrites: none
-- reads: callbacks

-- The callbacks that failed in every attempt, for whoever looks for them. Not an index of callbacks: one that has their
-- state would keep deliveries from updating rows in place. By trigger: an older release writes them as well.
create table stopped_callbacks (callback_id bigint primary key);

create function note_stopped() returns trigger language plpgsql as $$
begin
  if new.status = 'STOPPED' and new.attempts > 0 then
    insert into stopped_callbacks values (new.id) on conflict do nothing;
  else
    delete from stopped_callbacks where callback_id = new.id;
  end if;
  return null;
end $$;
create trigger stopped after update on callbacks for each row
  when (old.status is distinct from new.status and (old.status = 'STOPPED' or new.status = 'STOPPED'))
  execute function note_stopped();

insert into stopped_callbacks select id from callbacks where status = 'STOPPED' and attempts > 0;

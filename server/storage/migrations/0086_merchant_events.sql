-- migration: expand
-- locks: callbacks share row exclusive, merchants share row exclusive
-- rewrites: none
-- reads: none

-- Callbacks that have no number among the events of their merchant yet (server/storage/merchant-events.ts). A trigger,
-- because processes of the release before store callbacks too.
create table unnumbered_callbacks (callback_id bigint primary key);
create function note_unnumbered() returns trigger language plpgsql as $$
begin
  insert into public.unnumbered_callbacks (callback_id) select id from new_callbacks;
  return null;
end $$;
create trigger unnumbered after insert on callbacks referencing new table as new_callbacks
  for each statement execute function note_unnumbered();

-- What the callbacks of a merchant told, numbered 1, 2, 3 in the order in which the numbers were given.
create table merchant_events (
  merchant_id bigint not null,
  number bigint not null,
  callback_id bigint not null unique,
  primary key (merchant_id, number)
);

-- The last number of each merchant, and up to which its events were archived with their month.
create table merchant_event_counts (
  merchant_id bigint primary key references merchants (id),
  last bigint not null,
  archived bigint not null default 0
);

-- Whoever holds the lock of this row gives numbers.
create table merchant_event_turn (only_one boolean primary key default true check (only_one));
insert into merchant_event_turn default values;

-- migration: expand
-- locks: merchant_keys access exclusive, merchant_options access exclusive, merchants access exclusive, reference_version access exclusive
-- rewrites: none
-- reads: none
-- Merchants, their keys and options are looked up when somebody asks for one of them, and kept for a while
-- (storage/merchant-cache.ts): each change is told by the merchant's id, and every process reads what was told since it
-- last looked. Platform data stays read as a whole.

-- `version` counts both, for processes of an older version that still run.
alter table reference_version
  add column platform bigint not null default 1,
  add column merchants bigint not null default 0;

create or replace function bump_reference_version() returns trigger language plpgsql as $$
begin
  update reference_version set version = version + 1, platform = platform + 1;
  return null;
end $$;

-- Without gaps: a process that has read up to 7 and finds 9 first knows that 8 was cleared away before it looked.
create table merchant_changes (
  version bigint not null,
  merchant_id bigint not null,
  changed_at timestamptz not null default now(),
  primary key (version, merchant_id)
);

-- One version for each transaction, however many rows it changes. The row of the counter stays locked until it commits,
-- so versions become visible in their order. Row triggers: transition tables are not had by every engine.
create function tell_merchant_change() returns trigger language plpgsql as $$
declare
  told bigint := nullif(current_setting('malipo.merchants_version', true), '')::bigint;
begin
  if told is null then
    update reference_version set version = version + 1, merchants = merchants + 1 returning merchants into told;
    perform set_config('malipo.merchants_version', told::text, true);
  end if;
  if tg_table_name = 'merchants' then
    insert into merchant_changes (version, merchant_id) values (told, coalesce(new.id, old.id)) on conflict do nothing;
  else
    insert into merchant_changes (version, merchant_id)
      select told, id from unnest(array[new.merchant_id, old.merchant_id]) as id where id is not null
      on conflict do nothing;
  end if;
  return null;
end $$;

drop trigger bump_version on merchants;
drop trigger bump_version on merchant_keys;
drop trigger bump_version on merchant_options;
create trigger tell_change after insert or update or delete on merchants
  for each row execute function tell_merchant_change();
create trigger tell_change after insert or update or delete on merchant_options
  for each row execute function tell_merchant_change();
-- Not when a secret is sealed anew: it stays the same secret, and processes that run with the former master key go on
-- with what they know.
create trigger tell_change after insert or delete or update of merchant_id, kind, digest, expires_at on merchant_keys
  for each row execute function tell_merchant_change();

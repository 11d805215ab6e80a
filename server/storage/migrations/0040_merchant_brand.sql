-- migration: expand
-- locks: merchants access exclusive
-- rewrites: none
-- reads: none
-- What customers see of a merchant on the payment page (server/domain/brand.ts). Columns without a default change no
-- row, and the last version's statements name their columns and do not see them. The row's trigger tells every process.
alter table merchants
  add column brand_colour text,
  add column logo_digest text,
  add column support_contact text;

-- Apart, because every request looks its merchant up: a logo is read once by each browser.
create table merchant_logos (
  digest text primary key,
  media_type text not null,
  bytes bytea not null,
  created_at timestamptz not null default now()
);

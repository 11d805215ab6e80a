-- migration: expand
-- locks: statement_imports access exclusive, statement_lines access exclusive
-- rewrites: none
-- reads: statement_lines
-- A statement line is the same movement when the bank account, the booking day, the reference, the direction, the amount and the
-- occurrence are the same. Rows of before have neither account nor day: the next statement that has them fills them in, so that no
-- time zone is guessed here. Until then their old identity holds among them. Whoever imports holds the row of the installation.
alter table statement_lines
  -- Null: not known yet. Empty: the statement names none.
  add column account text,
  -- In the statement's own zone. Null: not known (yet).
  add column booked_on date,
  -- What the statements cover that have the line; the end is not included. Null: not known.
  add column period_from timestamp,
  add column period_to timestamp,
  -- Why the line counts for no movement: not all of it can be read, or it may be a repetition of another line.
  add column doubt text check (doubt in ('unclear', 'maybe_repeated')),
  add column note text,
  -- Unknown only where there is a doubt.
  alter column direction drop not null,
  alter column amount_minor drop not null,
  drop constraint statement_lines_installation_reference_direction_amount_min_key;
create unique index statement_lines_identity on statement_lines
  (installation, reference, account, booked_on, direction, amount_minor, occurrence);
create unique index statement_lines_old_identity on statement_lines
  (installation, reference, direction, amount_minor, occurrence) where account is null;

alter table statement_imports add column passed_over bigint not null default 0;

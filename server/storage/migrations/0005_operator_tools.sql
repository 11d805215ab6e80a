-- migration: expand
-- locks: callbacks share, transfers share row exclusive
-- rewrites: none
-- reads: callbacks
-- Why an operator moved money, in their own words. A table of its own: transfers are append-only, and payments have no such note.
create table transfer_notes (
  transfer_id bigint primary key references transfers (id),
  note text not null
);
create trigger append_only before update or delete or truncate on transfer_notes for each statement execute function refuse_change();

-- Callbacks of a span of time (callback resend --since). BRIN: rows come in the order of time, so it costs payments next to nothing.
create index callbacks_by_time on callbacks using brin (created_at);

-- Whether a merchant's URL fails is asked of that merchant's own callbacks: without this, one quiet merchant's answer would read everybody's.
create index callbacks_of_merchant on callbacks (merchant_id, created_at);

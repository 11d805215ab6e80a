-- migration: expand
-- locks: merchants access exclusive, payout_batches access exclusive
-- rewrites: none
-- reads: none

-- Whether one handshake confirms all payouts of a batch.
alter table merchants add column batch_handshake boolean not null default false;

-- waiting, confirmed or refused; null: each payout has a handshake of its own. Fixed when the batch is accepted.
alter table payout_batches add column handshake text;

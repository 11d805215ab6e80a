-- migration: expand
-- locks: sandbox.inbox access exclusive
-- rewrites: none
-- reads: sandbox.inbox

-- The test receiver of merchants stores here what it received, in live mode too: one table and one look for both.
alter table sandbox.inbox
  -- Whose callback it is: they see it on the page of the test receiver.
  add column merchant_id bigint,
  add column request_line text,
  -- How long the sender waited for the reply; null where the receiver does not know.
  add column latency_ms integer,
  -- Null: it stays until newer messages replace it.
  add column expires_at timestamptz;
create index on sandbox.inbox (merchant_id, id) where merchant_id is not null;

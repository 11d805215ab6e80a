-- migration: expand
-- locks: processes access exclusive
-- rewrites: none
-- reads: none

-- How long the oldest due job waits for a worker, as this worker sees it, and when it said so: processes that serve the
-- API accept no more payments than are finished while it is too long.
alter table processes add column queue_delay_ms integer, add column queue_delay_at timestamptz;

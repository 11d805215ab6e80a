-- migration: expand
-- locks: account_usage access exclusive, limit_usage access exclusive
-- rewrites: none
-- reads: account_usage
-- Of each bound of an account number one merchant has a share, so what counts says whose it is: what an older version
-- stores, or stored, counts for all merchants together and for none by itself. Approval prompts, and those declined or
-- left unanswered, count too.
alter table account_usage add merchant_id bigint;
alter table limit_usage add merchant_id bigint;
alter table account_usage drop constraint account_usage_kind_check;
alter table account_usage add constraint account_usage_kind_check
  check (kind in ('otp_send', 'otp_wrong', 'open_page', 'prompt', 'prompt_decline'));

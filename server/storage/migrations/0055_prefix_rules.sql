-- migration: expand
-- locks: providers access exclusive
-- rewrites: none
-- reads: providers
-- Whether a phone number must begin with one of its provider's prefixes (`strict`), or whether the operator decides
-- (`hint`): where numbers are ported a prefix proves no operator.
alter table providers
  add column prefix_rule text not null default 'strict' check (prefix_rule in ('strict', 'hint'));

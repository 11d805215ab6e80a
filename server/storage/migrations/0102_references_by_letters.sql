-- migration: expand
-- locks: operator_references share
-- rewrites: none
-- reads: operator_references

-- Banks write references in capitals, people type them in any case: both name one movement, also when two people book
-- it at the same time.
create unique index operator_references_by_letters on operator_references (upper(reference));

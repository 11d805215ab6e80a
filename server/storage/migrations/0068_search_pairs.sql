-- migration: expand
-- locks: none
-- rewrites: none
-- reads: search_mark

-- A payment has a row for its account number and amount together too. All payments are indexed again; rows that are
-- there stay.
update search_mark set upto = 0, next_upto = 0;

-- migration: contract
-- locks: staff_actions access exclusive, staff_actions_id_seq access exclusive
-- rewrites: none
-- reads: none

-- Its entries are in audit_log since 0061_people.sql.
drop table staff_actions;

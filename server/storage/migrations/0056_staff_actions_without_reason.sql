-- migration: expand
-- locks: staff_actions access exclusive
-- rewrites: none
-- reads: none
-- What adds something takes nothing from anybody: its entry may have no reason.
alter table staff_actions alter column reason drop not null;

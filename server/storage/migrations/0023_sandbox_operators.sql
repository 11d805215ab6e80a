-- migration: expand
-- locks: none
-- rewrites: none
-- reads: none
-- The book of the operators that the sandbox has on the wire (MALIPO_SANDBOX_RAILS=wire): what each of them took, how it
-- ended and whether it was told, in the order in which it happened. An operator does not forget when a gateway ends.
create table sandbox.operator_journal (
  id bigint generated always as identity primary key,
  operator text not null,
  entry json not null
);
create index on sandbox.operator_journal (operator, id);

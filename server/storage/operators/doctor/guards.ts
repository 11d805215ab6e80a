import type { Check } from './check.ts'

// What PostgreSQL itself refuses in the ledger: who switches it off, changes an entry and switches it on again is found
// by the chain; who forgets to switch it on, here.

const APPEND_ONLY = [
  'transfers',
  'entries',
  'transaction_events',
  'operator_references',
  'transfer_notes',
  'staff_actions',
  'transfer_causes',
  'transfer_causes_since',
  'uncaused_transfers',
  'ledger_links',
]

/** Partitions have their own, as each statement of theirs is told to no trigger of the table. */
const APPEND_ONLY_PARTITIONS = ['transfers', 'entries', 'transaction_events']

const TRIGGERS: readonly (readonly [table: string, trigger: string, calls: string])[] = [
  ...APPEND_ONLY.map((table) => [table, 'append_only', 'refuse_change'] as const),
  ['entries', 'balanced', 'refuse_unbalanced_entries'],
  ['transfers', 'unchained', 'note_unchained'],
]

/** MD5 of the bodies, as the migrations have made them. */
const FUNCTIONS: readonly (readonly [name: string, digest: string])[] = [
  ['refuse_change', '77f92d76bf6170c6a5c1bd55727d3b5c'],
  ['refuse_unbalanced_entries', '33e6cc66e62dd5a3c0b965b654174f05'],
  ['note_unchained', 'ebed70c5a67b1270d716f91cc6ab4428'],
  ['first_id_of_payment', '7cc04daec6c530361b7303df66a6e187'],
  ['last_id_of_payment', '695fe18fd87c66582deaedf62f2f8353'],
]

const CONSTRAINTS: readonly (readonly [table: string, definition: string])[] = [
  ['accounts', 'PRIMARY KEY (id)'],
  ['accounts', 'UNIQUE (kind, currency, merchant_id, provider_code, installation)'],
  [
    'accounts',
    "CHECK (((balance_minor >= 0) OR (kind = ANY (ARRAY['rail'::text, 'operator'::text, 'fee'::text, 'suspense'::text]))))",
  ],
  ['transfers', 'PRIMARY KEY (id)'],
  [
    'transfers',
    'CHECK (((transaction_id IS NULL) OR ((id >= first_id_of_payment(transaction_id)) AND (id <= last_id_of_payment(transaction_id)))))',
  ],
  ['entries', 'PRIMARY KEY (transfer_id, id)'],
  ['entries', 'CHECK ((amount_minor <> 0))'],
  ['operator_references', 'PRIMARY KEY (reference)'],
  ['transfer_causes', 'PRIMARY KEY (transfer_id)'],
  ['transfer_causes', 'UNIQUE (staff_action_id)'],
  ['uncaused_transfers', 'PRIMARY KEY (transfer_id)'],
  ['staff_actions', 'PRIMARY KEY (id)'],
  ['ledger_links', 'PRIMARY KEY (seq)'],
]

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const valuesOf = (rows: readonly (readonly string[])[]): string =>
  `(values ${rows.map((row) => `(${row.map(quoted).join(', ')})`).join(', ')})`

const EXPECTED_TRIGGERS = `
  select to_regclass(relation)::oid as table_id, relation, name, calls from ${valuesOf(TRIGGERS)} as v(relation, name, calls)
  union all
  select p.inhrelid, p.inhrelid::regclass::text, 'append_only', 'refuse_change'
  from pg_inherits p where p.inhparent in (${APPEND_ONLY_PARTITIONS.map((table) => `to_regclass(${quoted(table)})`).join(', ')})`

export const GUARD_CHECKS: readonly Check[] = [
  {
    name: 'ledger_guarded',
    scope: 'all',
    rule: 'every trigger and constraint of the ledger is there, switched on and what the migrations have made',
    sql: `select 'the function ' || w.name || case when p.oid is null then ' is missing' else ' is another one' end
          from ${valuesOf(FUNCTIONS)} as w(name, digest) left join pg_proc p on p.oid = to_regproc(w.name)
          where md5(p.prosrc) is distinct from w.digest
          union all
          select 'the trigger ' || w.name || ' of ' || w.relation || case when t.oid is null then ' is missing'
            when t.tgenabled not in ('O', 'A') then ' is switched off' else ' calls ' || t.tgfoid::regproc end
          from (${EXPECTED_TRIGGERS}) w left join pg_trigger t on t.tgrelid = w.table_id and t.tgname = w.name
          where t.oid is null or t.tgenabled not in ('O', 'A') or t.tgfoid <> to_regproc(w.calls)
          union all
          select 'the constraint ' || w.definition || ' of ' || w.relation || ' is missing or not validated'
          from ${valuesOf(CONSTRAINTS)} as w(relation, definition)
          where not exists (select from pg_constraint c where c.conrelid = to_regclass(w.relation) and c.convalidated
            and pg_get_constraintdef(c.oid) = w.definition)`,
  },
]

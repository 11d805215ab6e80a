import type { Check } from './check.ts'

// The guards in PostgreSQL itself. If somebody switches them off, changes an entry and switches them on again, the
// chain detects it. If they stay off, these checks do.

const APPEND_ONLY = [
  'transfers',
  'entries',
  'transaction_events',
  'operator_references',
  'transfer_notes',
  'audit_log',
  'transfer_causes',
  'ledger_links',
]

/**
 * Partitions have their own triggers, because a statement on a partition fires no statement trigger of the parent
 * table.
 */
const APPEND_ONLY_PARTITIONS = ['transfers', 'entries', 'transaction_events']

/** Tables where nothing may come between a statement and the rows that it names. */
const GUARDED = [
  ...APPEND_ONLY,
  'accounts',
  'history_months',
  'unchained_transfers',
  'ledger_chain_turn',
  'audit_chain',
]

/** When a trigger fires, in the encoding of `tgtype`. */
const BEFORE_CHANGES = '58' // a statement of update, delete or truncate
const AFTER_INSERTS = '4'

const TRIGGERS: readonly (readonly [table: string, trigger: string, calls: string, type: string])[] = [
  ...APPEND_ONLY.map((table) => [table, 'append_only', 'refuse_change', BEFORE_CHANGES] as const),
  ['entries', 'balanced', 'refuse_unbalanced_entries', AFTER_INSERTS],
  ['transfers', 'unchained', 'note_unchained', AFTER_INSERTS],
]

/** MD5 of the function bodies from the migrations. */
const FUNCTIONS: readonly (readonly [name: string, digest: string])[] = [
  ['refuse_change', '77f92d76bf6170c6a5c1bd55727d3b5c'],
  ['refuse_unbalanced_entries', '6546c2ea8024156265d0a07e3a428b6a'],
  ['note_unchained', '41bd23b2a8dc04e517dd1ac2ad755490'],
  ['first_id_of_payment', '7cc04daec6c530361b7303df66a6e187'],
  ['last_id_of_payment', '695fe18fd87c66582deaedf62f2f8353'],
]

const CONSTRAINTS: readonly (readonly [table: string, definition: string])[] = [
  ['accounts', 'PRIMARY KEY (id)'],
  ['accounts', 'UNIQUE (kind, currency, merchant_id, provider_code, rail_account)'],
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
  ['audit_log', 'PRIMARY KEY (id)'],
  ['audit_log', 'UNIQUE (seq)'],
  ['ledger_links', 'PRIMARY KEY (seq)'],
  [
    'ledger_links',
    'CHECK ((isfinite(at) AND (array_ndims(transfer_ids) = 1) AND (array_position(transfer_ids, NULL::bigint) IS NULL)))',
  ],
]

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const valuesOf = (rows: readonly (readonly string[])[]): string =>
  `(values ${rows.map((row) => `(${row.map(quoted).join(', ')})`).join(', ')})`

const PARTITIONS = `select p.inhrelid from pg_inherits p
  where p.inhparent in (${APPEND_ONLY_PARTITIONS.map((table) => `to_regclass(${quoted(table)})`).join(', ')})`

const EXPECTED_TRIGGERS = `
  select to_regclass(relation)::oid as table_id, relation, name, calls, type::int
  from ${valuesOf(TRIGGERS)} as v(relation, name, calls, type)
  union all
  select inhrelid, inhrelid::regclass::text, 'append_only', 'refuse_change', ${BEFORE_CHANGES} from (${PARTITIONS}) p`

const GUARDED_TABLES = `
  select to_regclass(relation)::oid as table_id, relation from ${valuesOf(GUARDED.map((table) => [table]))} as v(relation)
  union all
  select inhrelid, inhrelid::regclass::text from (${PARTITIONS}) p`

/** The archive seals a month with a row trigger before it drops the month. */
const IS_SEAL = `(t.tgname = 'sealed' and t.tgfoid = to_regproc('refuse_change'))`

/** Anything else that could change what a statement does, or hide or add rows. */
const IN_BETWEEN = `
  select 'the trigger ' || t.tgname || ' of ' || g.relation || ' is none of the migrations'' own'
  from guarded g join pg_trigger t on t.tgrelid = g.table_id and not t.tgisinternal and not ${IS_SEAL}
  where not exists (select from expected w where w.name = t.tgname
    and (w.table_id = t.tgrelid or (to_regproc(w.calls) = t.tgfoid and w.type = t.tgtype)))
  union all
  select g.relation || ' is no table' from guarded g left join pg_class c on c.oid = g.table_id
  where coalesce(c.relkind, 'v') not in ('r', 'p')
  union all
  select 'the rule ' || r.rulename || ' changes what statements do to ' || g.relation
  from guarded g join pg_rewrite r on r.ev_class = g.table_id
  union all
  select 'row security hides rows of ' || g.relation
  from guarded g join pg_class c on c.oid = g.table_id where c.relrowsecurity or c.relforcerowsecurity
  union all
  select p.inhrelid::regclass || ' adds rows to ' || g.relation
  from guarded g join pg_inherits p on p.inhparent = g.table_id join pg_class c on c.oid = p.inhrelid
  where not c.relispartition`

/** Triggers disabled in this session, or by default for a role or the database. */
const TRIGGERS_SLEEP = `
  select 'session_replication_role is ' || current_setting('session_replication_role') || ': no trigger is called'
  where current_setting('session_replication_role') <> 'origin'
  union all
  select 'the setting ' || setting || ' of ' || case when s.setrole = 0 then 'the database'
    else 'the role ' || s.setrole::regrole end || ' calls no trigger'
  from pg_db_role_setting s cross join unnest(s.setconfig) as setting
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and setting like 'session_replication_role=%' and setting <> 'session_replication_role=origin'`

export const GUARD_CHECKS: readonly Check[] = [
  {
    name: 'ledger_guarded',
    scope: 'all',
    rule: 'every trigger and constraint of the ledger is there, switched on and what the migrations have made, and nothing else stands before its tables',
    sql: `with expected as (${EXPECTED_TRIGGERS}), guarded as (${GUARDED_TABLES})
          select 'the function ' || w.name || case when p.oid is null then ' is missing' else ' is another one' end
          from ${valuesOf(FUNCTIONS)} as w(name, digest) left join pg_proc p on p.oid = to_regproc(w.name)
          where md5(p.prosrc) is distinct from w.digest
          union all
          select 'the trigger ' || w.name || ' of ' || w.relation || case when t.oid is null then ' is missing'
            when t.tgenabled not in ('O', 'A') then ' is switched off'
            when t.tgfoid <> to_regproc(w.calls) then ' calls ' || t.tgfoid::regproc
            else ' is not called for every change' end
          from expected w left join pg_trigger t on t.tgrelid = w.table_id and t.tgname = w.name
          where t.oid is null or t.tgenabled not in ('O', 'A') or t.tgfoid <> to_regproc(w.calls)
            or t.tgtype <> w.type or t.tgqual is not null or t.tgattr::text <> ''
          union all
          select 'the constraint ' || w.definition || ' of ' || w.relation || ' is missing or not validated'
          from ${valuesOf(CONSTRAINTS)} as w(relation, definition)
          where not exists (select from pg_constraint c where c.conrelid = to_regclass(w.relation) and c.convalidated
            and pg_get_constraintdef(c.oid) = w.definition)
          union all ${IN_BETWEEN}
          union all ${TRIGGERS_SLEEP}
          union all
          select 'ledger_chain_turn has no row: no transfer comes into the hash chain'
          where not exists (select from ledger_chain_turn)`,
  },
]

import type { Queryable } from '../pool.ts'

interface ReplacedMigration {
  readonly name: string
  readonly kind: string
}

/** What a database has in `schema_migrations` before it is marked as being at the baseline: 35 rows, in order. */
export const replacedMigrations = (): readonly ReplacedMigration[] =>
  NAMES.trim()
    .split(/\s+/)
    .map((name) => ({ name: `${name}.sql`, kind: KINDS[name.slice(0, 4)] ?? 'expand' }))

const KINDS: Readonly<Record<string, string>> = { '0059': 'stop', '0066': 'contract' }

const NAMES = `
  0059_baseline 0060_queue_delay 0061_people 0062_sign_in 0063_approvals 0064_suspension 0065_search
  0066_former_audit_log 0067_admin_requests 0068_search_pairs 0069_exception_notes 0070_saved_views
  0071_program_tokens 0072_sealed_inputs 0073_stopped_callbacks 0074_received_messages 0075_account_messages
  0076_rail_tokens 0077_refunds 0079_payout_batches 0081_circuits 0082_floats 0083_day_figures
  0084_unconfirmed_payments 0085_transaction_types 0086_merchant_events 0088_attempts 0089_attempt_types
  0090_batch_handshakes 0091_returns 0091_returns_checked 0092_account_holder_queries 0094_access_by_merchant
  0096_expected_payments 0098_sandbox_clock`

/** The schema as the replaced migrations left it: two checks are not proven, and nothing of later migrations exists. */
const OLD_SCHEMA = `
  alter table audit_log drop constraint audit_log_actor_kind_check, add constraint audit_log_actor_kind_check
    check (actor_kind in ('staff', 'merchant', 'os_user', 'break_glass', 'api')) not valid;
  alter table jobs drop column leased_until, reset (fillfactor);
  drop table search_again;
  drop index operator_references_by_letters;
  alter table payment_sessions drop constraint payment_sessions_awaits_check, add constraint payment_sessions_awaits_check
    check (awaits in ('confirmation', 'otp', 'retry', 'nothing')) not valid`

/** Puts an up-to-date database into the state in which the replaced migrations, or some of them, left it. */
export async function leaveReplaced(
  database: Queryable,
  migrations: readonly ReplacedMigration[] = replacedMigrations(),
): Promise<void> {
  await database.query(OLD_SCHEMA)
  await nameReplaced(database, migrations)
}

/** Says that these migrations, and no others, were applied. */
export async function nameReplaced(database: Queryable, migrations: readonly ReplacedMigration[]): Promise<void> {
  await database.query('truncate schema_migrations')
  await database.query(
    'insert into schema_migrations (name, kind) select name, kind from json_to_recordset($1) as r (name text, kind text)',
    [JSON.stringify(migrations)],
  )
}

import type { Queryable } from '../pool.ts'

interface ReplacedMigration {
  readonly name: string
  readonly kind: string
}

/** What a database has in `schema_migrations` before it is marked as being at the baseline: 51 rows, in order. */
export const replacedMigrations = (): readonly ReplacedMigration[] =>
  NAMES.trim()
    .split(/\s+/)
    .map((name) => ({ name: `${name}.sql`, kind: STOPS.includes(name.slice(0, 4)) ? 'stop' : 'expand' }))

const STOPS: readonly string[] = ['0027', '0028', '0029', '0030', '0044', '0058']

const NAMES = `
  0001_gateway 0002_sandbox 0003_payment_page 0004_payouts 0005_operator_tools 0006_narrower_keys
  0007_withdrawn_rsa_keys 0008_claims_and_unbooked_payments 0009_database_mode 0010_operator_references
  0011_account_usage 0012_redirect_hosts 0013_callbacks_told 0014_digest_key 0015_resends_and_unbooked_payouts
  0016_rail_orders 0017_failure_codes 0018_operator_exchanges 0019_rail_installations 0020_statements
  0021_rail_outages 0022_installation_changes 0023_sandbox_operators 0024_addressees 0025_accounts_of_a_merchant
  0026_merchant_changes 0027_time_ids 0028_months_prepared 0029_months 0030_packed_bodies 0032_ledger_marks
  0033_doctor_mark 0034_processes 0035_traceparent 0040_merchant_brand 0041_work_by_subject
  0042_work_by_its_subject 0043_room_on_pages 0044_callback_keys 0045_operator_drift 0046_reference_origins
  0047_payer_references 0048_identity_of_statement_lines 0050_merchant_shares 0052_ledger_chain
  0053_transfer_causes 0054_staff_actions 0055_prefix_rules 0056_staff_actions_without_reason
  0057_beyond_the_runtime_role 0058_rail_accounts`

/** The schema as the replaced migrations left it: without later migrations, and with the names of that time. */
const OLD_SCHEMA = `
  drop table sandbox.clock, sandbox.scenarios, sandbox.scenario_orders;
  drop table account_holder_queries;
  drop trigger unnumbered on callbacks; drop function note_unnumbered;
  drop table unnumbered_callbacks, merchant_events, merchant_event_counts, merchant_event_turn;
  drop trigger late_payment on transactions;
  drop trigger late_change on transactions;
  drop function note_day_change;
  drop table day_figures, day_changes;
  drop function forget_by_merchant;
  drop trigger stopped on callbacks;
  drop function note_stopped;
  drop table stopped_callbacks;
  alter table sandbox.inbox drop column merchant_id, drop column request_line, drop column latency_ms,
    drop column expires_at;
  drop table rail_circuits, payout_waits;
  alter table rail_balances drop column float_minor, drop column handed_minor, drop column handed_when_read_minor,
    drop column spent_minor, drop column spent_since, drop column float_low_minor;
  drop table payout_batch_rows, payout_batches;
  drop table expected_payments, account_messages, unrequested_payments, rail_questions, rail_tokens;
  alter table transactions drop column refund, drop constraint transactions_type_check;
  alter table transactions add constraint transactions_type_check check (type in ('COLLECTION', 'PAYOUT'));
  drop table refunds, collection_attempts;
  alter table payment_sessions drop column retries, drop constraint payment_sessions_awaits_check;
  alter table payment_sessions add constraint payment_sessions_awaits_check
    check (awaits in ('confirmation', 'otp', 'nothing'));
  alter table merchants drop column page_retries, drop column batch_handshake;
  alter table merchants drop column refund_callback_url, drop column refunds_by_payout;
  alter table payment_options drop column refunds_charge;
  drop table exception_notes, saved_views, admin_requests, approvals, approval_rules;
  alter table reconciliation_exceptions drop column assignee_id;
  drop table sign_in_credentials, passkeys, recovery_codes, sign_in_tokens, sessions, sign_in_failures;
  drop table audit_log, audit_chain, person_tokens, people;
  create table staff_actions (id bigint generated always as identity primary key, at timestamptz not null,
    os_user text not null, command text not null, subject text not null, old jsonb not null, new jsonb not null,
    reason text, reference text);
  drop table search_keys, search_mark; drop index transfers_by_time, late_transfers;
  alter table processes drop column queue_delay_ms, drop column queue_delay_at;
  drop table merchant_terms;
  alter table merchants drop column suspended_at, drop column resumed_at;
  alter table providers rename column requires_otp to asks_for_otp;
  alter table jobs rename to work;
  alter table work rename column destination to addressee;
  alter sequence jobs_id_seq rename to work_id_seq;
  alter index jobs_subject_id_kind_key rename to work_subject_id_kind_key;
  alter index jobs_kind_due_at_idx rename to work_kind_due_at_idx;
  alter index jobs_failures_idx rename to work_failures_idx;
  alter index jobs_by_destination rename to work_by_addressee;
  update work set kind = case kind when 'pollRail' then 'askRail' else 'findOrder' end
    where kind in ('pollRail', 'resolveUnknownOutcome');
  do $$
  declare new record;
  begin
    for new in select conrelid::regclass as place, conname from pg_constraint
      where conrelid in ('work'::regclass, 'providers'::regclass) and conname ~ '^jobs_|_requires_otp_'
    loop
      execute format('alter table %s rename constraint %I to %I', new.place, new.conname, replace(replace(replace(
        new.conname, 'jobs_', 'work_'), '_destination_', '_addressee_'), '_requires_otp_', '_asks_for_otp_'));
    end loop;
  end $$`

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

import { randomBytes } from 'node:crypto'
import { MASTER_KEY } from '../../../../verification/testing/gateway.ts'
import { newTokenKey } from '../../../../domain/callback-tokens.ts'
import { depositTransfer } from '../../../../domain/ledger.ts'
import type { OrderType } from '../../../../domain/provider.ts'
import { bookByStaff } from '../../../../verification/testing/book-by-staff.ts'
import { createSecretBox } from '../../../../storage/secret-box.ts'
import { withoutAudit, type AuditedPool } from '../../../../storage/audited-pool.ts'
import type { Pool } from '../../../../storage/pool.ts'
import { addRailAccount } from '../../rail-accounts.ts'
import { listExceptions } from '../end-exception.ts'
import { importStatement, type ImportSummary, type NewStatementLine, type StatementSource } from '../import.ts'
import type { StatementNames } from '../matching.ts'
import { createStatements } from '../statements.ts'

const random = { bytes: (size: number) => randomBytes(size) }

/** A rail account at an operator that no test calls: only its statements matter here. */
export const installed = (
  pool: Pool,
  name: string,
  settings: Readonly<Record<string, string>> = {},
  { rail = 'mtn-momo', currency = 'UGX', secrets = {} } = {},
): Promise<boolean> =>
  addRailAccount(
    withoutAudit(pool),
    createSecretBox(MASTER_KEY, random),
    {
      name,
      rail,
      environment: 'trial',
      currency,
      baseUrl: 'http://127.0.0.1:1',
      callbackKey: newTokenKey(random),
      settings: { target_environment: 'sandbox', ...settings },
      secrets,
    },
    new Date(),
  )

interface ImportOptions extends Partial<Omit<StatementSource, 'railAccount' | 'batches' | 'end'>> {
  readonly digest?: Uint8Array
}

/** Imports these lines as one source, by default as a CSV file in UTC. */
export function importLines(
  pool: Pool,
  railAccount: string,
  lines: readonly NewStatementLine[],
  now: Date,
  { digest, ...source }: ImportOptions = {},
): Promise<ImportSummary> {
  async function* batches() {
    yield lines
  }
  const file = { railAccount, currency: 'UGX', timeZone: 'UTC', form: 'csv', name: 'test', ...source } as const
  return importStatement(withoutAudit(pool), { ...file, batches: batches(), end: () => ({ digest, skipped: 0 }) }, now)
}

/** The balances at a rail account by kind of account, without those of zero. */
export async function balancesAt(pool: Pool, railAccount: string): Promise<Readonly<Record<string, bigint>>> {
  const { rows } = await pool.query<{ kind: string; minor: bigint }>(
    `select kind, sum(balance_minor)::bigint as minor from accounts where rail_account = $1 and balance_minor <> 0
     group by kind order by kind`,
    [railAccount],
  )
  return Object.fromEntries(rows.map(({ kind, minor }) => [kind, minor]))
}

interface Reconciling {
  readonly now: Date
  readonly names: StatementNames
  readonly windowMs?: number
}

/** Installs a rail account. @returns what reconciles its statements, and shows what came of it */
export async function statementAccount(
  pool: AuditedPool,
  railAccount: string,
  { now, names, windowMs = 0 }: Reconciling,
) {
  await installed(pool, railAccount)
  const request = { railAccount, currency: 'UGX', windowMs, until: undefined }
  const statements = createStatements(pool, request, names, { now: () => now })
  return {
    railAccount,
    statements,
    async reconciled() {
      await statements.matchLines()
      return statements.judge()
    },
    open: () => listExceptions(pool, { railAccount, kind: undefined, state: 'open', limit: 1_000 }),
    balances: () => balancesAt(pool, railAccount),
  }
}

/** An order of a rail account, with its booking if it is completed. */
export interface OrderFixture {
  readonly id: bigint
  readonly orderId: string
  /** A refund: one that failed, which holds nothing. */
  readonly type: OrderType
  readonly status: 'PROCESSING' | 'COMPLETED' | 'FAILED'
  readonly amountMinor: bigint
  readonly at: Date
  /** The operator's own id in its result. */
  readonly receipt?: string
}

const BATCH = 10_000

/** Inserts orders as if they had been paid, without a charge, with everything that the doctor expects around them. */
export async function givenOrders(
  pool: Pool,
  railAccount: string,
  orders: readonly OrderFixture[],
  now = new Date(),
): Promise<void> {
  await pool.query(OPEN_ACCOUNTS, [railAccount])
  const paidOut = orders.reduce((sum, { type, amountMinor }) => sum + (type === 'PAYOUT' ? amountMinor : 0n), 1n)
  await bookByStaff(pool, depositTransfer(1n, 'UGX', paidOut), now)
  for (let from = 0; from < orders.length; from += BATCH) {
    const rows = JSON.stringify(orders.slice(from, from + BATCH), (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    )
    await pool.query(STORE_ORDERS, [rows, railAccount])
    await pool.query(BOOK_ORDERS, [rows, railAccount])
  }
  await pool.query(
    `update accounts a set balance_minor = coalesce((select sum(amount_minor) from entries e where e.account_id = a.id), 0);
     analyze transactions; analyze rail_references`,
  )
}

const GIVEN = `json_to_recordset($1) as g(id bigint, "orderId" text, type text, status text, "amountMinor" bigint,
  at timestamptz, receipt text)`

const STORE_ORDERS = `
  with stored as (
    insert into transactions (id, merchant_id, merchant_reference, internal_reference, type, method, provider_code, account,
      request_currency, request_amount_minor, currency, amount_minor, charge_minor, total_minor, charge_customer,
      allow_final_status_change, description, status, status_message, created_at, final_at, rail_order_id, rail_account)
    select id, 1, 'order-' || id, 'MLP' || id, type, 'MOBILE_MONEY', 'mtn_ug', '256772000123', 'UGX', "amountMinor", 'UGX',
      "amountMinor", 0, "amountMinor", false, false, 'An order', status, 'As given', at - interval '1 minute',
      case when status = 'PROCESSING' then null else at end, "orderId", $2
    from ${GIVEN} returning id
  ), referenced as (
    insert into transaction_references (merchant_id, merchant_reference, transaction_id)
    select 1, 'order-' || id, id from ${GIVEN}
  ), working as (
    insert into jobs (kind, subject_id, due_at)
    select 'resolveUnknownOutcome', id, now() + interval '1 minute' from ${GIVEN}
    where status = 'PROCESSING'
  ), told as (
    insert into callbacks (webhook_id, transaction_id, merchant_id, event, url, body, status, created_at, finished_at)
    select 'cb_' || id, id, 1, 'transaction.' || lower(status), '', '{"payload":{"transaction_status":"' || status || '"}}', 'DELIVERED',
      at, at
    from ${GIVEN} where status <> 'PROCESSING'
  ), counted as (
    insert into limit_usage (provider_code, transaction_type, account, transaction_id, created_at, amount_minor)
    select 'mtn_ug', type, '256772000123', id, at - interval '1 minute', "amountMinor" from ${GIVEN} where status <> 'FAILED'
  )
  insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
  select id, $2, 'order', "orderId", at - interval '1 minute' from ${GIVEN}
  union all
  select id, $2, 'financialTransactionId', receipt, at from ${GIVEN} where receipt is not null`

const OPEN_ACCOUNTS = `
  insert into accounts (kind, currency, merchant_id, provider_code, rail_account)
  values ('rail', 'UGX', 0, 'mtn_ug', $1), ('collection_available', 'UGX', 1, '', ''),
    ('payout_available', 'UGX', 1, '', ''), ('operator', 'UGX', 0, '', '')
  on conflict do nothing`

const BOOK_ORDERS = `
  with given as materialized (
    select nextval('transfer_ids') as transfer_id, g.* from ${GIVEN} where status = 'COMPLETED'
  ), stored as (
    insert into transfers (id, kind, transaction_id, created_at)
    select transfer_id, case type when 'COLLECTION' then 'collection' else 'payout_late' end, id, at from given
  )
  insert into entries (transfer_id, account_id, amount_minor)
  select g.transfer_id, a.id, case when (a.kind = 'rail') = (g.type = 'COLLECTION') then -g."amountMinor" else g."amountMinor" end
  from given g join accounts a on a.currency = 'UGX' and ((a.kind = 'rail' and a.rail_account = $2 and a.provider_code = 'mtn_ug')
    or (a.merchant_id = 1 and a.kind = case g.type when 'COLLECTION' then 'collection_available' else 'payout_available' end))`

import { CALLBACK_RETRY_MS } from '../../domain/callback.ts'
import { present } from '../../domain/present.ts'
import { POLL_RAIL_AFTER_MS } from '../../domain/transaction.ts'
import type { ChaosEnvironment } from './faults/fault.ts'
import { patiently, pause } from './patience.ts'
import { readStatements } from './statements.ts'

const BECAUSE = ['--reason', 'The rail has paid it']

const SETTLED_MS_MAX = 240_000
/** Callbacks are retried after 5 s, then after minutes; staff who do not want to wait resend them. */
const RESEND_EVERY_MS = 20_000
/** Allowance for the machine, on top of the longest delay that the rules allow a job. */
const SLACK_MS = 60_000
const HANDSHAKES_MS_MAX = 120_000

interface SettleResult {
  /** Payments completed from the operators' statements: the operator's message was lost. */
  readonly byStatement: number
  /** Payouts that the gateway lists as paid by the rail and not covered by a wallet. */
  readonly railPaid: number
}

/** What it queries, and the staff commands for what the gateway leaves to staff. */
type SettleContext = Pick<ChaosEnvironment, 'pool' | 'staff'>

interface RemainingWork {
  readonly jobs: number
  readonly reports: number
  readonly open: number
}

/**
 * Waits until all transactions and jobs have ended, and does what is left to staff. Adds to `faults` what never ends.
 * @returns what was listed for staff
 */
export async function settleAll(world: SettleContext, faults: string[]): Promise<SettleResult> {
  await waitForEnd(world, faults)
  const byStatement = await readStatements(world, faults)
  const railPaid = await settleRailPaid(world, faults)
  if (byStatement + railPaid > 0) await waitForEnd(world, faults)
  return { byStatement, railPaid }
}

async function waitForEnd(world: SettleContext, faults: string[]): Promise<void> {
  const deadline = performance.now() + SETTLED_MS_MAX
  let resendAt = performance.now() + RESEND_EVERY_MS
  for (;;) {
    const remaining = await countRemaining(world.pool)
    if (remaining.jobs + remaining.reports + remaining.open === 0) return
    const farAway = await dueTooLate(world.pool)
    if (farAway.length > 0 || performance.now() > deadline) {
      faults.push(
        `not settled: ${remaining.jobs} jobs, ${remaining.reports} reports of the rail, ${remaining.open} open transactions`,
        ...farAway,
      )
      return
    }
    if (performance.now() > resendAt) {
      resendAt = performance.now() + RESEND_EVERY_MS
      await world.staff.malipo('callback', 'resend', '--since', '7d', '--status', 'PENDING', '--yes')
    }
    await pause(500)
  }
}

async function countRemaining(pool: ChaosEnvironment['pool']): Promise<RemainingWork> {
  const { rows } = await patiently(() =>
    pool.query<RemainingWork>(
      `select (select count(*)::int from jobs) as jobs,
     (select count(*)::int from sandbox.reports where acknowledged_at is null) + (${OWED}) as reports,
     (select count(*)::int from transactions where status in ('PENDING', 'PROCESSING')) as open`,
    ),
  )
  return present(rows[0], 'the remaining work')
}

/** Orders whose last report a simulated operator has not finished sending, or that it will still pay. */
const OWED = `select count(*)::int from (
  select (array_agg(entry ->> 'entry' order by j.id desc))[1] as last, bool_or(entry ->> 'movement' is not null) as is_paid,
    bool_or(entry #>> '{order,effects}' like '%pay_after_all%') as pays_after_all
  from sandbox.operator_journal j where entry ->> 'entry' <> 'carried'
  group by operator, coalesce(entry -> 'order' ->> 'kind', entry ->> 'kind'),
    coalesce(entry -> 'order' ->> 'id', entry ->> 'id')
) o where last <> 'told' or (pays_after_all and not is_paid)`

/** Jobs and reports that are due later than any rule of the gateway allows: settling does not wait for them. */
async function dueTooLate(pool: ChaosEnvironment['pool']): Promise<string[]> {
  const { rows } = await patiently(() =>
    pool.query<{ kind: string; items: number; away_ms: number }>(
      `select kind, count(*)::int as items, round(max(away_ms))::int as away_ms from (
       select w.kind, extract(epoch from w.due_at - clock_timestamp()) * 1000 as away_ms, case w.kind
         when 'deliverCallback' then coalesce((
           select ($1::bigint[])[c.attempts] from callbacks c where c.id = w.subject_id and c.attempts > 0), 0) * 1.1
         when 'pollRail' then $2::bigint when 'resolveUnknownOutcome' then $2::bigint when 'verifyPayout' then $3::bigint when 'expirePage' then 1800000
         else 300000 end + $4::bigint as allowed_ms from jobs w
       union all select 'report of the rail', extract(epoch from due_at - clock_timestamp()) * 1000, $4::bigint
         from sandbox.reports where acknowledged_at is null
     ) due where away_ms > allowed_ms group by kind`,
      [CALLBACK_RETRY_MS, POLL_RAIL_AFTER_MS, HANDSHAKES_MS_MAX, SLACK_MS],
    ),
  )
  return rows.map(
    ({ kind, items, away_ms }) => `due too late: ${items} × ${kind}, up to ${Math.round(away_ms / 1000)} s from now`,
  )
}

/** Whether the schema records payouts that the rail has paid and that are not booked. */
const RECORDED = `select from information_schema.columns
  where table_name = 'transactions' and column_name = 'rail_paid_at'`

/** Staff cover and complete what the gateway lists as paid and not covered: that must be possible. */
async function settleRailPaid({ pool, staff }: SettleContext, faults: string[]): Promise<number> {
  if ((await patiently(() => pool.query(RECORDED))).rowCount === 0) return 0
  const { rows } = await patiently(() =>
    pool.query<{ merchant_reference: string; total: string }>(
      `select merchant_reference, total_minor as total from transactions
       where status = 'FAILED' and rail_paid_at is not null order by id`,
    ),
  )
  if (rows.length === 0) return 0
  const stuck = await staff.malipo('transaction', 'list', '--stuck', '--limit', '1000')
  const unlisted = rows.filter(({ merchant_reference }) => !stuck.out.includes(merchant_reference))
  const [first] = unlisted
  if (first)
    faults.push(
      `paid by the rail, not covered, and not listed by "transaction list --stuck": ${unlisted.length}, ` +
        `for example ${first.merchant_reference}`,
    )
  await staff.deposit(rows.reduce((sum, { total }) => sum + Number(total), 0))
  for (const { merchant_reference } of rows) {
    const { code, err } = await staff.malipo('transaction', 'resolve', merchant_reference, '--completed', ...BECAUSE)
    if (code !== 0) faults.push(`${merchant_reference} was paid by the rail, and cannot be completed: ${err.trim()}`)
  }
  return rows.length
}

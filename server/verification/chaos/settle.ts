import { CALLBACK_RETRY_MS } from '../../domain/callback.ts'
import { present } from '../../domain/present.ts'
import { POLL_RAIL_AFTER_MS } from '../../domain/transaction.ts'
import type { ChaosEnvironment } from './faults/fault.ts'
import { patiently, pause } from './patience.ts'
import { readStatements } from './statements.ts'

const BECAUSE = ['--reason', 'The rail has paid it']

const SETTLED_MS_MAX = 240_000
/** A callback is tried again after 5 s, then after minutes: an operator who does not want to wait sends it again. */
const RESEND_EVERY_MS = 20_000
/** How far away work may be put for good reasons, and some room for what the machine takes. */
const SLACK_MS = 60_000
const HANDSHAKES_MS_MAX = 120_000

export interface SettleResult {
  /** Payments that the operators' statements have completed: they had told it, and nobody heard it. */
  readonly byStatement: number
  /** Payouts of which the gateway itself says that the rail has paid them and no wallet could cover them. */
  readonly railPaid: number
}

/** What it asks, and who does what the gateway leaves to an operator. */
export type SettleContext = Pick<ChaosEnvironment, 'pool' | 'operator'>

interface RemainingWork {
  readonly work: number
  readonly reports: number
  readonly open: number
}

/**
 * Waits until everything has come to its end, and does what is left to an operator. Adds to `faults` what never ends.
 * @returns what was listed for an operator
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
    const left = await countLeft(world.pool)
    if (left.work + left.reports + left.open === 0) return
    const farAway = await dueTooLate(world.pool)
    if (farAway.length > 0 || performance.now() > deadline) {
      faults.push(
        `not settled: ${left.work} items of work, ${left.reports} reports of the rail, ${left.open} open transactions`,
        ...farAway,
      )
      return
    }
    if (performance.now() > resendAt) {
      resendAt = performance.now() + RESEND_EVERY_MS
      await world.operator.malipo('callback', 'resend', '--since', '7d', '--status', 'PENDING', '--yes')
    }
    await pause(500)
  }
}

async function countLeft(pool: ChaosEnvironment['pool']): Promise<RemainingWork> {
  const { rows } = await patiently(() =>
    pool.query<RemainingWork>(
      `select (select count(*)::int from work) as work,
     (select count(*)::int from sandbox.reports where acknowledged_at is null) + (${OWED}) as reports,
     (select count(*)::int from transactions where status in ('PENDING', 'PROCESSING')) as open`,
    ),
  )
  return present(rows[0], 'what is left')
}

/** Orders that an operator on the wire has not told the last result of, or been told that nobody listens. */
const OWED = `select count(*)::int from (
  select (array_agg(entry ->> 'entry' order by j.id desc))[1] as last, bool_or(entry ->> 'movement' is not null) as is_paid,
    bool_or(entry #>> '{order,effects}' like '%pay_after_all%') as pays_after_all
  from sandbox.operator_journal j where entry ->> 'entry' <> 'carried'
  group by operator, coalesce(entry -> 'order' ->> 'kind', entry ->> 'kind'),
    coalesce(entry -> 'order' ->> 'id', entry ->> 'id')
) o where last <> 'told' or (pays_after_all and not is_paid)`

/** Work and reports that wait for a moment which no rule of the gateway puts so far away: nobody waits for it here. */
async function dueTooLate(pool: ChaosEnvironment['pool']): Promise<string[]> {
  const { rows } = await patiently(() =>
    pool.query<{ kind: string; items: number; away_ms: number }>(
      `select kind, count(*)::int as items, round(max(away_ms))::int as away_ms from (
       select w.kind, extract(epoch from w.due_at - clock_timestamp()) * 1000 as away_ms, case w.kind
         when 'deliverCallback' then coalesce((
           select ($1::bigint[])[c.attempts] from callbacks c where c.id = w.subject_id and c.attempts > 0), 0) * 1.1
         when 'askRail' then $2::bigint when 'findOrder' then $2::bigint when 'verifyPayout' then $3::bigint when 'expirePage' then 1800000
         else 300000 end + $4::bigint as allowed_ms from work w
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

/** Whether transactions can say "the rail has paid this and it is not booked". */
const RECORDED = `select from information_schema.columns
  where table_name = 'transactions' and column_name = 'rail_paid_at'`

/** What the gateway lists as paid and not covered an operator covers and completes: that must be possible. */
async function settleRailPaid({ pool, operator }: SettleContext, faults: string[]): Promise<number> {
  if ((await patiently(() => pool.query(RECORDED))).rowCount === 0) return 0
  const { rows } = await patiently(() =>
    pool.query<{ merchant_reference: string; total: string }>(
      `select merchant_reference, total_minor as total from transactions
       where status = 'FAILED' and rail_paid_at is not null order by id`,
    ),
  )
  if (rows.length === 0) return 0
  const stuck = await operator.malipo('transaction', 'list', '--stuck', '--limit', '1000')
  const unlisted = rows.filter(({ merchant_reference }) => !stuck.out.includes(merchant_reference))
  const [first] = unlisted
  if (first)
    faults.push(
      `paid by the rail, not covered, and not listed by "transaction list --stuck": ${unlisted.length}, ` +
        `for example ${first.merchant_reference}`,
    )
  await operator.deposit(rows.reduce((sum, { total }) => sum + Number(total), 0))
  for (const { merchant_reference } of rows) {
    const { code, err } = await operator.malipo('transaction', 'resolve', merchant_reference, '--completed', ...BECAUSE)
    if (code !== 0) faults.push(`${merchant_reference} was paid by the rail, and cannot be completed: ${err.trim()}`)
  }
  return rows.length
}

import type { QueryConfig } from 'pg'
import { REQUESTS } from './approvals.ts'
import type { OrderType } from '../../domain/provider.ts'
import { present } from '../../domain/present.ts'
import { POLL_RAIL_AFTER_MS } from '../../domain/transaction.ts'
import { WAIT_MESSAGES } from '../../domain/payout-waits.ts'
import { CIRCUITS } from '../../storage/rail-circuits.ts'
import { available, type Pool } from '../../storage/pool.ts'
import { FIRST_TIME_ID, idBase } from '../../storage/time-ids.ts'
import { readFigures, type Figure, type Read } from './day-figures.ts'
import { PAID_AGAIN } from './suspense.ts'

// What people look at first. Nothing here reads all payments: figures are counted day by day and remembered, and what
// needs a person is counted in indexes that hold little else.

const DAY_MS = 24 * 3_600_000
const DAYS = 14
/** How long figures are remembered: days that are over hardly change. */
const REMEMBERED_MS = { today: 30_000, before: 3_600_000 } as const
const REMEMBERED_MAX = 2_000
/** A day that takes longer is left out, and is not tried again while it would be remembered. */
const COUNTING_MS_MAX = 5_000
/** Beyond this a person needs no exact number. */
export const COUNTED_MAX = 1_000

interface Count {
  readonly provider_code: string
  readonly type: OrderType
  readonly currency: string
  readonly completed: number
  readonly failed: number
  readonly open: number
  readonly completed_minor: bigint
}

export interface Day {
  /** `2026-11-20`, in UTC. */
  readonly date: string
  readonly counts: readonly Count[]
}

interface Remembered {
  readonly until: number
  readonly day: Day | undefined
}
const remembered = new WeakMap<Pool, Map<string, Remembered>>()

/** The last days, the oldest first; the last one is today. @param merchantId undefined for all merchants */
export async function readDays(pool: Pool, merchantId: bigint | undefined, now: Date): Promise<readonly Day[]> {
  const known = remembered.get(pool) ?? new Map<string, Remembered>()
  remembered.set(pool, known)
  if (known.size > REMEMBERED_MAX) known.clear()
  const today = Math.floor(now.getTime() / DAY_MS)
  const days: Day[] = []
  for (let day = today - DAYS + 1; day <= today; day += 1) {
    const key = `${merchantId ?? ''} ${day}`
    let found = known.get(key)
    if (!found || found.until <= now.getTime()) {
      const until = now.getTime() + (day === today ? REMEMBERED_MS.today : REMEMBERED_MS.before)
      found = { until, day: await countDay(pool, merchantId, new Date(day * DAY_MS)) }
      known.set(key, found)
    }
    if (found.day) days.push(found.day)
  }
  return days
}

async function countDay(pool: Pool, merchantId: bigint | undefined, from: Date): Promise<Day | undefined> {
  const until = new Date(from.getTime() + DAY_MS)
  const read: Read = async <Row extends object>(text: string, values: readonly unknown[]) =>
    (await pool.query<Row>({ text, values: [...values], answerMsMax: COUNTING_MS_MAX } as QueryConfig)).rows
  const by = ['provider_code', 'type', 'currency', 'status'] as const
  const counts = await readFigures(read, from, until, { merchantId, by }).then(countsOf, () => undefined)
  return counts && { date: from.toISOString().slice(0, 10), counts }
}

const countsOf = (figures: readonly Figure[]): readonly Count[] =>
  Map.groupBy(figures, (figure) => `${figure.provider_code} ${figure.type} ${figure.currency}`)
    .entries()
    .toArray()
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, of]) => {
      const paymentsIn = (...statuses: readonly string[]): number =>
        of.reduce((sum, { status, payments }) => sum + (statuses.includes(status) ? payments : 0), 0)
      const { provider_code, type, currency } = present(of[0], 'a figure of the group')
      return {
        provider_code,
        type,
        currency,
        completed: paymentsIn('COMPLETED'),
        failed: paymentsIn('FAILED', 'CANCELLED'),
        open: paymentsIn('PENDING', 'PROCESSING'),
        completed_minor: of.find(({ status }) => status === 'COMPLETED')?.amount_minor ?? 0n,
      }
    })

/** What may need a person, as the contract calls it. */
export type AttentionKind =
  | 'unknown_outcomes'
  | 'stuck_payments'
  | 'paid_not_booked'
  | 'quarantined_jobs'
  | 'failing_callbacks'
  | 'unexplained_balances'
  | 'open_circuits'
  | 'low_floats'
  | 'open_exceptions'
  | 'on_suspense'
  | 'approvals'

const limited = (rows: string): string => `(select count(*)::int from (${rows} limit ${COUNTED_MAX + 1}) as counted)`

/** $2 is the merchant. What a worker holds has been due, what waits for another attempt is due later. */
const FAILING_CALLBACKS = `select from jobs where kind = 'deliverCallback' and due_at > $1::timestamptz + interval '1 minute'
  and ($2::bigint is null or (destination >= $2 || '/' collate "C" and destination < $2 || '0' collate "C"))`

const WAITING = `select from ${REQUESTS} where state = 'waiting' and expires_at > $1`

/** Between these ids are the jobs of what was accepted long ago: few. */
const STUCK = `select from jobs where subject_id >= $3 and subject_id < $4 and kind in ('submitToRail', 'pollRail', 'submitRefund', 'pollRefund')`

/** Below what staff have set, or too little for payouts that wait. */
const LOW_FLOATS = `select from rail_balances b
  join rail_accounts a on a.name = b.rail_account and a.currency = b.currency and a.removed_at is null
  where b.float_minor < b.float_low_minor or exists (select from payout_waits w join transactions t on t.id = w.transaction_id
    where w.rail_account = b.rail_account and t.status_message = '${WAIT_MESSAGES.float}')`

const FOR_STAFF: Readonly<Record<AttentionKind, string>> = {
  unknown_outcomes: `select from jobs where kind in ('resolveUnknownOutcome', 'resolveRefund')`,
  stuck_payments: STUCK,
  paid_not_booked: `select from transactions where rail_paid_at is not null and status = 'FAILED'`,
  on_suspense: `select from transactions t where ${PAID_AGAIN}`,
  quarantined_jobs: 'select from jobs where failures > 0',
  failing_callbacks: FAILING_CALLBACKS,
  unexplained_balances: `select from rail_balances b join rail_accounts a on a.name = b.rail_account and a.removed_at is null
    where b.unexplained_minor <> 0`,
  open_circuits: `select from (${CIRCUITS}) circuits`,
  low_floats: LOW_FLOATS,
  open_exceptions: 'select from reconciliation_exceptions where ended_at is null',
  approvals: `${WAITING} and transaction_id is null and $2::bigint is null`,
}
const FOR_MERCHANTS: Partial<typeof FOR_STAFF> = {
  failing_callbacks: FAILING_CALLBACKS,
  approvals: `${WAITING} and transaction_id is not null and merchant_id = $2`,
}

/**
 * How much needs a person, counted up to one more than `COUNTED_MAX`.
 * @param merchantId undefined for staff
 * @param only absent: everything
 */
export const readAttention = (
  pool: Pool,
  merchantId: bigint | undefined,
  now: Date,
  only?: readonly AttentionKind[],
): Promise<Readonly<Partial<Record<AttentionKind, number>>>> =>
  available(async () => {
    const all = Object.entries(merchantId === undefined ? FOR_STAFF : FOR_MERCHANTS) as [AttentionKind, string][]
    const kinds = all.filter(([kind]) => only?.includes(kind) ?? true)
    const stuckSince = idBase(new Date(now.getTime() - POLL_RAIL_AFTER_MS))
    const { rows } = await pool.query<Record<AttentionKind, number>>(
      `with given as (select $1::timestamptz, $2::bigint, $3::bigint, $4::bigint)
       select ${kinds.map(([kind, sql]) => `${limited(sql)} as ${kind}`).join(', ')}`,
      [now, merchantId, FIRST_TIME_ID, stuckSince],
    )
    return rows[0] ?? {}
  })

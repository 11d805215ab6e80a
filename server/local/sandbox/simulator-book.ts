import type { RailReport } from '../../actions/ports/rail.ts'
import type { FailureCode } from '../../domain/failure-code.ts'
import { present } from '../../domain/present.ts'
import type { RailOutcome } from '../../domain/transaction.ts'
import { optimizerFence } from '../../storage/optimizer-fence.ts'
import { available, inTransaction, isUnavailable, type Pool, type Queryable } from '../../storage/pool.ts'
import { jsonRows } from '../../storage/rows.ts'
import type { BookedOrder, Plan, SimulatedOrder, SimulatorBook } from './simulator.ts'

/** The operators' side of the sandbox, in the database: the orders, and when each result is reported. */
export const createSimulatorBook = (pool: Pool): SimulatorBook => ({
  submit: (orders, planOf, now) => inTransaction(pool, (client) => submitOrders(client, orders, planOf, now)),

  find: (references, now) =>
    available(async () => {
      const { rows } = await pool.query<{
        reference: string
        accepted: boolean
        status: RailOutcome['status'] | null
        reason: string | null
        code: FailureCode | null
      }>(
        `select o.reference, o.accepted_at is not null as accepted, r.status, r.reason, r.code
       from sandbox.orders o
       left join lateral (select status, reason, code from sandbox.reports where reference = o.reference and due_at <= $2 order by due_at desc, id desc limit 1) r on true
       where o.reference = any($1)`,
        [references, now],
      )
      return rows.map(({ reference, accepted, status, reason, code }) => ({
        reference,
        accepted,
        ...(status && { outcome: toOutcome({ status, reason, code }) }),
      }))
    }),

  reportDue: (now, limit, report, quarantined) =>
    inTransaction(pool, async (client) => {
      // Locked while the gateway settles: several processes report different rows, and an unacknowledged report is
      // repeated.
      const { rows } = await client.query<ReportRow>({
        name: 'due-reports',
        text: `select id, reference, status, reason, code, failures from sandbox.reports
             where acknowledged_at is null and due_at <= $1 and (again_at is null or again_at <= $1) order by due_at, id limit $2 for update skip locked`,
        values: [now, limit],
      })
      if (rows.length === 0) return 0
      const { taken, refused } = await handOver(rows, report)
      await client.query({
        name: 'acknowledge-reports',
        // Optimizer fence: finds the rows by reference alone. With both columns, each id would be tried under each
        // reference. The ids are hashed: a parameter's array would be searched for each row.
        text: `update sandbox.reports set acknowledged_at = $3
               where reference = any($2) and ${optimizerFence('id in (select unnest($1::bigint[]))')}`,
        values: [taken.map(({ id }) => id), taken.map(({ reference }) => reference), now],
      })
      for (const { row, error } of refused) {
        const againAt = new Date(now.getTime() + quarantined(error, row.reference, row.failures))
        await client.query(
          'update sandbox.reports set failures = failures + 1, again_at = $3 where reference = $2 and id = $1',
          [row.id, row.reference, againAt],
        )
      }
      return taken.length
    }),

  nextReport: () => available(() => nextReport(pool)),
})

async function nextReport(pool: Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ due_at: Date | null }>({
    name: 'next-report',
    text: 'select min(greatest(due_at, again_at)) as due_at from sandbox.reports where acknowledged_at is null',
  })
  return rows[0]?.due_at ?? undefined
}

interface ReportRow {
  readonly id: bigint
  readonly reference: string
  readonly status: RailOutcome['status']
  readonly reason: string | null
  readonly code: FailureCode | null
  readonly failures: number
}

interface HandedOver {
  readonly taken: readonly ReportRow[]
  readonly refused: readonly { readonly row: ReportRow; readonly error: unknown }[]
}

/**
 * Reports all at once. If that fails and the database is available, reports one by one in order, so that a bad report
 * does not block the others.
 */
async function handOver(
  rows: readonly ReportRow[],
  report: (reports: readonly RailReport[]) => Promise<void>,
): Promise<HandedOver> {
  try {
    await report(rows.map((row) => ({ internalReference: row.reference, outcome: toOutcome(row) })))
    return { taken: rows, refused: [] }
  } catch (error) {
    const [row] = rows
    if (isUnavailable(error)) throw error
    if (rows.length === 1 && row) return { taken: [], refused: [{ row, error }] }
  }
  const parts: HandedOver[] = []
  for (const row of rows) parts.push(await handOver([row], report))
  return { taken: parts.flatMap(({ taken }) => taken), refused: parts.flatMap(({ refused }) => refused) }
}

const toOutcome = ({ status, reason, code }: Pick<ReportRow, 'status' | 'reason' | 'code'>): RailOutcome =>
  status === 'COMPLETED' ? { status } : { status, reason: reason ?? '', ...(code !== null && { code }) }

async function submitOrders(
  client: Queryable,
  orders: readonly SimulatedOrder[],
  planOf: (order: SimulatedOrder) => Plan,
  now: Date,
): Promise<readonly BookedOrder[]> {
  const plans = new Map(orders.map((order) => [order.internalReference, planOf(order)]))
  const acceptedAtOnce = ({ internalReference }: SimulatedOrder) => plans.get(internalReference)?.unreachableTries === 0
  const { rows } = await client.query<{ reference: string; tries: number; accepted: boolean }>({
    name: 'note-tries',
    text: `
      insert into sandbox.orders as o (reference, account, amount_minor, currency, tries, accepted_at, transfers)
      select reference, account, amount_minor, currency, 1, case when at_once then $2::timestamptz end, transfers
      from json_to_recordset($1) as r(reference text, account text, amount_minor bigint, currency text, at_once boolean,
        transfers int) order by reference
      on conflict (reference) do update set tries = o.tries + 1
      returning reference, tries, accepted_at is not null as accepted`,
    values: [
      jsonRows(
        orders.map((order) => ({
          reference: order.internalReference,
          account: order.account,
          amount_minor: order.amount.amountMinor,
          currency: order.amount.currency,
          at_once: acceptedAtOnce(order),
          transfers: acceptedAtOnce(order) ? movesOf(plans.get(order.internalReference)) : 0,
        })),
      ),
      now,
    ],
  })
  const booked = rows.map(({ reference, tries, accepted }) => {
    const plan = present(plans.get(reference), 'the plan of an order')
    // This statement has just stored the first try of an order that is accepted at once.
    const atOnce = tries === 1 && accepted
    return { reference, tries, plan, atOnce, acceptedNow: atOnce || (!accepted && tries > plan.unreachableTries) }
  })
  const acceptedNow = booked.filter((order) => order.acceptedNow)
  await acceptOrders(
    client,
    acceptedNow.filter(({ atOnce }) => !atOnce),
    now,
  )
  await planReports(client, acceptedNow, now)
  return booked
}

const movesOf = (plan: Plan | undefined): number =>
  plan?.reports.some(({ outcome }) => outcome.status === 'COMPLETED') ? 1 : 0

interface PlannedOrder {
  readonly reference: string
  readonly plan: Plan
}

async function acceptOrders(client: Queryable, orders: readonly PlannedOrder[], now: Date): Promise<void> {
  if (orders.length === 0) return
  await client.query({
    name: 'accept-orders',
    text: `update sandbox.orders o set accepted_at = $2, transfers = transfers + r.moves
           from json_to_recordset($1) as r(reference text, moves int) where o.reference = r.reference`,
    values: [jsonRows(orders.map(({ reference, plan }) => ({ reference, moves: movesOf(plan) }))), now],
  })
}

async function planReports(client: Queryable, orders: readonly PlannedOrder[], now: Date): Promise<void> {
  const reports = orders.flatMap(({ reference, plan }) =>
    plan.reports.map(({ afterMs, outcome }) => ({
      reference,
      due_at: new Date(now.getTime() + afterMs),
      status: outcome.status,
      ...(outcome.status === 'FAILED' && { reason: outcome.reason, code: outcome.code }),
    })),
  )
  if (reports.length === 0) return
  await client.query({
    name: 'plan-reports',
    text: `insert into sandbox.reports (reference, due_at, status, reason, code)
           select reference, due_at, status, reason, code
           from json_to_recordset($1) as r(reference text, due_at timestamptz, status text, reason text, code text)`,
    values: [jsonRows(reports)],
  })
}

import type { RailOrder, RailReport } from '../actions/ports/rail.ts'
import type { FailureCode } from '../domain/failure-code.ts'
import { present } from '../domain/present.ts'
import type { RailOutcome } from '../domain/transaction.ts'
import { available, inTransaction, isUnavailable, type Pool, type Queryable } from '../storage/pool.ts'
import { jsonRows } from '../storage/rows.ts'
import type { BookedOrder, Plan, SimulatorBook } from './simulator.ts'

/** The operators' side of the sandbox, in the database: what was ordered, and what is reported when. */
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

  reportDue: (now, limit, report, putAside) =>
    inTransaction(pool, async (client) => {
      // Held while the gateway settles: of several processes each reports different ones, and an unacknowledged report
      // comes again.
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
        text: 'update sandbox.reports set acknowledged_at = $2 where id = any($1)',
        values: [taken.map(({ id }) => id), now],
      })
      for (const { row, error } of refused) {
        const againAt = new Date(now.getTime() + putAside(error, row.reference, row.failures))
        await client.query('update sandbox.reports set failures = failures + 1, again_at = $2 where id = $1', [
          row.id,
          againAt,
        ])
      }
      return taken.length
    }),
})

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
 * All at once; when that fails for another reason than the database being away, one by one in their order, so that a
 * bad one holds up no other.
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
  orders: readonly RailOrder[],
  planOf: (order: RailOrder) => Plan,
  now: Date,
): Promise<readonly BookedOrder[]> {
  const plans = new Map(orders.map((order) => [order.internalReference, planOf(order)]))
  const { rows } = await client.query<{ reference: string; tries: number; accepted: boolean }>({
    name: 'note-tries',
    text: `
      insert into sandbox.orders as o (reference, account, amount_minor, currency, tries)
      select reference, account, amount_minor, currency, 1
      from json_to_recordset($1) as r(reference text, account text, amount_minor bigint, currency text) order by reference
      on conflict (reference) do update set tries = o.tries + 1
      returning reference, tries, accepted_at is not null as accepted`,
    values: [
      jsonRows(
        orders.map(({ internalReference, account, amount }) => ({
          reference: internalReference,
          account,
          amount_minor: amount.amountMinor,
          currency: amount.currency,
        })),
      ),
    ],
  })
  const booked = rows.map(({ reference, tries, accepted }) => {
    const plan = present(plans.get(reference), 'the plan of an order')
    return { reference, tries, plan, acceptedNow: !accepted && tries > plan.unreachableTries }
  })
  await acceptOrders(
    client,
    booked.filter(({ acceptedNow }) => acceptedNow),
    now,
  )
  return booked
}

async function acceptOrders(
  client: Queryable,
  orders: readonly { reference: string; plan: Plan }[],
  now: Date,
): Promise<void> {
  if (orders.length === 0) return
  const moves = (plan: Plan) => (plan.reports.some(({ outcome }) => outcome.status === 'COMPLETED') ? 1 : 0)
  await client.query({
    name: 'accept-orders',
    text: `update sandbox.orders o set accepted_at = $2, transfers = transfers + r.moves
           from json_to_recordset($1) as r(reference text, moves int) where o.reference = r.reference`,
    values: [jsonRows(orders.map(({ reference, plan }) => ({ reference, moves: moves(plan) }))), now],
  })
  const reports = orders.flatMap(({ reference, plan }) =>
    plan.reports.map(({ afterMs, outcome }) => ({
      reference,
      due_at: new Date(now.getTime() + afterMs),
      status: outcome.status,
      ...(outcome.status === 'FAILED' && { reason: outcome.reason, code: outcome.code }),
    })),
  )
  await client.query({
    name: 'plan-reports',
    text: `insert into sandbox.reports (reference, due_at, status, reason, code)
           select reference, due_at, status, reason, code
           from json_to_recordset($1) as r(reference text, due_at timestamptz, status text, reason text, code text)`,
    values: [jsonRows(reports)],
  })
}

import type { DoubtfulLine, HandedOrder, MovedLine, Rules, Subject } from '../../../domain/reconciliation.ts'
import type { Queryable } from '../../../storage/pool.ts'
import { DIRECTION, long, PAID } from './bounds.ts'

/** What is judged together, with the data for its bookings. */
export interface StoredSubject extends Subject {
  readonly providerCode: string | undefined
}

const PAGE = 2_000
/** An order may end long after its submission; one that ended later than this is not reported as missing. */
const ORDER_AGE_MAX = `interval '31 days'`

/** Which payments a run compares with the statements, by their end: those that earlier runs have not. */
export interface JudgedPeriod {
  readonly from: Date
  readonly until: Date
}

/**
 * All subjects that may have something open, in pages: orders with an unsettled line, with an open exception, or
 * without a line that they should have by now; then lines without an order. Lines that simply agree are settled
 * already.
 */
export async function* openSubjects(
  client: Queryable,
  railAccount: string,
  judged: JudgedPeriod,
): AsyncGenerator<readonly StoredSubject[]> {
  await client.query(
    long(
      `create temporary table subjects on commit drop as
       select transaction_id from statement_lines
         where rail_account = $1 and settled_at is null and transaction_id is not null
       union
       select transaction_id from reconciliation_exceptions
         where rail_account = $1 and ended_at is null and overtakes is null and transaction_id is not null
       union
       select t.id from transactions t
         where t.id in (select transaction_id from rail_references
             where rail_account = $1 and recorded_at between $2::timestamptz - ${ORDER_AGE_MAX} and $3)
           and t.rail_account = $1 and t.status = 'COMPLETED' and t.final_at > $2 and t.final_at <= $3
           and not exists (select from statement_lines l
             where l.transaction_id = t.id and l.amount_minor > 0 and l.direction = ${DIRECTION})`,
      [railAccount, judged.from, judged.until],
    ),
  )
  yield* ordersInPages(client, railAccount)
  yield* thirdPartiesInPages(client, railAccount)
}

interface LineRow {
  readonly id: bigint
  readonly reference: string
  readonly occurrence: number
  readonly at: Date
  readonly direction: 'in' | 'out'
  readonly amount_minor: bigint
  readonly fee_minor: bigint
  readonly expected_fee_minor: bigint | null
}

interface OrderRow {
  readonly transaction_id: bigint
  readonly type: HandedOrder['type']
  readonly status: HandedOrder['status']
  readonly paid_minor: bigint
  readonly final_at: Date | null
  readonly provider_code: string
}

const LINE = 'l.id, l.reference, l.occurrence, l.at, l.direction, l.amount_minor, l.fee_minor, l.expected_fee_minor'

async function* ordersInPages(client: Queryable, railAccount: string): AsyncGenerator<readonly StoredSubject[]> {
  for (let after = 0n; ;) {
    const { rows: orders } = await client.query<OrderRow>(
      long(
        `select t.id as transaction_id, t.type, t.status, ${PAID} as paid_minor, t.final_at, t.provider_code
         from (select transaction_id from subjects where transaction_id > $1 order by transaction_id limit ${PAGE}) s
           join transactions t on t.id = s.transaction_id order by t.id`,
        [after],
      ),
    )
    const last = orders.at(-1)
    if (!last) return
    after = last.transaction_id
    const { rows: lines } = await client.query<LineRow & { transaction_id: bigint }>(
      long(
        `select l.transaction_id, ${LINE} from statement_lines l where l.transaction_id = any($1) and l.rail_account = $2`,
        [orders.map(({ transaction_id }) => transaction_id), railAccount],
      ),
    )
    const byOrder = Map.groupBy(lines, ({ transaction_id }) => transaction_id)
    yield orders.map((order) => ({
      order: toOrder(order),
      lines: (byOrder.get(order.transaction_id) ?? []).map(toLine),
      providerCode: order.provider_code,
    }))
  }
}

/** A line without an order; where it is doubtful, parts may be unknown. */
interface ThirdPartyRow extends Omit<LineRow, 'direction' | 'amount_minor'> {
  readonly direction: 'in' | 'out' | null
  readonly amount_minor: bigint | null
  readonly doubt: DoubtfulLine['doubt'] | null
}

async function* thirdPartiesInPages(client: Queryable, railAccount: string): AsyncGenerator<readonly StoredSubject[]> {
  // Starts before every name: an unclear entry may have an empty one.
  for (let after: string | undefined; ;) {
    const { rows } = await client.query<ThirdPartyRow>(
      long(
        `select ${LINE}, l.doubt from statement_lines l
         where l.rail_account = $1 and l.settled_at is null and l.transaction_id is null and l.reference in (
           select distinct reference from statement_lines
           where rail_account = $1 and settled_at is null and transaction_id is null and ($2::text is null or reference > $2)
           order by reference limit ${PAGE})
         order by l.reference`,
        [railAccount, after],
      ),
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.reference
    yield [...Map.groupBy(rows, ({ reference }) => reference).values()].map((lines) => ({
      lines: lines.flatMap((row) => (isCertain(row) ? [toLine(row)] : [])),
      doubtful: lines.flatMap(({ id, doubt, direction, amount_minor: amountMinor }) =>
        doubt ? [{ id, doubt, ...(direction && { direction }), ...(amountMinor !== null && { amountMinor }) }] : [],
      ),
      providerCode: undefined,
    }))
  }
}

const isCertain = (row: ThirdPartyRow): row is ThirdPartyRow & LineRow => row.doubt === null

const toOrder = ({ transaction_id, type, status, paid_minor, final_at }: OrderRow): HandedOrder => ({
  transactionId: transaction_id,
  type,
  status,
  amountMinor: paid_minor,
  ...(final_at && { finalAt: final_at }),
})

const toLine = (row: LineRow): MovedLine => ({
  id: row.id,
  reference: row.reference,
  occurrence: row.occurrence,
  at: row.at,
  direction: row.direction,
  amountMinor: row.amount_minor,
  feeMinor: row.fee_minor,
  ...(row.expected_fee_minor !== null && { expectedFeeMinor: row.expected_fee_minor }),
})

/**
 * Settles in one statement what simply agrees, which is nearly everything: one line, with the ordered amount, in time
 * and with the expected fee, and without an open exception. Exactly the lines for which `judge` finds no difference.
 * @returns how many lines
 */
export async function settleWhatAgrees(
  client: Queryable,
  railAccount: string,
  { windowMs }: Rules,
  now: Date,
): Promise<number> {
  const { rowCount } = await client.query(
    long(
      `update statement_lines l set settled_at = $3 from (
         select l.transaction_id from statement_lines l join transactions t on t.id = l.transaction_id
         where l.rail_account = $1 and t.status = 'COMPLETED' and l.transaction_id in (
           select transaction_id from statement_lines
           where rail_account = $1 and settled_at is null and transaction_id is not null)
         group by l.transaction_id
         having count(*) filter (where l.amount_minor > 0) = 1
           and bool_and(l.amount_minor = 0 or (l.amount_minor = ${PAID} and l.direction = ${DIRECTION}
             and l.at <= t.final_at + $2 * interval '1 millisecond'))
           and (bool_or(l.amount_minor > 0 and l.expected_fee_minor is null)
             or sum(l.fee_minor) = sum(l.expected_fee_minor) filter (where l.amount_minor > 0))
       ) agreed
       where l.transaction_id = agreed.transaction_id and l.rail_account = $1 and l.settled_at is null
         and not exists (select from reconciliation_exceptions e
           where (e.transaction_id = l.transaction_id or e.line_id = l.id)
             and (e.ended_at is null or e.ended_by <> 'reconcile'))`,
      [railAccount, windowMs, now],
    ),
  )
  return rowCount ?? 0
}

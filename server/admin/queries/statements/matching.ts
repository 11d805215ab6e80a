import { chooseOrder, type Candidate } from '../../../domain/statement-matching.ts'
import { money } from '../../../domain/money.ts'
import type { StatementSettlement } from '../../../actions/ports/statements.ts'
import { OUR_REFERENCE } from '../../../actions/ports/rail-references.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { inTransaction, type Pool, type Queryable } from '../../../storage/pool.ts'
import { jsonRows } from '../../../storage/rows.ts'
import { DIRECTION, forStatements, long, PAID } from './bounds.ts'
import { lockRailAccount } from './import.ts'

/** How an operator's statements refer to the orders of a rail account. */
export interface StatementNames {
  readonly receipt: Readonly<Record<'COLLECTION' | 'PAYOUT', string>>
  readonly ourReference?: { readonly name: string; of(orderId: string): string }
}

const BATCH = 5_000
/** An operator may report an order long after its submission; older orders are not matched. */
const ORDER_AGE_MAX = `interval '31 days'`

/**
 * Matches lines that carry a reference which stands for our order id. A hash of the id is unique to the order. A payer
 * reference, which the merchant chose, is not: customers also pay with it without a prompt, and two days later another
 * order may have the same one. So amount and direction must match the order too, and of several orders the last one
 * that was submitted before the line wins. Clocks differ, and some statements only have days.
 */
const BY_PAYER_REFERENCE = `
  select distinct on (l.id, case when not n.is_chosen then n.transaction_id end) l.id, n.transaction_id, true
  from open_lines l join lateral (
    select r.transaction_id, first.at, exists (select from rail_references o
        where o.transaction_id = r.transaction_id and o.name = '${OUR_REFERENCE}' and o.recorded_at = r.recorded_at) as is_chosen
    from rail_references r cross join lateral (select min(o.recorded_at) as at from rail_references o
        where o.transaction_id = r.transaction_id and o.name = '${OUR_REFERENCE}') first
    where upper(r.reference) = upper(l.our_reference) and r.rail_account = $1 and r.name = $2
  ) n on true join transactions t on t.id = n.transaction_id
  where not n.is_chosen or (l.direction = ${DIRECTION} and l.amount_minor = ${PAID} and n.at <= l.at + interval '1 day')
  order by l.id, case when not n.is_chosen then n.transaction_id end, n.at <= l.at + interval '30 minutes' desc,
    abs(extract(epoch from l.at - n.at))`

/**
 * Matches a line that names the receipt of the collection which it gives back: operators take no id of ours with a
 * refund, and one without a result has no receipt of its own yet. The refund takes the line's amount, and rather than
 * one that failed or has its line, one that is open.
 */
const BY_COLLECTION = `
  select l.id, refund.id, true from open_lines l cross join lateral (
    select t.id from rail_references r join refunds f on f.collection_id = r.transaction_id
      join transactions t on t.id = f.transaction_id
    where r.rail_account = $1 and r.reference in (l.our_reference, upper(l.our_reference))
      and r.name not in ('${OUR_REFERENCE}', $2)
      and t.rail_account = $1 and t.refund ->> 'way' = 'refund' and ${PAID} = l.amount_minor
    order by exists (select from statement_lines o where o.transaction_id = t.id and o.amount_minor > 0),
      t.status = 'FAILED', t.id limit 1
  ) refund
  where l.direction = 'out'
    and not exists (select from rail_references o where o.rail_account = $1 and o.reference = l.reference)`

/**
 * Matches a line that carries the reference of an expected payment, which is open, in the amount that is expected. A
 * receipt that is booked for another collection is that one's.
 */
const BY_EXPECTED = `
  select l.id, e.transaction_id, true from open_lines l
    join expected_payments e on e.paid_to = $1 and e.is_open
      and e.reference = upper(regexp_replace(l.our_reference, '[[:space:]-]', '', 'g'))
    join transactions t on t.id = e.transaction_id
  where l.direction = 'in' and l.amount_minor between e.min_minor and e.max_minor and t.status = 'PENDING'
    and l.at < e.expires_at and l.at >= t.created_at - interval '1 day'
    and not exists (select from statement_lines o where o.transaction_id = e.transaction_id)
    and not exists (select from unrequested_payments p
      where p.rail_account = $1 and p.receipt = l.reference and p.transaction_id is not null)`

/** Matches all lines that have no order yet. */
export const matchLines = (pool: AuditedPool, railAccount: string, names: StatementNames, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    await forStatements(client)
    await lockRailAccount(client, railAccount)
    if (names.ourReference) await nameOrders(client, railAccount, names.ourReference, now)
    await client.query(
      long(
        `create temporary table candidates on commit drop as
         with open_lines as (
           select id, reference, our_reference, at, direction, amount_minor, booked_on from statement_lines
           where rail_account = $1 and settled_at is null and transaction_id is null and doubt is null
         ), named as (
           select l.id, r.transaction_id, true as ours from open_lines l
             join rail_references r on r.reference = l.our_reference and r.rail_account = $1 and r.name = '${OUR_REFERENCE}'
           union
           ${names.ourReference ? `(${BY_PAYER_REFERENCE}) union` : ''}
           ${BY_COLLECTION}
           union
           ${BY_EXPECTED}
           union
           select l.id, r.transaction_id, false from open_lines l
             join rail_references r on r.reference = l.reference and r.rail_account = $1
               and r.name not in ('${OUR_REFERENCE}', $2)
             -- Where the bank numbers the entries of each day anew, the name is that of another movement.
             where not exists (select from statement_lines o where o.transaction_id = r.transaction_id
                and o.rail_account = $1 and o.reference = l.reference and o.direction = l.direction and o.amount_minor > 0
                and o.booked_on <> l.booked_on)
         )
         select id as line_id, transaction_id, bool_or(ours) as ours, count(*) over (partition by id) as of_line
         from named group by 1, 2`,
        [railAccount, names.ourReference?.name ?? ''],
      ),
    )
    await client.query(
      long(
        `update statement_lines l set transaction_id = c.transaction_id from candidates c
         where c.line_id = l.id and c.of_line = 1 and exists (select from transactions t where t.id = c.transaction_id)`,
      ),
    )
    await chooseAmongSeveral(client)
    await matchFees(client, railAccount)
    await reportReceipts(client, railAccount, names, now)
  })

const OPEN_FEES = `rail_account = $1 and settled_at is null and transaction_id is null and amount_minor = 0 and doubt is null`

/**
 * The fee of a movement may be a line of its own. References may be reused on other days: the nearest in time wins. A
 * table with an index, because there may be thousands of lines with one reference.
 */
async function matchFees(client: Queryable, railAccount: string): Promise<void> {
  const { rowCount } = await client.query(
    long(
      `create temporary table movements on commit drop as
       select distinct on (reference, at) reference, at, id, transaction_id from statement_lines
       where rail_account = $1 and amount_minor > 0 and transaction_id is not null
         and reference in (select reference from statement_lines where ${OPEN_FEES})
       order by reference, at, id`,
      [railAccount],
    ),
  )
  if (!rowCount) return
  await client.query(long('create index on movements (reference, at); analyze movements'))
  await client.query(
    long(
      `update statement_lines c set transaction_id = n.transaction_id from (
         select f.id, m.transaction_id from (select id, reference, at from statement_lines where ${OPEN_FEES}) f
           cross join lateral (
             select * from (
               (select * from movements b where b.reference = f.reference and b.at <= f.at order by b.at desc limit 1)
               union all
               (select * from movements a where a.reference = f.reference and a.at > f.at order by a.at limit 1)
             ) nearest order by greatest(nearest.at - f.at, f.at - nearest.at), nearest.id limit 1
           ) m
       ) n where n.id = c.id`,
      [railAccount],
    ),
  )
}

/**
 * Stores the reference that lines carry in place of the order id for orders without one: it is derived from the id and
 * was not stored. Orders that were submitted with a stored reference have had theirs since then.
 */
async function nameOrders(
  client: Queryable,
  railAccount: string,
  { name, of }: NonNullable<StatementNames['ourReference']>,
  now: Date,
): Promise<void> {
  let after = [0n, '']
  for (;;) {
    const { rows } = await client.query<{ transaction_id: bigint; reference: string }>(
      long(
        `select r.transaction_id, r.reference from rail_references r
         where r.rail_account = $1 and r.name = '${OUR_REFERENCE}' and (r.transaction_id, r.reference) > ($3, $4)
           and r.recorded_at >= (select min(at) - ${ORDER_AGE_MAX} from statement_lines
             where rail_account = $1 and settled_at is null and transaction_id is null and doubt is null)
           and (select count(*) from rail_references o where o.transaction_id = r.transaction_id and o.name = $2)
             < (select count(*) from rail_references o where o.transaction_id = r.transaction_id and o.name = r.name)
           and (select count(*) from rail_references o
             where o.transaction_id = r.transaction_id and o.name = $2 and o.recorded_at <= r.recorded_at) = 0
         order by 1, 2 limit ${BATCH}`,
        [railAccount, name, ...after],
      ),
    )
    const last = rows.at(-1)
    if (!last) return
    after = [last.transaction_id, last.reference]
    await client.query(
      long(
        `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
         select r.transaction_id, $2, $3, r.reference, $4
         from json_to_recordset($1) as r(transaction_id bigint, reference text) on conflict do nothing`,
        [
          jsonRows(rows.map(({ transaction_id, reference }) => ({ transaction_id, reference: of(reference) }))),
          railAccount,
          name,
          now,
        ],
      ),
    )
  }
}

interface CandidateRow {
  readonly line_id: bigint
  readonly line_direction: 'in' | 'out'
  readonly line_minor: bigint
  readonly transaction_id: bigint
  readonly ours: boolean
  readonly direction: 'in' | 'out'
  readonly paid_minor: bigint
}

async function chooseAmongSeveral(client: Queryable): Promise<void> {
  const { rows } = await client.query<CandidateRow>(
    long(
      `select c.line_id, l.direction as line_direction, l.amount_minor as line_minor, c.transaction_id, c.ours,
         ${DIRECTION} as direction, ${PAID} as paid_minor
       from candidates c join statement_lines l on l.id = c.line_id join transactions t on t.id = c.transaction_id
       where c.of_line > 1 order by c.line_id`,
    ),
  )
  const chosen = [...Map.groupBy(rows, ({ line_id }) => line_id)].flatMap(([lineId, candidates]) => {
    const [line] = candidates
    const order =
      line && chooseOrder({ direction: line.line_direction, amountMinor: line.line_minor }, candidates.map(toCandidate))
    return order ? [{ id: lineId, transaction_id: order.transactionId }] : []
  })
  if (chosen.length === 0) return
  await client.query(
    long(
      `update statement_lines l set transaction_id = r.transaction_id
       from json_to_recordset($1) as r(id bigint, transaction_id bigint) where r.id = l.id`,
      [jsonRows(chosen)],
    ),
  )
}

const toCandidate = ({ transaction_id, ours, direction, paid_minor }: CandidateRow): Candidate => ({
  transactionId: transaction_id,
  by: ours ? 'ours' : 'theirs',
  direction,
  amountMinor: paid_minor,
})

/**
 * An order without a receipt gets that of its line: people search by it. An order that has one keeps it, because later
 * reports of the operator are compared with it.
 */
const reportReceipts = (
  client: Queryable,
  railAccount: string,
  { receipt }: StatementNames,
  now: Date,
): Promise<unknown> =>
  client.query(
    long(
      `insert into rail_references (transaction_id, rail_account, name, reference, recorded_at)
       select distinct on (t.id) t.id, $1, case when t.type in ('COLLECTION', 'ATTEMPT') then $2 else $3 end, l.reference, $4::timestamptz
       from candidates c join statement_lines l on l.id = c.line_id and l.transaction_id = c.transaction_id
         join transactions t on t.id = l.transaction_id
       where c.ours and l.direction = ${DIRECTION} and l.amount_minor = ${PAID} and t.status <> 'PENDING'
         and not exists (select from rail_references r
           where r.transaction_id = t.id and r.name = case when t.type in ('COLLECTION', 'ATTEMPT') then $2 else $3 end)
       order by t.id, l.at, l.id on conflict do nothing`,
      [railAccount, receipt.COLLECTION, receipt.PAYOUT, now],
    ),
  )

/**
 * Orders without a result, or with a failure, whose money moved according to the statement, in exactly the ordered
 * amount. Each is reported once.
 */
export async function linesToReport(
  pool: Pool,
  railAccount: string,
  limit: number,
): Promise<readonly StatementSettlement[]> {
  const { rows } = await pool.query<Omit<StatementSettlement, 'received'> & { readonly received: ReceivedRow | null }>(
    long(
      `select distinct on (t.id) l.id as "lineId", t.internal_reference as "internalReference", t.type,
         l.reference as receipt, t.status in ('PENDING', 'PROCESSING') as "isOpen", case when t.status = 'PENDING' then
           json_build_object('minor', l.amount_minor::text, 'currency', l.currency, 'account', l.account, 'at', l.at) end as received, i.name as statement, i.id as "importId",
         l.line_number as "lineNumber"
       from statement_lines l join transactions t on t.id = l.transaction_id join statement_imports i on i.id = l.import_id
       where l.rail_account = $1 and l.settled_at is null and l.reported_at is null and l.direction = ${DIRECTION}
         and ((l.amount_minor = ${PAID} and (t.status = 'PROCESSING' or (t.status = 'FAILED' and t.rail_paid_at is null)))
           or (t.status = 'PENDING' and exists (select from expected_payments e where e.transaction_id = t.id)))
       order by t.id, l.at, l.id limit $2`,
      [railAccount, limit],
    ),
  )
  return rows.map(({ received, ...line }) => ({ ...line, ...(received && { received: toReceived(received) }) }))
}

interface ReceivedRow {
  readonly minor: string
  readonly currency: string
  readonly account: string | null
  readonly at: string
}

const toReceived = ({ minor, currency, account, at }: ReceivedRow) => ({
  amount: money(BigInt(minor), currency),
  ...(account !== null && { account }),
  paidAt: new Date(at),
})

/** Marks the lines whose orders were reported. */
export const markReported = (pool: AuditedPool, lines: readonly StatementSettlement[], now: Date): Promise<unknown> =>
  pool.query('update statement_lines set reported_at = $2 where id = any($1)', [lines.map(({ lineId }) => lineId), now])

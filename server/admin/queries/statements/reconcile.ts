import type { ReconciliationResult } from '../../../actions/ports/statements.ts'
import { differenceTransfer, feeTransfer, type AtOperator, type Transfer } from '../../../domain/ledger.ts'
import { judge, type Rules } from '../../../domain/reconciliation.ts'
import { bookingRows } from '../../../storage/ledger.ts'
import type { AuditedPool } from '../../../storage/audited-pool.ts'
import { inTransaction, type Queryable } from '../../../storage/pool.ts'
import { nextTransferIds } from '../../../storage/transfer-ids.ts'
import { forStatements, long } from './bounds.ts'
import {
  changesOf,
  exceptionsOf,
  storeEnded,
  storeOpened,
  storeOvertaking,
  type WithTransfer,
  type ExceptionRow,
} from './exceptions.ts'
import { lockRailAccount } from './import.ts'
import { openSubjects, settleWhatAgrees, type JudgedPeriod, type StoredSubject } from './subjects.ts'

export interface ReconcileRequest {
  readonly railAccount: string
  readonly currency: string
  readonly windowMs: number
  /** The time up to which the statements are complete; undefined: up to their last line. */
  readonly until: Date | undefined
}

/**
 * Reconciles the statements of a rail account with the ledger: settles what agrees, opens an exception for each
 * difference, ends those that are explained by now, and books fees and differences, all in one commit. A second run
 * finds nothing to do.
 * @returns undefined where no statement was imported yet
 */
export async function reconcileRailAccount(
  pool: AuditedPool,
  request: ReconcileRequest,
  now: Date,
): Promise<ReconciliationResult | undefined> {
  const books = new TransferBook(now)
  return inTransaction(
    pool,
    async (client) => {
      await forStatements(client)
      await lockRailAccount(client, request.railAccount)
      const coverage = await coverageOf(client, request)
      if (!coverage) return undefined
      const { rules, judged } = coverage
      books.reads(client)
      const agreed = await settleWhatAgrees(client, request.railAccount, rules, now)
      const { opened, ended, settled } = await judgeSubjects(client, request, rules, judged, books)
      const feesMinor = await bookFees(client, request, books)
      await client.query(
        `insert into reconciliations (rail_account, complete_until, judged_from, judged_until, reconciled_at)
         values ($1, $2, $3, $4, $5) on conflict (rail_account) do update set complete_until = $2, judged_from = $3,
           judged_until = $4, reconciled_at = $5`,
        [request.railAccount, rules.until, coverage.judgedFrom, judged.until, now],
      )
      return {
        from: rules.from,
        until: rules.until,
        settledLines: agreed + settled,
        waitingLines: await countWaiting(client, request, rules),
        opened,
        ended,
        feesMinor,
      }
    },
    (client) => books.rows(client),
  )
}

interface Coverage {
  readonly rules: Rules
  /** Which payments this run must check, by the time when they ended. */
  readonly judged: JudgedPeriod
  readonly judgedFrom: Date
}

async function coverageOf(client: Queryable, request: ReconcileRequest): Promise<Coverage | undefined> {
  const { railAccount, windowMs, until } = request
  const { rows } = await client.query<{
    first_at: Date | null
    last_at: Date | null
    complete_until: Date | null
    judged_from: Date | null
    judged_until: Date | null
  }>(
    `select min(i.first_at) as first_at, max(i.last_at) as last_at, min(r.complete_until) as complete_until,
       min(r.judged_from) as judged_from, min(r.judged_until) as judged_until
     from statement_imports i left join reconciliations r on r.rail_account = i.rail_account where i.rail_account = $1`,
    [railAccount],
  )
  const [row] = rows
  if (!row?.first_at || !row.last_at) return undefined
  const { first_at: from, complete_until: before } = row
  // Never earlier than in a previous run: what that run found missing stays missing.
  const wanted = until ?? row.last_at
  const complete = before && before > wanted ? before : wanted
  const lowest = new Date(from.getTime() + windowMs)
  const highest = new Date(complete.getTime() - windowMs)
  const goesOn = row.judged_from && row.judged_until && row.judged_from <= lowest
  return {
    rules: { windowMs, from, until: complete },
    // Earlier runs checked everything before that. One millisecond earlier, because the lower bound is exclusive.
    judged: { from: goesOn && row.judged_until ? row.judged_until : new Date(lowest.getTime() - 1), until: highest },
    judgedFrom: goesOn && row.judged_from ? row.judged_from : lowest,
  }
}

async function judgeSubjects(
  client: Queryable,
  { railAccount, currency }: ReconcileRequest,
  rules: Rules,
  judged: JudgedPeriod,
  books: TransferBook,
): Promise<{ opened: number; ended: number; settled: number }> {
  const counts = { opened: 0, ended: 0, settled: 0 }
  const at = (providerCode: string | undefined): AtOperator => ({ railAccount, currency, providerCode })
  for await (const subjects of openSubjects(client, railAccount, judged)) {
    const known = await exceptionsOf(client, railAccount, subjects)
    const { opened, ended, overtaken, settled } = changesOf(subjects, (subject) => judge(subject, rules), known)
    const back = (rows: readonly ExceptionRow[]): Promise<WithTransfer<ExceptionRow>[]> =>
      books.add(rows, ({ corrected, provider_code, suspense_minor }) =>
        differenceTransfer(corrected, at(provider_code ?? undefined), -suspense_minor),
      )
    // Ended first: an exception that replaces one may have the same key.
    await storeEnded(client, await back(ended), books.now)
    await storeOvertaking(client, await back(overtaken), books.now)
    const bookedNow = await books.add(opened, ({ difference: { corrected, suspenseMinor }, providerCode }) =>
      differenceTransfer(corrected, at(providerCode), suspenseMinor),
    )
    await storeOpened(client, railAccount, currency, bookedNow, books.now)
    counts.settled += await settleLines(client, settled, books.now)
    counts.opened += opened.length + overtaken.length
    counts.ended += ended.length
  }
  return counts
}

async function settleLines(client: Queryable, subjects: readonly StoredSubject[], now: Date): Promise<number> {
  const { rowCount } = await client.query(
    long('update statement_lines set settled_at = $2 where id = any($1) and settled_at is null', [
      subjects.flatMap(({ lines }) => lines.map(({ id }) => id)),
      now,
    ]),
  )
  return rowCount ?? 0
}

/** One transfer for each provider: the lines store the id of the transfer that contains their fee. */
async function bookFees(
  client: Queryable,
  { railAccount, currency }: ReconcileRequest,
  books: TransferBook,
): Promise<bigint> {
  const { rows } = await client.query<{ provider_code: string | null; fee_minor: bigint }>(
    long(
      `select t.provider_code, sum(l.fee_minor)::bigint as fee_minor
       from statement_lines l left join transactions t on t.id = l.transaction_id
       where l.rail_account = $1 and l.fee_minor <> 0 and l.fee_transfer_id is null and l.doubt is null group by 1 order by 1`,
      [railAccount],
    ),
  )
  const booked = await books.add(rows, ({ provider_code, fee_minor }) =>
    feeTransfer({ railAccount, currency, providerCode: provider_code ?? undefined }, fee_minor),
  )
  for (const { provider_code, transferId } of booked)
    await client.query(
      long(
        `update statement_lines l set fee_transfer_id = $3
         where l.rail_account = $1 and l.fee_minor <> 0 and l.fee_transfer_id is null and l.doubt is null
           and $2::text is not distinct from (select t.provider_code from transactions t where t.id = l.transaction_id)`,
        [railAccount, provider_code, transferId],
      ),
    )
  return rows.reduce((sum, { fee_minor }) => sum + fee_minor, 0n)
}

async function countWaiting(client: Queryable, { railAccount }: ReconcileRequest, rules: Rules): Promise<bigint> {
  const { rows } = await client.query<{ count: bigint }>(
    long(
      `select count(*) from statement_lines where rail_account = $1 and settled_at is null and transaction_id is null
         and doubt is null and amount_minor > 0 and at > $2`,
      [railAccount, new Date(rules.until.getTime() - rules.windowMs)],
    ),
  )
  return rows[0]?.count ?? 0n
}

/**
 * Collects what a run books: the statement that is sent together with the commit locks the accounts, not an earlier
 * one.
 */
class TransferBook {
  readonly now: Date
  private readonly transfers: Transfer[] = []
  private readonly ids: bigint[] = []
  private client: Queryable | undefined

  constructor(now: Date) {
    this.now = now
  }

  reads(client: Queryable): void {
    this.client = client
  }

  /** @returns each item with the id of its transfer; undefined for items that move nothing */
  async add<Item extends object>(
    items: readonly Item[],
    transferOf: (item: Item) => Transfer,
  ): Promise<WithTransfer<Item>[]> {
    const transfers = items.map(transferOf)
    const moving = transfers.filter(({ entries }) => entries.length > 0)
    const ids = await this.nextIds(moving.length)
    this.transfers.push(...moving)
    this.ids.push(...ids)
    const idOf = new Map(moving.map((transfer, index) => [transfer, ids[index]]))
    return items.map((item, index) => {
      const transfer = transfers[index]
      return { ...item, transferId: transfer && idOf.get(transfer) }
    })
  }

  private async nextIds(count: number): Promise<bigint[]> {
    return this.client ? nextTransferIds(this.client, count, this.now) : []
  }

  rows(client: Queryable) {
    return bookingRows(client, this.transfers, this.now, this.ids)
  }
}

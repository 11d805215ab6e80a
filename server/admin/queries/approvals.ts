import {
  changeDigest,
  digestOfAll,
  decisionRefusal,
  type Approval,
  type ApprovalRule,
  type Decision,
  type DecisionRefusal,
  type NewApproval,
} from '../../domain/approvals.ts'
import { money, type Money } from '../../domain/money.ts'
import { present } from '../../domain/present.ts'
import {
  APPROVAL,
  approvalRules,
  lockStanding,
  toApproval,
  withMaker,
  type ApprovalRow,
} from '../../storage/approvals.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, type Pool } from '../../storage/pool.ts'
import type { DisplayValues } from './audit-log.ts'

/** The stored change of an operation that waits: its exact input, and what it changes for people. */
export interface WaitingChange {
  readonly command: string
  readonly subject: string
  readonly arguments: readonly string[]
  /** The secrets of the arguments; gone once it is decided. */
  readonly sealedInput?: Uint8Array | undefined
  readonly reason: string | undefined
  readonly old: DisplayValues
  readonly new: DisplayValues
}

/** The payout that waits, with all that its approver needs to know. */
interface WaitingPayout {
  readonly internalReference: string
  readonly merchantReference: string
  readonly providerCode: string
  readonly account: string
  readonly customerName: string | undefined
  readonly amount: Money
  readonly total: Money
}

/** The payouts of a batch in one currency, which are decided together. */
interface WaitingBatch {
  readonly reference: string
  readonly payouts: number
  readonly amount: Money
  readonly total: Money
}

/** A request as staff see it. A payout has its order; a change by staff has its command. */
export interface ApprovalView {
  readonly approval: Approval
  readonly change: WaitingChange | undefined
  readonly payout: WaitingPayout | undefined
  /** Of a payout that belongs to one. */
  readonly batch: WaitingBatch | undefined
  readonly decidedAt: Date | undefined
  readonly decider: string | undefined
}

type Nullable<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | null }
type ViewRow = ApprovalRow &
  Nullable<Omit<WaitingChange, 'sealedInput'>> & {
    readonly sealed_input: Uint8Array | null
    readonly decided_at: Date | null
    readonly decider: string | null
  } & Nullable<PayoutColumns> &
  Nullable<BatchColumns>

interface BatchColumns {
  readonly batch_reference: string
  readonly payouts: number
  readonly sum_minor: bigint
  readonly total_sum_minor: bigint
  /** Only of one request: a list would read those of all payouts. */
  readonly digests?: readonly string[]
}

interface PayoutColumns {
  readonly internal_reference: string
  readonly merchant_reference: string
  readonly provider_code: string
  readonly account: string
  readonly customer_name: string | null
  readonly currency: string
  readonly amount_minor: bigint
  readonly total_minor: bigint
}

/** All columns of the payout are null together: it was archived. */
const hasPayout = (row: Nullable<PayoutColumns>): row is PayoutColumns => row.internal_reference !== null

const toPayout = (row: PayoutColumns): WaitingPayout => ({
  internalReference: row.internal_reference,
  merchantReference: row.merchant_reference,
  providerCode: row.provider_code,
  account: row.account,
  customerName: row.customer_name ?? undefined,
  amount: money(row.amount_minor, row.currency),
  total: money(row.total_minor, row.currency),
})

const toBatch = (row: ViewRow): WaitingBatch | undefined =>
  row.batch_reference === null || row.currency === null
    ? undefined
    : {
        reference: row.batch_reference,
        payouts: row.payouts ?? 0,
        amount: money(row.sum_minor ?? 0n, row.currency),
        total: money(row.total_sum_minor ?? 0n, row.currency),
      }

function toView(row: ViewRow): ApprovalView {
  const { command, subject, reason, old, new: changed, arguments: args } = row
  return {
    approval: { ...toApproval(row), digest: row.digests ? digestOfAll(row.digests) : row.digest },
    change:
      command === null
        ? undefined
        : {
            command,
            subject: subject ?? '',
            arguments: args ?? [],
            sealedInput: row.sealed_input ?? undefined,
            reason: reason ?? undefined,
            old: old ?? {},
            new: changed ?? {},
          },
    payout: hasPayout(row) ? toPayout(row) : undefined,
    batch: toBatch(row),
    decidedAt: row.decided_at ?? undefined,
    decider: row.decider ?? undefined,
  }
}

/** The requests `d` that are decided together with `a`, whose payout is `t`, and whose row in a batch is `r`. */
const TOGETHER = `from payout_batch_rows p
  join transactions o on o.id = p.transaction_id and o.currency = t.currency
  join approvals d on d.transaction_id = o.id where p.batch_id = r.batch_id`

/** Requests `a`; of those of a batch in one currency that ended alike only the first. */
export const REQUESTS = `(
  select a.* from approvals a left join transactions t on t.id = a.transaction_id
    left join payout_batch_rows r on r.transaction_id = a.transaction_id
  where r.batch_id is null or a.id = (select d.id ${TOGETHER} and d.state = a.state order by p.line limit 1)) a`

const view = (from: string, digests = ''): string => `select ${APPROVAL.names('a')}, a.command, a.subject, a.arguments,
    a.sealed_input, a.reason, a.old, a.new, a.decided_at, a.decider, t.internal_reference, t.merchant_reference,
    t.provider_code, t.account, t.customer_name, t.currency, t.amount_minor, t.total_minor,
    b.reference as batch_reference, g.*${digests}
  from ${from} left join transactions t on t.id = a.transaction_id
    left join payout_batch_rows r on r.transaction_id = a.transaction_id left join payout_batches b on b.id = r.batch_id
    left join lateral (select count(*)::int as payouts, sum(o.amount_minor)::bigint as sum_minor,
      sum(o.total_minor)::bigint as total_sum_minor ${TOGETHER} and d.state = a.state) g on r.batch_id is not null`

/** Whose requests somebody may read: people of a merchant read those of its payouts. */
interface Reader {
  readonly ofMerchant: bigint | undefined
}
const READABLE = '($1::bigint is null or (a.merchant_id = $1 and a.transaction_id is not null))'

interface Page extends Reader {
  readonly all: boolean
  /** Only requests with a smaller id. */
  readonly before?: bigint | undefined
  readonly limit: number
}

/** The newest first. */
export const listApprovals = (pool: Pool, { ofMerchant, all, before, limit }: Page): Promise<ApprovalView[]> =>
  available(async () => {
    const { rows } = await pool.query<ViewRow>(
      // The sums of batches are read for the page alone.
      `with page as materialized (
         select a.* from ${REQUESTS} where ${READABLE} and (${all} or a.state = 'waiting')
           and ($2::bigint is null or a.id < $2) order by a.id desc limit $3)
       ${view('page a')} order by a.id desc`,
      [ofMerchant, before, limit],
    )
    return rows.map(toView)
  })

export const findApproval = (pool: Pool, id: bigint, { ofMerchant }: Reader): Promise<ApprovalView | undefined> =>
  available(async () => {
    const digests = `, case when r.batch_id is not null then (select array_agg(d.digest order by d.id) ${TOGETHER}) end as digests`
    const { rows } = await pool.query<ViewRow>(`${view('approvals a', digests)} where ${READABLE} and a.id = $2`, [
      ofMerchant,
      id,
    ])
    return rows[0] && toView(rows[0])
  })

/** Stores a change by staff that waits for a second person. @returns the id of the request */
export async function requestApproval(pool: AuditedPool, request: NewApproval, change: WaitingChange): Promise<bigint> {
  const { maker, makerPersonId, operation, merchantId, digest, requestedAt, expiresAt } = withMaker(request)
  const { rows } = await pool.query<{ id: bigint }>(
    `insert into approvals (operation, merchant_id, digest, maker, maker_person_id, requested_at, expires_at,
       command, subject, arguments, reason, old, new, sealed_input)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning id`,
    [
      operation,
      merchantId,
      digest,
      maker,
      makerPersonId,
      requestedAt,
      expiresAt,
      change.command,
      change.subject,
      change.arguments,
      change.reason,
      change.old,
      change.new,
      change.sealedInput,
    ],
  )
  return present(rows[0], 'the id of a request').id
}

type ChangeDecision = Pick<Decision, 'state' | 'by' | 'digestSeen' | 'at'> & {
  readonly id: bigint
  /** The keyed digest of the secrets that are executed now. */
  readonly input?: string | undefined
}

/**
 * Decides about a change by staff. Call it in the transaction of the change: the request and the role of who decides
 * stay locked until the commit.
 * @returns why nothing was decided; undefined if the decision stands
 */
export async function decideChange(
  pool: AuditedPool,
  { id, state, by, digestSeen, at, input }: ChangeDecision,
): Promise<DecisionRefusal | undefined> {
  const { rows } = await pool.query<ApprovalRow & { readonly arguments: readonly string[] }>(
    `select ${APPROVAL.names()}, arguments from approvals where id = $1 and arguments is not null for update`,
    [id],
  )
  const [row] = rows
  if (!row) return 'decided'
  const standing = by.personId === undefined ? 'anybody' : await lockStanding(pool, by.personId)
  const digestNow = state === 'approved' ? changeDigest(row.arguments, input) : digestSeen
  const refusal = decisionRefusal(toApproval(row), { state, by, standing, digestSeen, digestNow, at })
  if (refusal) return refusal
  await pool.query(
    `update approvals set state = $2, decided_at = $3, decider = $4, decider_person_id = $5, sealed_input = null
     where id = $1`,
    [id, state, at, by.name, by.personId],
  )
  return undefined
}

/** All rules. */
export const listApprovalRules = (pool: Pool): Promise<readonly ApprovalRule[]> => available(() => approvalRules(pool))

type NewRule = Omit<ApprovalRule, 'id'>

/** Sets the rule of an operation, merchant and currency; another amount replaces the former one. */
export async function setApprovalRule(pool: AuditedPool, rule: NewRule, now: Date): Promise<void> {
  const { operation, merchantId, currency, fromMinor } = rule
  await pool.query(
    `insert into approval_rules (operation, merchant_id, currency, from_minor, created_at) values ($1, $2, $3, $4, $5)
     on conflict (operation, merchant_id, currency) do update
       set from_minor = excluded.from_minor, created_at = excluded.created_at`,
    [operation, merchantId, currency, fromMinor, now],
  )
}

/** @returns whether there was such a rule */
export async function removeApprovalRule(
  pool: AuditedPool,
  { operation, merchantId, currency }: Omit<NewRule, 'fromMinor'>,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from approval_rules where operation = $1 and merchant_id is not distinct from $2
       and currency is not distinct from $3`,
    [operation, merchantId, currency],
  )
  return rowCount === 1
}

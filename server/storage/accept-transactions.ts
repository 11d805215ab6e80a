import type { QueryConfig } from 'pg'
import { idempotencyKeyName, idempotencyWindowStart } from '../domain/idempotency.ts'
import type { Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { JobKind } from '../actions/ports/jobs.ts'
import { NOBODY, wakeForAccepted, type Wake } from '../actions/ports/wake.ts'
import {
  accepted,
  acceptedOutcome,
  applyKeyClaims,
  applyReferenceClaims,
  applyTypedClaims,
  asStored,
  candidatesOf,
  claimsToUndo,
  decide,
  idOf,
  isCounted,
  keyClaims,
  typedClaims,
  usageToRead,
  type AcceptResult,
  type AcceptanceFacts,
  type Candidate,
} from '../domain/acceptance.ts'
import { present } from '../domain/present.ts'
import { claimedReference } from '../domain/refund.ts'
import { approvalRows, payoutRules } from './approvals.ts'
import type { AuditedPool } from './audited-pool.ts'
import { countAccountUsage, accountUsageRows, lockLimits, sumUsage } from './limits.ts'
import { coalesce } from './coalesce.ts'
import { insertExpected } from './expected-payments.ts'
import { IDEMPOTENCY_KEY, INSERT_KEYS, keyRow } from './idempotency.ts'
import { createMonths, ensureMonths, type MakeMonths } from './months.ts'
import { sessionRows } from './payment-sessions.ts'
import { markBack } from './search.ts'
import { inTransaction, type Pool, type Queryable } from './pool.ts'
import { columns } from './rows.ts'
import { ACCEPTED, amountFields, storedType, type AcceptedFields } from './transaction-row.ts'
import { transactionStatements } from './transactions.ts'
import { idBase, nextIdOf } from './time-ids.ts'
import { jobRows } from './jobs.ts'

const BATCH_MAX = 64
// Two, so that the next batch is written while one commit waits for the disk.
const RUNS_MAX = 2
/** A batch of this size commits without waiting for more. */
const ENOUGH = 16
/**
 * A lone request does not wait. The more requests are unanswered, the longer a batch gathers: a commit costs the same
 * for one as for sixteen, and on CPU-bound machines a few large commits keep the latency low. Already at 250 a second
 * two share a commit: a payment then costs a seventh less, and is accepted 3 ms later.
 */
const gatherMs = (unanswered: number): number => Math.min(3 + 2 * unanswered, 20)
/**
 * A request that waits longer gets a 503 instead. The merchant sends it again, and the reference makes sure that it
 * counts once.
 */
const WAIT_MS = 5_000

/** Accepts transactions. Concurrent calls share one commit; one bad call never fails the others in its batch. */
export function createAcceptance(
  pool: Pool,
  wake: Wake = NOBODY,
  onBatch: (size: number) => void = () => undefined,
  makeMonths: MakeMonths = (months, now) => ensureMonths(pool, months, now),
): Acceptance {
  const monthsAreThere = createMonths(makeMonths)
  const accept = coalesce<NewTransaction, AcceptResult>({
    batchMax: BATCH_MAX,
    runsMax: RUNS_MAX,
    everyMs: gatherMs,
    enough: ENOUGH,
    waitMs: WAIT_MS,
    async run(batch) {
      onBatch(batch.length)
      await monthsAreThere(batch.map(({ createdAt }) => createdAt))
      const results = await acceptBatch(pool, batch)
      wakeForAccepted(wake, batch, results)
      return results
    },
  })
  return { accept }
}

/** Accepts within the commit of a change by a person, one at a time. The month of the transaction must exist. */
export const auditedAcceptance = (pool: AuditedPool): Acceptance => ({
  accept: async (transaction) => present((await acceptBatch(pool, [transaction]))[0], 'a decision'),
})

type AcceptCandidate = Candidate<NewTransaction>

async function acceptBatch(pool: Pool, batch: readonly NewTransaction[]): Promise<readonly AcceptResult[]> {
  const candidates = candidatesOf(batch)
  await inTransaction(
    pool,
    (client) => decideTransactions(client, candidates),
    async () => storing(accepted(candidates)),
  )
  return candidates.map(({ result }) => result)
}

// Lock order: every batch takes its locks in the same order (keys, references, stripes; each class sorted), so batches
// never deadlock.
/** Claims keys, references and limits, and decides: refused candidates keep no claim. */
export async function decideTransactions(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<void> {
  await claimKeys(client, candidates)
  const claimed = accepted(candidates)
  // Pipelined: sent together, executed in this order. Locks that a duplicate takes needlessly are released at the
  // commit.
  const typed = claimed.some(({ transaction }) => transaction.expects)
  if (typed) {
    await claimReferences(client, claimed)
    applyTypedClaims(accepted(claimed), await claimTyped(client, typedClaims(claimed)))
  }
  const [, used] = await Promise.all([typed ? undefined : claimReferences(client, claimed), lockUsage(client, claimed)])
  decide(accepted(candidates), used)
  await undoRefused(client, candidates)
}

async function claimKeys(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<void> {
  const claims = keyClaims(candidates)
  const [earliest] = claims
  if (!earliest) return
  const rows = claims.map(({ candidate: { transaction }, claim }) =>
    keyRow(claim, acceptedOutcome(transaction), transaction.createdAt),
  )
  const { rows: won } = await client.query<{ merchant_id: bigint; key: string }>(INSERT_KEYS, [
    IDEMPOTENCY_KEY.json(rows),
    idempotencyWindowStart(earliest.candidate.transaction.createdAt),
  ])
  applyKeyClaims(
    candidates,
    won.map(({ merchant_id: merchantId, key }) => idempotencyKeyName({ merchantId, key })),
  )
}

async function claimReferences(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<void> {
  const { rows } = await client.query<{ merchant_id: bigint; merchant_reference: string; transaction_id: bigint }>({
    name: 'claim-references',
    text: `
      insert into transaction_references (merchant_id, merchant_reference, transaction_id)
      select merchant_id, merchant_reference, ${nextIdOf('base', 'transaction_ids')}
      from (
        select * from unnest($1::bigint[], $2::text[], $3::bigint[]) as r(merchant_id, merchant_reference, base) order by 1, 2
      ) as sorted
      on conflict do nothing
      returning merchant_id, merchant_reference, transaction_id`,
    values: [
      candidates.map(({ transaction }) => transaction.merchantId),
      candidates.map(({ transaction }) => claimedReference(transaction)),
      candidates.map(({ transaction }) => idBase(transaction.createdAt)),
    ],
  })
  const ids = rows.map((row) => [`${row.merchant_id}:${row.merchant_reference}`, row.transaction_id] as const)
  applyReferenceClaims(candidates, new Map(ids))
}

/** @returns the ids of the candidates that got the reference to be typed: no other open one has it */
async function claimTyped(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<ReadonlySet<bigint>> {
  const rows = candidates.flatMap((candidate) => {
    const { expects } = candidate.transaction
    return expects ? [{ ...expects, transactionId: idOf(candidate) }] : []
  })
  return insertExpected(client, rows)
}

async function lockUsage(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<AcceptanceFacts> {
  const { locks, limited, accounts, payers, collections, now } = usageToRead(candidates)
  const [found, , daily, counted, rules] = await Promise.all([
    lockCollections(client, collections),
    lockLimits(client, locks),
    sumUsage(client, limited, now),
    countAccountUsage(client, accounts, now),
    payoutRules(client, payers),
  ])
  return { daily, counted, rules, collections: found }
}

async function lockCollections(client: Queryable, ids: readonly bigint[]): Promise<AcceptanceFacts['collections']> {
  const { lockTransactions, refundsOf } = transactionStatements(client)
  // Read after the lock: what another commit has refunded meanwhile counts.
  const locked = await lockTransactions({ ids })
  const refunds = await refundsOf(ids)
  return new Map(locked.map((collection) => [collection.id, { collection, refunds: refunds.get(collection.id) ?? [] }]))
}

async function undoRefused(client: Queryable, candidates: readonly AcceptCandidate[]): Promise<void> {
  const { references, keys } = claimsToUndo(candidates)
  if (references.length > 0) {
    await client.query(
      `delete from transaction_references using unnest($1::bigint[], $2::text[]) as r(merchant_id, merchant_reference)
       where transaction_references.merchant_id = r.merchant_id
         and transaction_references.merchant_reference = r.merchant_reference`,
      [references.map((t) => t.merchantId), references.map(claimedReference)],
    )
  }
  if (keys.length > 0) {
    await client.query(
      `delete from idempotency_keys using unnest($1::bigint[], $2::text[]) as r(merchant_id, key)
       where idempotency_keys.merchant_id = r.merchant_id and idempotency_keys.key = r.key`,
      [keys.map((c) => c.merchantId), keys.map((c) => c.key)],
    )
  }
}

/** The statements that store accepted transactions, with the rows that only some of them have. */
export function storing(candidates: readonly AcceptCandidate[]): QueryConfig[] {
  if (candidates.length === 0) return []
  const incoming = candidates.map(asStored)
  const refunds = incoming.flatMap(({ id, transaction: { refunds: of } }) => (of ? [{ id, of: of.collectionId }] : []))
  return [
    ...accountUsageRows(
      incoming.map(({ id, transaction: { account, merchantId, uses = [] } }) => ({
        account,
        merchantId,
        transactionId: id,
        uses,
      })),
    ),
    ...jobRows(
      incoming.flatMap(({ id, transaction: { furtherJob } }) => (furtherJob ? [{ ...furtherJob, subjectId: id }] : [])),
    ),
    ...approvalRows(incoming.flatMap(({ id, approval }) => (approval ? [{ ...approval, transactionId: id }] : []))),
    ...refundRows(refunds),
    ...sessionRows(
      incoming.flatMap(({ id, transaction: { session } }) => (session ? [{ ...session, transactionId: id }] : [])),
    ),
    {
      name: 'insert-transactions',
      text: INSERT_TRANSACTIONS,
      values: [INCOMING.json(incoming.map(({ id, transaction }) => toIncoming(id, transaction)))],
    },
  ]
}

function refundRows(refunds: readonly { readonly id: bigint; readonly of: bigint }[]): QueryConfig[] {
  if (refunds.length === 0) return []
  return [
    {
      name: 'insert-refunds',
      text: `insert into refunds (collection_id, transaction_id) select * from unnest($1::bigint[], $2::bigint[])`,
      values: [refunds.map(({ of }) => of), refunds.map(({ id }) => id)],
    },
  ]
}

const NEW_TRANSACTION = {
  ...ACCEPTED,
  customerEmail: 'text',
  description: 'text',
  redirectUrl: 'text',
} as const
const STORED = columns<NewRow>(NEW_TRANSACTION)
const INCOMING = columns<NewRow & CountedWork>({
  ...NEW_TRANSACTION,
  jobKind: 'text',
  jobDueAt: 'timestamptz',
  jobDestination: 'text',
  isCounted: 'boolean',
})

type NewRow = AcceptedFields & Pick<NewTransaction, 'customerEmail' | 'description' | 'redirectUrl'>

/** The rows that are stored along with the transaction. */
interface CountedWork {
  readonly jobKind: JobKind
  readonly jobDueAt: Date
  readonly jobDestination: string
  readonly isCounted: boolean
}

const toIncoming = (id: bigint, transaction: NewTransaction): NewRow & CountedWork => ({
  ...transaction,
  ...amountFields(transaction),
  id,
  type: storedType(transaction) as NewRow['type'],
  jobKind: transaction.firstJob.kind,
  jobDueAt: transaction.firstJob.dueAt,
  jobDestination: transaction.firstJob.destination ?? '',
  isCounted: isCounted(transaction),
})

const INSERT_TRANSACTIONS = `
  with incoming as materialized (
    select * from json_to_recordset($1) as r(${INCOMING.definition})
  ), stored as (
    insert into transactions (${STORED.names()}) select ${STORED.names()} from incoming
  ), counted as (
    insert into limit_usage (provider_code, transaction_type, account, merchant_id, transaction_id, created_at, amount_minor)
    select provider_code, type, account, merchant_id, id, created_at, amount_minor from incoming where is_counted
  ), late as (
    ${markBack('incoming')}
  )
  insert into jobs (kind, subject_id, due_at, destination) select job_kind, id, job_due_at, job_destination from incoming`

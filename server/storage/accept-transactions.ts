import type pg from 'pg'
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency.ts'
import type { AcceptResult, Acceptance, NewTransaction } from '../actions/ports/acceptance.ts'
import type { AcceptedOutcome, IdempotencyClaim } from '../actions/ports/idempotency.ts'
import type { JobKind } from '../actions/ports/jobs.ts'
import { NOBODY, wakeForAccepted, type Wake } from '../actions/ports/wake.ts'
import { addToTallies, boundReached, type AccountTally } from '../domain/account-bounds.ts'
import { exceededLimit } from '../domain/amount-limits.ts'
import { beginsOnPage } from '../domain/payment-session.ts'
import { present } from '../domain/present.ts'
import { countAccountUsage, insertAccountUsage } from './account-usage.ts'
import { coalesce } from './coalesce.ts'
import { IDEMPOTENCY_KEY, INSERT_KEYS, keyRow } from './idempotency.ts'
import { accountKey, dailyUseOf, limitKey, lockLimits, merchantLimitKey, sumUsage, type DailyUses } from './limits.ts'
import { createMonths, ensureMonths, type MakeMonths } from './months.ts'
import { saveSessions } from './payment-sessions.ts'
import { inTransaction, isUnavailable, type Pool, type Queryable } from './pool.ts'
import { columns } from './rows.ts'
import { ACCEPTED, amountFields, type AcceptedFields } from './transaction-row.ts'
import { idBase, nextIdOf } from './time-ids.ts'
import { insertJobs } from './jobs.ts'

const BATCH_MAX = 64
// Two, so that the next batch is written while one commit waits for the disk.
const RUNS_MAX = 2
/** A batch of this size commits without waiting for more. */
const ENOUGH = 16
/**
 * A lone request does not wait. The more requests are unanswered, the longer a batch gathers: a commit costs the same
 * for one as for sixteen, and on CPU-bound machines a few large commits keep the latency low.
 */
const gatherMs = (unanswered: number): number => Math.min(2 * unanswered, 20)
/**
 * A request that waits longer gets a 503 instead. The merchant sends it again, and the reference makes sure that it
 * counts once.
 */
const WAIT_MS = 5_000

interface Candidate {
  readonly transaction: NewTransaction
  result: AcceptResult
  id: bigint | undefined
}

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
    splitOn: (error) => !isUnavailable(error),
  })
  return { accept }
}

async function acceptBatch(pool: Pool, batch: readonly NewTransaction[]): Promise<readonly AcceptResult[]> {
  const candidates = batch.map((transaction): Candidate => ({ transaction, result: 'accepted', id: undefined }))
  await inTransaction(
    pool,
    (client) => decideBatch(client, candidates),
    (client) => storing(client, accepted(candidates)),
  )
  return candidates.map(({ result }) => result)
}

// Lock order: every batch takes its locks in the same order (keys, references, stripes; each class sorted), so batches
// never deadlock.
async function decideBatch(client: Queryable, candidates: readonly Candidate[]): Promise<void> {
  await claimKeys(client, candidates)
  const claimed = accepted(candidates)
  // Pipelined: sent together, executed in this order. Locks that a duplicate takes needlessly are released at the
  // commit.
  const [, used] = await Promise.all([claimReferences(client, claimed), lockUsage(client, claimed)])
  decide(used, accepted(candidates))
  await undoRefused(client, candidates)
}

const accepted = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ result }) => result === 'accepted')

interface WithKey {
  readonly candidate: Candidate
  readonly claim: IdempotencyClaim
}

const withKey = (candidate: Candidate): WithKey[] => {
  const { idempotency } = candidate.transaction
  return idempotency ? [{ candidate, claim: idempotency }] : []
}

const keyOf = ({ claim: { merchantId, key } }: WithKey): string => `${merchantId}:${key}`

async function claimKeys(client: Queryable, candidates: readonly Candidate[]): Promise<void> {
  const keyed = candidates.flatMap(withKey)
  const [earliest] = keyed
  if (!earliest) return
  // Of equal keys in one batch, the first is stored: its transaction is the one that will exist.
  const first = [...Map.groupBy(keyed, keyOf).values()].flatMap(([one]) => one ?? [])
  const rows = first.map(({ candidate: { transaction }, claim }) =>
    keyRow(claim, acceptedOutcome(transaction), transaction.createdAt),
  )
  const { rows: won } = await client.query<{ merchant_id: bigint; key: string }>(INSERT_KEYS, [
    IDEMPOTENCY_KEY.json(rows),
    new Date(earliest.candidate.transaction.createdAt.getTime() - IDEMPOTENCY_WINDOW_MS),
  ])
  const claimed = new Set(won.map(({ merchant_id, key }) => `${merchant_id}:${key}`))
  // Deleted on the first match, because only the first of equal keys wins the claim.
  for (const one of keyed) if (!claimed.delete(keyOf(one))) one.candidate.result = 'idempotency_key_taken'
}

const acceptedOutcome = ({ internalReference, merchantReference, session }: NewTransaction): AcceptedOutcome => ({
  result: 'accepted',
  accepted: { internalReference, merchantReference, onPaymentPage: beginsOnPage(session) },
})

/** Candidates with the same new reference share its id until `decide` accepts at most one of them. */
async function claimReferences(client: Queryable, candidates: readonly Candidate[]): Promise<void> {
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
      candidates.map(({ transaction }) => transaction.merchantReference),
      candidates.map(({ transaction }) => idBase(transaction.createdAt)),
    ],
  })
  const ids = new Map(rows.map((row) => [`${row.merchant_id}:${row.merchant_reference}`, row.transaction_id]))
  for (const candidate of candidates) {
    candidate.id = ids.get(`${candidate.transaction.merchantId}:${candidate.transaction.merchantReference}`)
    if (candidate.id === undefined) candidate.result = 'duplicate_reference'
  }
}

/** The id of a candidate whose reference is claimed. */
const idOf = ({ id }: Candidate): bigint => present(id, 'the id of a claimed reference')

// A payment on a payment page counts only when the customer confirms it. Before that, a bank account is unknown, and
// somebody who opens pages for another person's phone must not use up its limit before its owner has been prompted.
const isCounted = ({ dailyLimit }: NewTransaction): boolean => dailyLimit !== undefined

/** What account numbers have used so far. */
interface Usage {
  readonly minor: DailyUses
  /** Tallies for the bounds of account numbers, by account number. */
  readonly counted: Map<string, readonly AccountTally[]>
}

async function lockUsage(client: Queryable, candidates: readonly Candidate[]): Promise<Usage> {
  const transactions = candidates.map(({ transaction }) => transaction)
  const limited = transactions.filter(isCounted)
  const accounts = transactions.filter(({ uses }) => uses).map(({ account }) => account)
  const now = transactions[0]?.createdAt ?? new Date(0)
  const [, minor, counted] = await Promise.all([
    lockLimits(client, [...limited.map(limitKey), ...accounts.map(accountKey)]),
    sumUsage(client, limited, now),
    countAccountUsage(client, accounts, now),
  ])
  return { minor, counted }
}

/**
 * Among candidates with the same new reference, the first one that fits its limit is accepted. Those before it were
 * over the limit; those after it are duplicates. If none fits, the reference stays unused and every candidate gets the
 * limit as its result.
 */
function decide(used: Usage, candidates: readonly Candidate[]): void {
  const taken = new Set<bigint>()
  for (const candidate of candidates) {
    const id = idOf(candidate)
    candidate.result = taken.has(id) ? 'duplicate_reference' : takeRoom(used, candidate.transaction)
    if (candidate.result === 'accepted') taken.add(id)
  }
}

/** Checks the daily limit and the bounds of the account number; reserves the amount if it fits. */
function takeRoom({ minor, counted }: Usage, transaction: NewTransaction): AcceptResult {
  const { account, merchantId, amount, dailyLimit, uses = [], createdAt } = transaction
  const { amountMinor } = amount
  const used = dailyUseOf(minor, transaction)
  const exceededMinor = dailyLimit && exceededLimit(dailyLimit, used, amountMinor)
  if (exceededMinor !== undefined) return { exceededMinor }
  const tallies = counted.get(account) ?? []
  for (const { bounds } of uses) {
    const reached = boundReached(bounds, merchantId, tallies, createdAt)
    if (reached) return reached
  }
  if (dailyLimit) {
    minor.set(limitKey(transaction), used.usedMinor + amountMinor)
    minor.set(merchantLimitKey(transaction), used.merchantUsedMinor + amountMinor)
  }
  counted.set(account, addToTallies(tallies, merchantId, uses, createdAt))
  return 'accepted'
}

/**
 * A refused transaction leaves nothing behind: its idempotency key becomes free again, and so does a reference that no
 * candidate used.
 */
async function undoRefused(client: Queryable, candidates: readonly Candidate[]): Promise<void> {
  const used = new Set(accepted(candidates).map(({ id }) => id))
  const overLimit = candidates.filter(({ result }) => typeof result === 'object')
  const unused = overLimit.filter(({ id }) => !used.has(id)).map(({ transaction }) => transaction)
  const refused = [...overLimit, ...candidates.filter(({ result }) => result === 'duplicate_reference')].map(
    ({ transaction }) => transaction,
  )
  if (unused.length > 0) {
    await client.query(
      `delete from transaction_references using unnest($1::bigint[], $2::text[]) as r(merchant_id, merchant_reference)
       where transaction_references.merchant_id = r.merchant_id
         and transaction_references.merchant_reference = r.merchant_reference`,
      [unused.map((t) => t.merchantId), unused.map((t) => t.merchantReference)],
    )
  }
  const claims = refused.flatMap(({ idempotency }) => (idempotency ? [idempotency] : []))
  if (claims.length > 0) {
    await client.query(
      `delete from idempotency_keys using unnest($1::bigint[], $2::text[]) as r(merchant_id, key)
       where idempotency_keys.merchant_id = r.merchant_id and idempotency_keys.key = r.key`,
      [claims.map((c) => c.merchantId), claims.map((c) => c.key)],
    )
  }
}

/**
 * Stores the rows that only some transactions have.
 * @returns the statement that stores them, which is sent together with the commit
 */
async function storing(client: Queryable, candidates: readonly Candidate[]): Promise<pg.QueryConfig | undefined> {
  if (candidates.length === 0) return undefined
  const incoming = candidates.map((candidate) => ({ id: idOf(candidate), transaction: candidate.transaction }))
  await insertAccountUsage(
    client,
    incoming.map(({ id, transaction: { account, merchantId, uses = [] } }) => ({
      account,
      merchantId,
      transactionId: id,
      uses,
    })),
  )
  await insertJobs(
    client,
    incoming.flatMap(({ id, transaction: { furtherJob } }) => (furtherJob ? [{ ...furtherJob, subjectId: id }] : [])),
  )
  await saveSessions(
    client,
    incoming.flatMap(({ id, transaction: { session } }) => (session ? [{ ...session, transactionId: id }] : [])),
  )
  return {
    name: 'insert-transactions',
    text: INSERT_TRANSACTIONS,
    values: [INCOMING.json(incoming.map(({ id, transaction }) => toIncoming(id, transaction)))],
  }
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
  workKind: 'text',
  workDueAt: 'timestamptz',
  workAddressee: 'text',
  isCounted: 'boolean',
})

type NewRow = AcceptedFields & Pick<NewTransaction, 'customerEmail' | 'description' | 'redirectUrl'>

/** The rows that are stored along with the transaction. */
interface CountedWork {
  readonly workKind: JobKind
  readonly workDueAt: Date
  readonly workAddressee: string
  readonly isCounted: boolean
}

const toIncoming = (id: bigint, transaction: NewTransaction): NewRow & CountedWork => ({
  ...transaction,
  ...amountFields(transaction),
  id,
  workKind: transaction.firstJob.kind,
  workDueAt: transaction.firstJob.dueAt,
  workAddressee: transaction.firstJob.addressee ?? '',
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
  )
  insert into work (kind, subject_id, due_at, addressee) select work_kind, id, work_due_at, work_addressee from incoming`

import type { Acceptance, NewTransaction } from '../../../actions/ports/acceptance.ts'
import { wakeForAccepted, type Wake } from '../../../actions/ports/wake.ts'
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
  referenceName,
  typedClaims,
  usageToRead,
  type AcceptResult,
  type AcceptanceFacts,
  type Candidate,
  type UndoneClaims,
} from '../../../domain/acceptance.ts'
import { idempotencyKeyName, idempotencyWindowStart } from '../../../domain/idempotency.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { insertApproval } from './approvals.ts'
import { insertExpected } from './expected-payments.ts'
import { countAccountUsage, insertAccountUsage, count, sumUsage } from './limits.ts'
import type { Connection } from './connection.ts'
import { gather } from './gather.ts'
import { insertKey } from './idempotency.ts'
import { saveSession } from './payment-sessions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { ascending } from './table.ts'
import { duplicate } from './violation.ts'
import { insertJobs } from './jobs.ts'
import { addRefund, refundsOf } from './transactions.ts'

/** Accepts transactions: concurrent calls share one commit, and one bad call never fails the others. */
export const createAcceptance = (connection: Connection, wake: Wake): Acceptance => ({
  accept: gather<NewTransaction, AcceptResult>({
    batchMax: 64,
    runsMax: 2,
    async run(batch) {
      const results = await connection.transaction((unit) => acceptBatch(unit, batch))
      wakeForAccepted(wake, batch, results)
      return results
    },
  }),
})

type AcceptCandidate = Candidate<NewTransaction>

async function acceptBatch(unit: MemoryUnitOfWork, batch: readonly NewTransaction[]): Promise<readonly AcceptResult[]> {
  const candidates = candidatesOf(batch)
  await decideTransactions(unit, candidates)
  await insertTransactions(unit, accepted(candidates))
  return candidates.map(({ result }) => result)
}

/** As storage/accept-transactions.ts. */
export async function decideTransactions(
  unit: MemoryUnitOfWork,
  candidates: readonly AcceptCandidate[],
): Promise<void> {
  if (candidates.some(({ transaction: { idempotency } }) => idempotency))
    await unit.statement('lock', 'claim idempotency keys', () => claimKeys(unit, candidates))
  const claimed = accepted(candidates)
  const used = await unit.statement('lock', 'claim references and limits', async () => {
    await claimReferences(unit, claimed)
    const typed = typedClaims(claimed)
    if (typed.length > 0) applyTypedClaims(accepted(claimed), await claimTyped(unit, typed))
    return lockUsage(unit, claimed)
  })
  decide(accepted(candidates), used)
  const undone = claimsToUndo(candidates)
  if (undone.refused.length > 0) await unit.statement('write', 'undo what was refused', () => undoRefused(unit, undone))
}

async function claimKeys(unit: MemoryUnitOfWork, candidates: readonly AcceptCandidate[]): Promise<void> {
  const claims = keyClaims(candidates)
  const [earliest] = claims
  if (!earliest) return
  const windowStart = idempotencyWindowStart(earliest.candidate.transaction.createdAt)
  const won = new Set<string>()
  const byName = new Map(claims.map((one) => [idempotencyKeyName(one.claim), one]))
  for (const [name, { candidate, claim }] of [...byName].sort(([a], [b]) => ascending(a, b))) {
    const { transaction } = candidate
    if (await insertKey(unit, claim, acceptedOutcome(transaction), transaction.createdAt, windowStart)) won.add(name)
  }
  applyKeyClaims(candidates, won)
}

async function claimReferences(unit: MemoryUnitOfWork, candidates: readonly AcceptCandidate[]): Promise<void> {
  const ids = new Map<string, bigint>()
  for (const reference of [...new Set(candidates.map(({ transaction }) => referenceName(transaction)))].sort()) {
    for (let holder = unit.references.holder(reference); holder; holder = unit.references.holder(reference))
      await unit.waitFor(holder)
    if (unit.references.get(reference) !== undefined) continue
    const id = unit.tables.nextId()
    await unit.references.write(reference, id)
    ids.set(reference, id)
  }
  applyReferenceClaims(candidates, ids)
}

async function claimTyped(unit: MemoryUnitOfWork, candidates: readonly AcceptCandidate[]): Promise<Set<bigint>> {
  const claimed = new Set<bigint>()
  for (const candidate of candidates) {
    const { expects } = candidate.transaction
    if (expects && (await insertExpected(unit, { ...expects, transactionId: idOf(candidate) })))
      claimed.add(idOf(candidate))
  }
  return claimed
}

async function lockUsage(unit: MemoryUnitOfWork, candidates: readonly AcceptCandidate[]): Promise<AcceptanceFacts> {
  const { locks, limited, accounts, payers, collections, now } = usageToRead(candidates)
  await unit.transactions.lockAll(collections)
  await unit.limits.lockAll(locks)
  return {
    daily: sumUsage(unit, limited, now),
    counted: new Map(accounts.map((account) => [account, countAccountUsage(unit, account, now)])),
    rules: payers.length > 0 ? unit.tables.approvalRules : [],
    collections: new Map(
      collections.flatMap((id) => {
        const row = unit.transactions.get(id)
        return row ? [[id, { collection: row.transaction, refunds: refundsOf(unit, id) }]] : []
      }),
    ),
  }
}

function undoRefused(unit: MemoryUnitOfWork, { references, keys }: UndoneClaims<NewTransaction>): void {
  for (const transaction of references) unit.references.put(referenceName(transaction), undefined)
  for (const key of keys) unit.idempotencyKeys.put(idempotencyKeyName(key), undefined)
}

/** Stores accepted transactions with their jobs. */
export async function insertTransactions(
  unit: MemoryUnitOfWork,
  candidates: readonly AcceptCandidate[],
): Promise<void> {
  const incoming = candidates.map(asStored)
  await unit.writeEach('insert transactions', incoming, ({ id, transaction }) =>
    insertTransaction(unit, transaction, id),
  )
  const users = incoming.filter(({ transaction: { uses } }) => uses && uses.length > 0)
  await unit.writeEach('insert account usage', users, ({ id, transaction: { account, merchantId, uses = [] } }) =>
    insertAccountUsage(unit, { id, account, merchantId }, uses),
  )
  const further = incoming.flatMap(({ id, transaction: { furtherJob } }) =>
    furtherJob ? [{ ...furtherJob, subjectId: id }] : [],
  )
  await unit.writeEach('insert further work', further, (work) => insertJobs(unit, work))
  const approvals = incoming.flatMap(({ id, approval }) => (approval ? [{ ...approval, transactionId: id }] : []))
  await unit.writeEach('insert approvals', approvals, (approval) => insertApproval(unit, approval))
  const sessions = incoming.flatMap(({ id, transaction: { session } }) =>
    session ? [{ ...session, transactionId: id }] : [],
  )
  await unit.writeEach('insert sessions', sessions, (session) => saveSession(unit, session))
}

async function insertTransaction(unit: MemoryUnitOfWork, incoming: NewTransaction, id: bigint): Promise<void> {
  const transaction = toTransaction(incoming, id)
  const { description, redirectUrl, firstJob } = incoming
  if (!(await unit.internalReferences.claim(incoming.internalReference, id)))
    throw duplicate(incoming.internalReference)
  await unit.transactions.write(id, { transaction, description, redirectUrl })
  if (incoming.refunds) await addRefund(unit, incoming.refunds.collectionId, id)
  if (isCounted(incoming)) await count(unit, transaction)
  await insertJobs(unit, { ...firstJob, subjectId: id })
}

/** The stored transaction without the fields that others read: at acceptance it has no final state. */
function toTransaction(incoming: NewTransaction, id: bigint): Transaction {
  const {
    description: _description,
    customerEmail: _email,
    redirectUrl: _url,
    dailyLimit: _limit,
    uses: _uses,
    approvedAs: _approvedAs,
    firstJob: _work,
    furtherJob: _further,
    session: _session,
    idempotency: _idempotency,
    maker: _maker,
    refunds: _refunds,
    expects: _expects,
    finalAt: _finalAt,
    railPaidAt: _railPaidAt,
    ...transaction
  } = incoming
  return { ...transaction, id }
}

import type { Acceptance, AcceptedOutcome, AcceptResult, NewTransaction } from '../../actions/ports.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Connection, Step } from './connection.ts'
import { gather } from './gather.ts'
import { insertKey, keyName, windowBefore } from './idempotency.ts'
import { count, limitKey, lockAndSumUsage } from './limits.ts'
import { saveSession } from './payment-sessions.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'
import { insertWork } from './work-items.ts'

const CLAIM_KEYS: Step = { what: 'claim idempotency keys', kind: 'lock' }
const CLAIM_REFERENCES: Step = { what: 'claim references and limits', kind: 'lock' }
const UNDO_REFUSED: Step = { what: 'undo what was refused', kind: 'write' }
const INSERT: Step = { what: 'insert transactions', kind: 'write' }
const INSERT_SESSIONS: Step = { what: 'insert sessions', kind: 'write' }

interface Candidate {
  readonly transaction: NewTransaction
  result: AcceptResult
  id: bigint | undefined
}

/** Accepts transactions: concurrent calls share one commit, one bad call never fails its neighbours. */
export const createAcceptance = (connection: Connection): Acceptance => ({
  accept: gather<NewTransaction, AcceptResult>({
    batchMax: 64,
    runsMax: 2,
    run: (batch) => connection.transaction((unit) => acceptBatch(unit, batch)),
  }),
})

async function acceptBatch(unit: UnitOfWork, batch: readonly NewTransaction[]): Promise<readonly AcceptResult[]> {
  const candidates = batch.map((transaction): Candidate => ({ transaction, result: 'accepted', id: undefined }))
  if (batch.some(({ idempotency }) => idempotency)) await unit.statement(CLAIM_KEYS, () => claimKeys(unit, candidates))
  const claimed = accepted(candidates)
  const used = await unit.statement(CLAIM_REFERENCES, async () => {
    await claimReferences(unit, claimed)
    return lockUsage(unit, claimed)
  })
  decide(used, accepted(candidates))
  if (candidates.some(isUndone)) await unit.statement(UNDO_REFUSED, () => undoRefused(unit, candidates))
  await insertTransactions(unit, accepted(candidates))
  return candidates.map(({ result }) => result)
}

const accepted = (candidates: readonly Candidate[]): Candidate[] => candidates.filter(({ result }) => result === 'accepted')
const isUndone = ({ result }: Candidate): boolean => result === 'daily_limit_exceeded' || result === 'duplicate_reference'
const referenceOf = ({ transaction: { merchantId, merchantReference } }: Candidate): string => `${merchantId}:${merchantReference}`

/** Of equal keys in one batch the first is stored, because its transaction is the one that will exist. */
async function claimKeys(unit: UnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const withKey = candidates.filter(({ transaction }) => transaction.idempotency)
  const first = [...Map.groupBy(withKey, ({ transaction }) => keyName(transaction.idempotency!))].map(([name, [candidate]]) => ({ name, candidate: candidate! }))
  const before = windowBefore(first[0]!.candidate.transaction.createdAt)
  const won = new Set<Candidate>()
  for (const { candidate } of first.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { transaction } = candidate
    if (await insertKey(unit, transaction.idempotency!, acceptedOutcome(transaction), transaction.createdAt, before)) won.add(candidate)
  }
  for (const candidate of withKey) if (!won.has(candidate)) candidate.result = 'idempotency_key_taken'
}

const acceptedOutcome = ({ internalReference, merchantReference, session }: NewTransaction): AcceptedOutcome =>
  ({ result: 'accepted', accepted: { internalReference, merchantReference, onPaymentPage: session !== undefined } })

/** Several with one new reference share its id until it is decided which of them, if any, is accepted. */
async function claimReferences(unit: UnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const ids = new Map<string, bigint>()
  for (const reference of [...new Set(candidates.map(referenceOf))].sort()) {
    for (let holder = unit.references.holder(reference); holder; holder = unit.references.holder(reference)) await unit.waitFor(holder)
    if (unit.references.get(reference) !== undefined) continue
    await unit.references.lock(reference)
    const id = unit.tables.nextId()
    unit.references.put(reference, id)
    ids.set(reference, id)
  }
  for (const candidate of candidates) {
    candidate.id = ids.get(referenceOf(candidate))
    if (candidate.id === undefined) candidate.result = 'duplicate_reference'
  }
}

// A bank collection has no account yet: the customer chooses it on the payment page, and its limit is held then.
const isCounted = ({ account }: NewTransaction): boolean => account !== ''

async function lockUsage(unit: UnitOfWork, candidates: readonly Candidate[]): Promise<Map<string, bigint>> {
  const counted = candidates.map(({ transaction }) => transaction).filter(isCounted)
  return counted.length > 0 ? lockAndSumUsage(unit, counted.map(limitKey), counted[0]!.createdAt) : new Map()
}

/** Of several with one new reference the first that fits into its limit is accepted. */
function decide(used: Map<string, bigint>, candidates: readonly Candidate[]): void {
  const taken = new Set<bigint>()
  for (const candidate of candidates) {
    if (taken.has(candidate.id!)) candidate.result = 'duplicate_reference'
    else if (!fits(used, candidate)) candidate.result = 'daily_limit_exceeded'
    else taken.add(candidate.id!)
  }
}

function fits(used: Map<string, bigint>, { transaction }: Candidate): boolean {
  if (!isCounted(transaction)) return true
  const key = limitKey(transaction)
  const usedMinor = (used.get(key) ?? 0n) + transaction.amount.amountMinor
  if (usedMinor > transaction.dailyLimitMinor) return false
  used.set(key, usedMinor)
  return true
}

/** A refused transaction leaves nothing behind: a reference that none has used is free again, and so is its key. */
async function undoRefused(unit: UnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const used = new Set(accepted(candidates).map(({ id }) => id))
  for (const candidate of candidates.filter(isUndone)) {
    const { result, id, transaction: { idempotency } } = candidate
    if (result === 'daily_limit_exceeded' && !used.has(id)) unit.references.put(referenceOf(candidate), undefined)
    if (idempotency) unit.idempotencyKeys.put(keyName(idempotency), undefined)
  }
}

async function insertTransactions(unit: UnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  await unit.statement(INSERT, async () => {
    for (const candidate of candidates) await insertTransaction(unit, candidate.transaction, candidate.id!)
  })
  const sessions = candidates.flatMap(({ id, transaction: { session } }) => (session ? [{ ...session, transactionId: id! }] : []))
  if (sessions.length === 0) return
  await unit.statement(INSERT_SESSIONS, async () => {
    for (const session of sessions) await saveSession(unit, session)
  })
}

async function insertTransaction(unit: UnitOfWork, incoming: NewTransaction, id: bigint): Promise<void> {
  const transaction = toTransaction(incoming, id)
  const { description, customerEmail, redirectUrl, firstWork } = incoming
  await unit.internalReferences.lock(incoming.internalReference)
  if (unit.internalReferences.get(incoming.internalReference) !== undefined) throw duplicate(incoming.internalReference)
  unit.internalReferences.put(incoming.internalReference, id)
  await unit.transactions.lock(id)
  unit.transactions.put(id, { transaction, description, customerEmail, redirectUrl })
  if (isCounted(incoming)) await count(unit, transaction)
  await insertWork(unit, { ...firstWork, subjectId: id })
}

/** What is stored of it beside what others read: acceptance knows nothing of an end. */
function toTransaction(incoming: NewTransaction, id: bigint): Transaction {
  const {
    description: _description, customerEmail: _email, redirectUrl: _url, dailyLimitMinor: _limit, firstWork: _work, session: _session,
    idempotency: _idempotency, finalAt: _finalAt, railPaidAt: _railPaidAt, ...transaction
  } = incoming
  return { ...transaction, id }
}

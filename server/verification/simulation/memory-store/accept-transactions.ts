import type { AcceptResult, Acceptance, NewTransaction } from '../../../actions/ports/acceptance.ts'
import type { AcceptedOutcome, IdempotencyClaim } from '../../../actions/ports/idempotency.ts'
import { wakeForAccepted, type Wake } from '../../../actions/ports/wake.ts'
import { addToTallies, boundReached, type AccountTally } from '../../../domain/account-bounds.ts'
import { exceededLimit, type DailyUse } from '../../../domain/amount-limits.ts'
import { beginsOnPage } from '../../../domain/payment-session.ts'
import { present } from '../../../domain/present.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { countAccountUsage, insertAccountUsage } from './account-usage.ts'
import type { Connection } from './connection.ts'
import type { Step } from './step.ts'
import { gather } from './gather.ts'
import { insertKey, keyName, windowBefore } from './idempotency.ts'
import { accountKey, count, limitKey, lockLimits, sumUsage } from './limits.ts'
import { saveSession } from './payment-sessions.ts'
import type { MemoryUnitOfWork } from './unit-of-work.ts'
import { duplicate } from './violation.ts'
import { insertJobs } from './work-items.ts'

const CLAIM_KEYS: Step = { what: 'claim idempotency keys', kind: 'lock' }
const CLAIM_REFERENCES: Step = { what: 'claim references and limits', kind: 'lock' }
const UNDO_REFUSED: Step = { what: 'undo what was refused', kind: 'write' }
const INSERT: Step = { what: 'insert transactions', kind: 'write' }
const INSERT_ACCOUNT_USAGE: Step = { what: 'insert account usage', kind: 'write' }
const INSERT_FURTHER: Step = { what: 'insert further work', kind: 'write' }
const INSERT_SESSIONS: Step = { what: 'insert sessions', kind: 'write' }

interface Candidate {
  readonly transaction: NewTransaction
  result: AcceptResult
  id: bigint | undefined
}

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

async function acceptBatch(unit: MemoryUnitOfWork, batch: readonly NewTransaction[]): Promise<readonly AcceptResult[]> {
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

const accepted = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ result }) => result === 'accepted')
const hasNoRoom = ({ result }: Candidate): boolean => typeof result === 'object'
const isUndone = (candidate: Candidate): boolean => hasNoRoom(candidate) || candidate.result === 'duplicate_reference'
const referenceOf = ({ transaction: { merchantId, merchantReference } }: Candidate): string =>
  `${merchantId}:${merchantReference}`

interface WithKey {
  readonly candidate: Candidate
  readonly claim: IdempotencyClaim
}

const withKey = (candidate: Candidate): WithKey[] => {
  const { idempotency } = candidate.transaction
  return idempotency ? [{ candidate, claim: idempotency }] : []
}

/** Of equal keys in one batch the first is stored, because its transaction is the one that will exist. */
async function claimKeys(unit: MemoryUnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const keyed = candidates.flatMap(withKey)
  const [earliest] = keyed
  if (!earliest) return
  const first = [...Map.groupBy(keyed, ({ claim }) => keyName(claim))].flatMap(([name, [one]]) =>
    one ? [{ name, ...one }] : [],
  )
  const before = windowBefore(earliest.candidate.transaction.createdAt)
  const won = new Set<Candidate>()
  for (const { candidate, claim } of first.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { transaction } = candidate
    if (await insertKey(unit, claim, acceptedOutcome(transaction), transaction.createdAt, before)) won.add(candidate)
  }
  for (const { candidate } of keyed) if (!won.has(candidate)) candidate.result = 'idempotency_key_taken'
}

const acceptedOutcome = ({ internalReference, merchantReference, session }: NewTransaction): AcceptedOutcome => ({
  result: 'accepted',
  accepted: { internalReference, merchantReference, onPaymentPage: beginsOnPage(session) },
})

/** Candidates with the same new reference share its id until it is decided which of them, if any, is accepted. */
async function claimReferences(unit: MemoryUnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const ids = new Map<string, bigint>()
  for (const reference of [...new Set(candidates.map(referenceOf))].sort()) {
    for (let holder = unit.references.holder(reference); holder; holder = unit.references.holder(reference))
      await unit.waitFor(holder)
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

/** The id of a candidate whose reference is claimed. */
const idOf = ({ id }: Candidate): bigint => present(id, 'the id of a claimed reference')

/** A payment page counts when its customer confirms. */
const isCounted = ({ dailyLimit }: NewTransaction): boolean => dailyLimit !== undefined

/** Current usage of account numbers. */
interface Usage {
  /** Usage of daily limits, by limitKey and merchant. */
  readonly daily: Map<string, DailyUse>
  /** Usage of bounds, by account number. */
  readonly counted: Map<string, readonly AccountTally[]>
}

const dailyKey = (transaction: NewTransaction): string => `${limitKey(transaction)}:${transaction.merchantId}`

async function lockUsage(unit: MemoryUnitOfWork, candidates: readonly Candidate[]): Promise<Usage> {
  const transactions = candidates.map(({ transaction }) => transaction)
  const limited = transactions.filter(isCounted)
  const accounts = transactions.filter(({ uses }) => uses).map(({ account }) => account)
  const now = transactions[0]?.createdAt ?? new Date(0)
  await lockLimits(unit, [...limited.map(limitKey), ...accounts.map(accountKey)])
  return {
    daily: new Map(limited.map((transaction) => [dailyKey(transaction), sumUsage(unit, transaction, now)])),
    counted: new Map(accounts.map((account) => [account, countAccountUsage(unit, account, now)])),
  }
}

/** Of several candidates with the same new reference, accepts the first that fits its limits. */
function decide(used: Usage, candidates: readonly Candidate[]): void {
  const taken = new Set<bigint>()
  for (const candidate of candidates) {
    const id = idOf(candidate)
    candidate.result = taken.has(id) ? 'duplicate_reference' : takeRoom(used, candidate.transaction)
    if (candidate.result === 'accepted') taken.add(id)
  }
}

/** Whether the daily limit and the bounds of the account number have capacity for it; if so, takes the capacity. */
function takeRoom(used: Usage, transaction: NewTransaction): AcceptResult {
  const { account, merchantId, amount, dailyLimit, uses = [], createdAt } = transaction
  const daily = used.daily.get(dailyKey(transaction))
  const exceededMinor = dailyLimit && daily && exceededLimit(dailyLimit, daily, amount.amountMinor)
  if (exceededMinor !== undefined) return { exceededMinor }
  const tallies = used.counted.get(account) ?? []
  for (const { bounds } of uses) {
    const reached = boundReached(bounds, merchantId, tallies, createdAt)
    if (reached) return reached
  }
  if (dailyLimit) addToDaily(used.daily, transaction)
  used.counted.set(account, addToTallies(tallies, merchantId, uses, createdAt))
  return 'accepted'
}

function addToDaily(daily: Usage['daily'], transaction: NewTransaction): void {
  const { merchantId, amount } = transaction
  for (const [key, { usedMinor, merchantUsedMinor }] of daily) {
    if (!key.startsWith(`${limitKey(transaction)}:`)) continue
    const isOwn = key === `${limitKey(transaction)}:${merchantId}`
    daily.set(key, {
      usedMinor: usedMinor + amount.amountMinor,
      merchantUsedMinor: merchantUsedMinor + (isOwn ? amount.amountMinor : 0n),
    })
  }
}

/** A rejected transaction leaves nothing behind: a reference that none has used is free again, and so is its key. */
async function undoRefused(unit: MemoryUnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  const used = new Set(accepted(candidates).map(({ id }) => id))
  for (const candidate of candidates.filter(isUndone)) {
    const {
      id,
      transaction: { idempotency },
    } = candidate
    if (hasNoRoom(candidate) && !used.has(id)) unit.references.put(referenceOf(candidate), undefined)
    if (idempotency) unit.idempotencyKeys.put(keyName(idempotency), undefined)
  }
}

async function insertTransactions(unit: MemoryUnitOfWork, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  const incoming = candidates.map((candidate) => ({ id: idOf(candidate), transaction: candidate.transaction }))
  await unit.statement(INSERT, async () => {
    for (const { id, transaction } of incoming) await insertTransaction(unit, transaction, id)
  })
  const users = incoming.filter(({ transaction: { uses } }) => uses && uses.length > 0)
  if (users.length > 0) {
    await unit.statement(INSERT_ACCOUNT_USAGE, async () => {
      for (const {
        id,
        transaction: { account, merchantId, uses = [] },
      } of users)
        await insertAccountUsage(unit, { id, account, merchantId }, uses)
    })
  }
  const further = incoming.flatMap(({ id, transaction: { furtherJob } }) =>
    furtherJob ? [{ ...furtherJob, subjectId: id }] : [],
  )
  if (further.length > 0) {
    await unit.statement(INSERT_FURTHER, async () => {
      for (const work of further) await insertJobs(unit, work)
    })
  }
  const sessions = incoming.flatMap(({ id, transaction: { session } }) =>
    session ? [{ ...session, transactionId: id }] : [],
  )
  if (sessions.length === 0) return
  await unit.statement(INSERT_SESSIONS, async () => {
    for (const session of sessions) await saveSession(unit, session)
  })
}

async function insertTransaction(unit: MemoryUnitOfWork, incoming: NewTransaction, id: bigint): Promise<void> {
  const transaction = toTransaction(incoming, id)
  const { description, customerEmail, redirectUrl, firstJob } = incoming
  await unit.internalReferences.lock(incoming.internalReference)
  if (unit.internalReferences.get(incoming.internalReference) !== undefined) throw duplicate(incoming.internalReference)
  unit.internalReferences.put(incoming.internalReference, id)
  await unit.transactions.lock(id)
  unit.transactions.put(id, { transaction, description, customerEmail, redirectUrl })
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
    firstJob: _work,
    furtherJob: _further,
    session: _session,
    idempotency: _idempotency,
    finalAt: _finalAt,
    railPaidAt: _railPaidAt,
    ...transaction
  } = incoming
  return { ...transaction, id }
}

import {
  bookAfterAll,
  endPending,
  isPaidNotBooked,
  neverPaid,
  type RailOutcome,
  type Transaction,
} from '../domain/transaction.ts'
import type { Failure } from '../domain/failure-code.ts'
import { accountName, payoutWallet } from '../domain/ledger.ts'
import { present } from '../domain/present.ts'
import { refundedBy } from '../domain/refund.ts'
import { endWaiting } from './decide-approvals.ts'
import { endWithin, settleWithin, type ConcludeDeps, type SettleDeps } from './settle-results.ts'
import type { TransactionEvent } from './ports/transactions.ts'
import type { UnitOfWork } from './ports/store.ts'
import { untilCovered } from './until-covered.ts'

/**
 * Result of a staff decision. `never_paid`: its merchant was already notified that it failed; `state`: there was
 * nothing to decide.
 */
export type Resolution =
  | { readonly result: 'resolved' | 'never_paid' | 'uncovered' | 'over_collection' }
  | { readonly result: 'state'; readonly status: Transaction['status'] }

/**
 * Staff decides what the rail never reported, or what the rail has paid and could not be booked: a transaction that is
 * PROCESSING, or FAILED and paid by the rail. A PENDING payout can only fail: it was never sent.
 * A result that the rail reports afterwards is treated like any late result.
 * @returns `uncovered` when the wallet does not cover the booking; `over_collection` when the collection's refunds would
 *   be more than the collection
 */
export async function resolveTransaction(
  deps: SettleDeps,
  internalReference: string,
  outcome: RailOutcome,
): Promise<Resolution> {
  const attemptId = await openAttemptOf(deps, internalReference)
  if (attemptId !== undefined) return deps.store.transaction((unit) => resolveAttempt(unit, deps, attemptId, outcome))
  return untilCovered(() =>
    deps.store.transaction(async (unit): Promise<Resolution> => {
      const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
      if (!transaction) throw new Error(`there is no transaction ${internalReference}`)
      if (isPaidNotBooked(transaction)) return settlePaid(unit, deps, transaction, outcome)
      if (transaction.status === 'PENDING' && transaction.type !== 'COLLECTION' && outcome.status === 'FAILED')
        return endUnsent(unit, deps, transaction, outcome, [resolvedAs(transaction, outcome)])
      if (transaction.status !== 'PROCESSING') return { result: 'state', status: transaction.status }
      const isTried = transaction.railOrderId === undefined && (await unit.attemptsOf(transaction.id)).length > 0
      if (isTried) return { result: 'state', status: transaction.status }
      return settleAs(unit, deps, transaction, transaction, outcome)
    }),
  )
}

/** What staff know about a collection that was tried several times is about its open attempt. */
const openAttemptOf = (deps: SettleDeps, internalReference: string): Promise<bigint | undefined> =>
  deps.store.transaction(async (unit) => {
    const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
    if (transaction?.type !== 'COLLECTION' || transaction.status !== 'PROCESSING') return undefined
    const attempts = transaction.railOrderId === undefined ? await unit.attemptsOf(transaction.id) : []
    return attempts.find(({ status }) => status === 'PROCESSING')?.id
  })

/** Lock order: the attempt before its collection, as in settling. Hence a unit of work of its own. */
async function resolveAttempt(
  unit: UnitOfWork,
  deps: SettleDeps,
  id: bigint,
  outcome: RailOutcome,
): Promise<Resolution> {
  const [attempt] = await unit.lockTransactions({ ids: [id] })
  const { collection } = present((await unit.lockCollectionsOf([id])).get(id), 'the collection of an attempt')
  const isOpen = attempt?.status === 'PROCESSING' && collection.status === 'PROCESSING'
  return isOpen ? settleAs(unit, deps, collection, attempt, outcome) : { result: 'state', status: collection.status }
}

async function settleAs(
  unit: UnitOfWork,
  deps: SettleDeps,
  transaction: Transaction,
  { internalReference }: Transaction,
  outcome: RailOutcome,
): Promise<Resolution> {
  await unit.addEvents([resolvedAs(transaction, outcome)], deps.clock.now())
  // Whoever decides has read the claim of the message, so the claim is cleared.
  if (transaction.railPaidAt) await unit.saveStates([neverPaid(transaction)])
  await settleWithin(unit, deps, [{ internalReference, outcome }])
  return { result: 'resolved' }
}

/** Ends a payout whose order was not sent, and releases its hold if the money is held by now. */
export async function endUnsent(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  payout: Transaction,
  failure: Failure,
  events: readonly TransactionEvent[] = [],
): Promise<Resolution> {
  const isHeld = payout.status === 'PROCESSING' || (await unit.eventDetails('held', [payout.id])).has(payout.id)
  await endWaiting(unit, [payout], deps.clock.now())
  const failed = endPending(payout, 'FAILED', failure, deps.clock.now())
  // A hold is released as that of an order that failed.
  await endWithin(unit, deps, isHeld ? 'PROCESSING' : 'PENDING', [failed], events)
  return { result: 'resolved' }
}

const resolvedAs = ({ id }: Transaction, { status }: RailOutcome): TransactionEvent => ({
  transactionId: id,
  kind: 'resolved',
  detail: `Staff resolved it as ${status}`,
})

async function settlePaid(
  unit: UnitOfWork,
  deps: SettleDeps,
  payout: Transaction,
  outcome: RailOutcome,
): Promise<Resolution> {
  const now = deps.clock.now()
  if (outcome.status === 'FAILED') {
    await unit.saveStates([neverPaid(payout)])
    if (payout.type !== 'REFUND') await unit.releaseDailyLimit([payout])
    await unit.addEvents(
      [
        {
          transactionId: payout.id,
          kind: 'resolved',
          detail: `Staff resolved it as never paid: ${outcome.reason}`,
        },
      ],
      now,
    )
    return { result: 'never_paid' }
  }
  const wallet = payoutWallet(payout)
  const available = (await unit.balances([wallet])).get(accountName(wallet)) ?? 0n
  if (available < payout.totalMinor) return { result: 'uncovered' }
  if (await exceedsCollection(unit, payout)) return { result: 'over_collection' }
  const booked = bookAfterAll(payout, now)
  await endWithin(unit, deps, 'FAILED', [booked], [resolvedAs(payout, outcome)])
  return { result: 'resolved' }
}

/** Another refund may have taken the place of one that the rail has paid after its failure: no booking undoes that. */
async function exceedsCollection(unit: UnitOfWork, { refund }: Transaction): Promise<boolean> {
  if (!refund) return false
  const [collection] = await unit.lockTransactions({ internalReferences: [refund.collection.internalReference] })
  if (!collection) return true
  const refunds = (await unit.refundsOf([collection.id])).get(collection.id) ?? []
  return refundedBy(refunds).requestMinor > collection.request.amountMinor
}

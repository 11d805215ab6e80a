import { isPaidAgain } from '../domain/attempts.ts'
import { withPaid, type ReceivedPayment } from '../domain/expected-payment.ts'
import { takenTransfer, type Transfer } from '../domain/ledger.ts'
import { newInternalReference, newOrderId } from '../domain/references.ts'
import { paidMinor, takesPart } from '../domain/refund.ts'
import { completed, paidBy, type Transaction } from '../domain/transaction.ts'
import type { StoredExpectation } from './ports/expected-payments.ts'
import type { UnitOfWork } from './ports/store.ts'
import { referencesOf } from './rail-references.ts'
import { endWithin, type ConcludeDeps } from './settle-results.ts'

/** Why a collection does not take money from suspense. */
export type NotTaken = 'not_on_suspense' | 'going_back' | 'no_use' | 'other_provider' | 'other_amount'

type Taking = ConcludeDeps & { readonly store: { transaction<T>(run: (unit: UnitOfWork) => Promise<T>): Promise<T> } }

/**
 * A person takes what lies on suspense for a collection that waits for it or has failed: the collection is completed by
 * it, whatever its customer was expected to pay. A collection that expects nothing takes its own amount only.
 * @returns why not; undefined when it is taken
 */
export const takeForCollection = (
  deps: Taking,
  attemptId: bigint,
  collectionId: bigint,
): Promise<NotTaken | undefined> =>
  deps.store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: [attemptId, collectionId] })
    const attempt = locked.find(({ id }) => id === attemptId)
    const collection = locked.find(({ id }) => id === collectionId)
    if (!attempt || !isPaidAgain(attempt)) return 'not_on_suspense'
    if ((await unit.refundsOf([attemptId])).get(attemptId)?.some(takesPart)) return 'going_back'
    const [expected] = await unit.expectedOf([collectionId])
    const fault = faultOf(attempt, collection, expected)
    if (fault !== undefined || !collection) return fault ?? 'no_use'
    const { railPaidAt: _onSuspense, ...taken } = attempt
    await unit.moveAttempt(attempt.id, collection.id)
    await unit.saveStates([taken])
    await completeBy(unit, deps, collection, taken, expected, [takenTransfer(attempt)])
    return undefined
  })

/**
 * The same with a payment that names no collection, which an exception of the statement keeps on suspense: the caller
 * ends the exception in the same commit.
 */
export const takeUnexpected = (
  deps: Taking,
  payment: ReceivedPayment & { readonly paidTo: string; readonly railAccount?: string; readonly receiptName: string },
  collectionId: bigint,
): Promise<NotTaken | { readonly attemptId: bigint }> =>
  deps.store.transaction(async (unit) => {
    const now = deps.clock.now()
    const [collection] = await unit.lockTransactions({ ids: [collectionId] })
    const [expected] = await unit.expectedOf([collectionId])
    if (!collection) return 'no_use'
    if ((expected?.paidTo ?? collection.railAccount) !== payment.paidTo) return 'other_provider'
    const at = payment.railAccount === undefined ? {} : { railAccount: payment.railAccount }
    const terms = expected ?? { chargeBps: 0, chargeFlatMinor: 0n }
    const paid = withPaid(collection, { ...terms, ...at }, payment)
    const fault = faultOf(paid, collection, expected)
    if (fault !== undefined) return fault
    const amounts = expected ? paid : { ...collection, account: paid.account }
    const attempt = await unit.addAttempt(amounts, newInternalReference(deps.random, now), now)
    const taken = { ...completed(attempt, now), railOrderId: newOrderId(deps.random), ...at }
    await unit.saveStates([taken])
    await unit.addRailReferences(referencesOf(taken, { [payment.receiptName]: payment.receipt }, 'statement'), now)
    await completeBy(unit, deps, collection, taken, expected, [])
    return { attemptId: taken.id }
  })

function faultOf(
  paid: Transaction,
  collection: Transaction | undefined,
  expected: StoredExpectation | undefined,
): NotTaken | undefined {
  if (!collection || collection.type !== 'COLLECTION' || collection.isAttempt) return 'no_use'
  const waits = collection.status === 'PENDING' && expected !== undefined
  if (!waits && collection.status !== 'FAILED') return 'no_use'
  if (collection.amount.currency !== paid.amount.currency || collection.providerCode !== paid.providerCode)
    return 'other_provider'
  return expected || paidMinor(collection) === paidMinor(paid) ? undefined : 'other_amount'
}

async function completeBy(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  collection: Transaction,
  attempt: Transaction,
  expected: StoredExpectation | undefined,
  transfers: readonly Transfer[],
): Promise<void> {
  const now = deps.clock.now()
  const { request, amount } = expected ? attempt : collection
  const { chargeMinor, totalMinor } = expected ? attempt : collection
  const paid = { ...paidBy(collection, attempt, now), request, amount, chargeMinor, totalMinor }
  await unit.saveAccount(paid)
  if (expected) await unit.endExpected([collection.id])
  const detail = `A person took ${attempt.internalReference} from suspense`
  const taken = { transactionId: paid.id, kind: 'resolved', detail }
  await endWithin(unit, deps, collection.status, [paid], [taken])
  await unit.book(transfers, now)
}

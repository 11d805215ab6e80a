import {
  isExpected,
  paidByCustomer,
  typedReference,
  UNPAID,
  withPaid,
  type ReceivedPayment,
} from '../domain/expected-payment.ts'
import { paidAgainTransfer } from '../domain/ledger.ts'
import { newInternalReference, newOrderId } from '../domain/references.ts'
import { completed, endPending, type Transaction } from '../domain/transaction.ts'
import type { StoredExpectation } from './ports/expected-payments.ts'
import type { Job } from './ports/jobs.ts'
import type { UnrequestedPayment } from './ports/rail.ts'
import type { UnitOfWork } from './ports/store.ts'
import { referencesOf } from './rail-references.ts'
import { concludeWithin, endWithin, reportNotBooked, type ConcludeDeps, type SettleDeps } from './settle-results.ts'

/**
 * What becomes of a payment that the operator has confirmed. `completed`: the collection that expected it. `suspense`:
 * it names a collection that has no use for it, and lies on suspense as paid too. `unexpected`: it names none.
 */
export type Taken = 'completed' | 'suspense' | 'unexpected' | 'known'

/**
 * Books a confirmed payment for the collection whose reference the customer has typed, each receipt once. All of it is
 * decided under the lock of the collection, so of two payments at once, or of a payment and the expiry, exactly one
 * ends it.
 */
export async function takePayment(deps: SettleDeps, paidTo: string, payment: UnrequestedPayment): Promise<Taken> {
  const reference = typedReference(payment.reference ?? '')
  if (reference === undefined) return 'unexpected'
  const { taken, paidAgain } = await deps.store.transaction(async (unit) => {
    const now = deps.clock.now()
    const expected = await unit.expectedAt(paidTo, reference)
    const [collection] = expected ? await unit.lockTransactions({ ids: [expected.transactionId] }) : []
    if (!expected || collection?.amount.currency !== payment.amount.currency) return { taken: 'unexpected' as const }
    if (!(await unit.takeReceipt(paidTo, payment, collection.id, now))) return { taken: 'known' as const }
    if (isExpected(expected, payment.amount, collection, now)) {
      await completeWithin(unit, deps, { expected, collection }, payment)
      return { taken: 'completed' as const }
    }
    const paidAgain = await keepOnSuspense(unit, deps, { expected, collection }, payment)
    return { taken: 'suspense' as const, paidAgain }
  })
  if (paidAgain) reportNotBooked(deps, [paidAgain])
  return taken
}

/**
 * What counts toward the daily limit of the payer's number. It is counted without a check, because the money has moved.
 * The window begins now: the payment may have been expected for weeks. A payer whom the operator does not show has no
 * limit.
 */
const countedUse = (paid: Transaction, now: Date): readonly Transaction[] =>
  paid.account === '' ? [] : [{ ...paid, createdAt: now }]

/** A locked collection and what it expects. */
interface Expecting {
  readonly expected: StoredExpectation
  readonly collection: Transaction
}

/** Completes a locked collection, PENDING, by what its customer has paid. Its receipt is taken. */
async function completeWithin(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  { expected, collection }: Expecting,
  payment: ReceivedPayment,
  reportedBy?: string,
): Promise<void> {
  const now = deps.clock.now()
  const paid = paidByCustomer(withPaid(collection, expected, payment), newOrderId(deps.random), now)
  await unit.saveAccount(paid)
  await unit.endExpected([paid.id])
  await unit.countTowardDailyLimit(countedUse(paid, now))
  await unit.addRailReferences(
    referencesOf(paid, { [expected.receiptName]: payment.receipt }, reportedBy === undefined ? 'call' : 'statement'),
    now,
  )
  const detail = `COMPLETED: the customer has paid, ${payment.receipt}${reportedBy === undefined ? '' : ` (${reportedBy})`}`
  await concludeWithin(unit, deps, {
    steps: [{ from: 'PENDING', to: paid }],
    notBooked: [],
    events: [{ transactionId: paid.id, kind: 'settled', detail }],
  })
}

/**
 * Keeps what a collection has no use for as an attempt of it that has paid too: of another amount, after the end, or a
 * second time. Staff give it back (`returnFromSuspense`), or take it for a collection.
 */
async function keepOnSuspense(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  { expected, collection }: Expecting,
  payment: UnrequestedPayment,
): Promise<Transaction> {
  const now = deps.clock.now()
  const paying = withPaid(collection, expected, payment)
  const attempt = await unit.addAttempt(paying, newInternalReference(deps.random, now), now)
  const paid: Transaction = {
    ...completed(attempt, now),
    railOrderId: newOrderId(deps.random),
    ...(expected.railAccount !== undefined && { railAccount: expected.railAccount }),
    railPaidAt: now,
  }
  await unit.saveStates([paid])
  await unit.countTowardDailyLimit(countedUse(paid, now))
  await unit.addRailReferences(referencesOf(paid, { [expected.receiptName]: payment.receipt }), now)
  const detail = `${payment.receipt}, kept as ${paid.internalReference}, is not what is expected: it is on suspense`
  await unit.addEvents([{ transactionId: collection.id, kind: 'paid_again', detail }], now)
  await unit.book([paidAgainTransfer(paid)], now)
  return paid
}

/** A payment of a statement's line, for the collection that the line names. */
export interface StatedPayment extends ReceivedPayment {
  readonly paidTo: string
  readonly internalReference: string
  /** Where the line is, for the history. */
  readonly reportedBy: string
}

/** Completes the collections that lines of a statement have paid and that still wait. */
export async function takeStatedPayments(deps: SettleDeps, payments: readonly StatedPayment[]): Promise<void> {
  for (const payment of payments)
    await deps.store.transaction(async (unit) => {
      const now = deps.clock.now()
      const [collection] = await unit.lockTransactions({ internalReferences: [payment.internalReference] })
      const [expected] = collection ? await unit.expectedOf([collection.id]) : []
      if (!collection || !expected || !isExpected(expected, payment.amount, collection, now)) return
      if (await unit.takeReceipt(payment.paidTo, payment, collection.id, now))
        await completeWithin(unit, deps, { expected, collection }, payment, payment.reportedBy)
    })
}

/** Fails the collections that nobody has paid in time. A job that runs too early, by a clock set back, waits on. */
export async function expireExpected(deps: ConcludeDeps & Pick<SettleDeps, 'store'>, items: readonly Job[]) {
  await deps.store.transaction(async (unit) => {
    const now = deps.clock.now()
    const ids = items.map(({ subjectId }) => subjectId)
    const locked = new Map((await unit.lockTransactions({ ids })).map((one) => [one.id, one]))
    const until = new Map(
      (await unit.expectedOf(ids)).map(({ transactionId, expiresAt }) => [transactionId, expiresAt]),
    )
    const held = await unit.holdJobs(items)
    const isWaiting = ({ subjectId }: Job): boolean => locked.get(subjectId)?.status === 'PENDING'
    for (const item of held) {
      const expiresAt = until.get(item.subjectId)
      if (!isWaiting(item)) await unit.finishJobs([item])
      else if (expiresAt && now < expiresAt) await unit.replaceJobs([item], 'expireExpected', expiresAt)
    }
    const unpaid = held.flatMap((item) => {
      const collection = locked.get(item.subjectId)
      const isOver = now >= (until.get(item.subjectId) ?? now)
      return collection && isWaiting(item) && isOver ? [endPending(collection, 'FAILED', UNPAID, now)] : []
    })
    if (unpaid.length === 0) return
    await unit.endExpected(unpaid.map(({ id }) => id))
    await endWithin(unit, deps, 'PENDING', unpaid)
  })
}

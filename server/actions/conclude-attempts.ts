import { afterAttempt, type TriedCollection } from '../domain/attempts.ts'
import type { Failure } from '../domain/failure-code.ts'
import { paidAgainTransfer, type Transfer } from '../domain/ledger.ts'
import { withoutSteps } from '../domain/payment-session.ts'
import { endPending, type Transaction } from '../domain/transaction.ts'
import type { Step } from './apply-reports.ts'
import type { AttemptWrites } from './ports/attempts.ts'
import type { UnitOfWork } from './ports/store.ts'
import type { TransactionEvent } from './ports/transactions.ts'

interface ConcludedAttempts {
  /** All steps, with those of the collections that follow from attempts. */
  readonly steps: readonly Step[]
  readonly transfers: readonly Transfer[]
  readonly events: readonly TransactionEvent[]
}

/** Why an attempt that was never sent has ended. */
const NOT_NEEDED = { reason: 'Never sent: its collection has ended', code: 'cancelled' } as const

/**
 * Applies what ended attempts mean for their collections (`afterAttempt`), one after the other. The attempts are
 * locked; their collections are locked here, so that of two successes exactly one completes the collection. Without an
 * attempt among the steps, this costs no statement.
 */
export async function concludeAttempts(
  unit: UnitOfWork,
  steps: readonly Step[],
  now: Date,
): Promise<ConcludedAttempts> {
  const attempts = steps.filter(({ to }) => to.isAttempt)
  if (attempts.length === 0) return { steps, transfers: [], events: [] }
  const tried = await unit.lockCollectionsOf(attempts.map(({ to }) => to.id))
  const current = new Map<bigint, TriedCollection>()
  const concluded: Step[] = []
  const transfers: Transfer[] = []
  const events: TransactionEvent[] = []
  for (const step of steps) {
    const of = tried.get(step.to.id)
    if (!of) {
      concluded.push(step)
      continue
    }
    const { id } = of.collection
    const before = current.get(id) ?? of
    const { status } = before.collection
    const after = afterAttempt(before, step.to, of.number, now)
    const note = (kind: string, detail: string): void =>
      void events.push({ transactionId: id, kind, detail: `Attempt ${of.number}${detail}` })
    switch (after.effect) {
      case 'paid':
      case 'failed':
        concluded.push(step, { from: status, to: after.collection })
        current.set(id, { collection: after.collection, session: withoutSteps(before.session) })
        events.push({
          transactionId: id,
          kind: 'settled',
          detail: `${after.collection.status}: ${after.collection.statusMessage}`,
        })
        break
      case 'retry':
        concluded.push(step)
        current.set(id, { ...before, session: { ...before.session, awaits: 'retry' } })
        note('attempt_failed', ` failed: ${step.to.statusMessage}`)
        break
      case 'paid_again':
        concluded.push({ ...step, to: { ...step.to, railPaidAt: now } })
        transfers.push(paidAgainTransfer(step.to))
        note('paid_again', `, ${step.to.internalReference}, has paid too: its money is on suspense`)
        break
      case 'nothing':
        concluded.push(step)
    }
  }
  for (const { collection, session } of current.values()) await saveCollection(unit, collection, session, now)
  return { steps: concluded, transfers, events }
}

async function saveCollection(
  unit: UnitOfWork,
  collection: Transaction,
  session: TriedCollection['session'],
  now: Date,
): Promise<void> {
  await unit.saveSession(session)
  if (session.awaits === 'retry')
    await unit.addJobs([{ kind: 'expirePage', subjectId: collection.id, dueAt: session.expiresAt }])
  if (collection.status !== 'COMPLETED') return
  await unit.saveAccount(collection)
  await endUnsentAttempt(unit, collection.id, now)
}

/** Ends the attempt of a locked collection that was not sent, if there is one: it no longer counts toward its limit. */
export async function endUnsentAttempt(unit: UnitOfWork, collectionId: bigint, now: Date): Promise<void> {
  const unsent = (await unit.attemptsOf(collectionId)).filter(({ status }) => status === 'PENDING')
  const locked = await unit.lockTransactions({ ids: unsent.map(({ id }) => id) })
  const ended = locked
    .filter(({ status }) => status === 'PENDING')
    .map((attempt) => endPending(attempt, 'FAILED', NOT_NEEDED, now))
  await unit.saveStates(ended)
  await unit.releaseDailyLimit(ended)
  if (ended.length > 0) await unit.finishPaymentJobs(ended.map(({ id }) => id))
}

/** What the last attempt failed with: that is how its collection ends, if there is no other. */
export async function lastFailure(unit: AttemptWrites, collectionId: bigint): Promise<Failure | undefined> {
  const last = (await unit.attemptsOf(collectionId)).findLast(({ status }) => status === 'FAILED')
  return last && { reason: last.statusMessage, ...(last.failureCode !== undefined && { code: last.failureCode }) }
}

/** Whether its money is on suspense, until it is refunded: its collection was paid by another attempt, or has ended. */
export const isPaidAgain = ({ isAttempt, status, railPaidAt }: Transaction): boolean =>
  isAttempt === true && status === 'COMPLETED' && railPaidAt !== undefined

import { afterAttempt, type TriedCollection } from '../domain/attempts.ts'
import type { Failure } from '../domain/failure-code.ts'
import { paidAgainTransfer, type Transfer } from '../domain/ledger.ts'
import { withoutSteps } from '../domain/payment-session.ts'
import { endPending, isFinal, type Transaction } from '../domain/transaction.ts'
import { settledEvent, type Step } from './apply-reports.ts'
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
        events.push(settledEvent(after.collection))
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
  const awaited = new Map([...tried.values()].map(({ collection, session }) => [collection.id, session.awaits]))
  for (const one of current.values()) await saveCollection(unit, one, awaited.get(one.collection.id), now)
  return { steps: concluded, transfers, events }
}

async function saveCollection(
  unit: UnitOfWork,
  { collection, session }: TriedCollection,
  awaited: TriedCollection['session']['awaits'] | undefined,
  now: Date,
): Promise<void> {
  await unit.saveSession(session)
  if (session.awaits === 'retry')
    await unit.addJobs([{ kind: 'expirePage', subjectId: collection.id, dueAt: session.expiresAt }])
  if (collection.status !== 'COMPLETED') return
  await unit.saveAccount(collection)
  if (awaited === 'otp') await endUnsentAttempt(unit, collection.id, now)
}

/**
 * Ends the attempt of a locked collection whose customer did not confirm it, if there is one. Nobody else locks an
 * attempt without a job; one with a job ends in `withoutUnneeded`, so attempts are always locked before collections.
 */
export async function endUnsentAttempt(unit: UnitOfWork, collectionId: bigint, now: Date): Promise<void> {
  const attempts = await unit.attemptsOf(collectionId)
  await endAttempts(unit, await unit.lockTransactions({ ids: attempts.filter(isUnsent).map(({ id }) => id) }), now)
}

/** Ends locked attempts that were not sent and whose collections have ended. @returns the others */
export async function withoutUnneeded(
  unit: UnitOfWork,
  locked: readonly Transaction[],
  now: Date,
): Promise<readonly Transaction[]> {
  const attempts = locked.filter((one) => one.isAttempt && isUnsent(one))
  if (attempts.length === 0) return locked
  const tried = await unit.lockCollectionsOf(attempts.map(({ id }) => id))
  const unneeded = attempts.filter(({ id }) => isFinal(tried.get(id)?.collection.status ?? 'PENDING'))
  await endAttempts(unit, unneeded, now)
  return locked.filter((one) => !unneeded.includes(one))
}

const isUnsent = ({ status }: Transaction): boolean => status === 'PENDING'

/** They no longer count toward their limits. */
async function endAttempts(unit: UnitOfWork, attempts: readonly Transaction[], now: Date): Promise<void> {
  const ended = attempts.filter(isUnsent).map((attempt) => endPending(attempt, 'FAILED', NOT_NEEDED, now))
  await unit.saveStates(ended)
  await unit.releaseDailyLimit(ended)
  if (ended.length > 0) await unit.finishPaymentJobs(ended.map(({ id }) => id))
}

/** What the last attempt failed with: that is how its collection ends, if there is no other. */
export async function lastFailure(unit: AttemptWrites, collectionId: bigint): Promise<Failure | undefined> {
  const last = (await unit.attemptsOf(collectionId)).findLast(({ status }) => status === 'FAILED')
  return last && { reason: last.statusMessage, ...(last.failureCode !== undefined && { code: last.failureCode }) }
}

import {
  isWaitMessage,
  OVERTAKEN_MS_MAX,
  WAIT_MESSAGES,
  WAIT_RETRY_MS,
  WAITED_IN_VAIN,
} from '../../domain/payout-waits.ts'
import { takenMinor } from '../../domain/refund.ts'
import { GIVE_UP_AFTER_MS, STATUS_MESSAGES, type Transaction } from '../../domain/transaction.ts'
import type { SimulatedGateway } from './gateway.ts'
import { Connection } from './memory-store/connection.ts'
import { BETWEEN_MS, WAIT_MS, type SimulatedFloat } from './operator-float.ts'
import { MINUTE, SECOND } from './spans.ts'
import type { Stage } from './stage.ts'

// The money that an operator holds for payouts runs out and comes back, and the operator is away for a while.

/** A balance that is older does not count: with some time for the steps in between. */
const KNOWN_MS = 50 * MINUTE

/** The balance is read again and again, and topped up; at the end it may come back or not. */
export async function floatRunsOut(stage: Stage, float: SimulatedFloat, railAccount: string): Promise<void> {
  const { choices, gateway } = stage
  const { scheduler, reference } = gateway
  const amount = (units: bigint) => units * reference.market.unitMinor
  float.topUp(amount(choices.of(1_000n, 0n, 2_500n, 6_000n)))
  for (let polls = 3 + choices.among(8); polls > 0; polls -= 1) {
    await readFloat(gateway, float, railAccount, choices.of(0, SECOND, 20 * SECOND))
    await scheduler.sleep(choices.of(20 * SECOND, 5 * MINUTE, 12 * MINUTE))
    if (choices.rarely(0.25) === 1) float.topUp(amount(choices.of(1_000n, 400n, 3_000n)))
  }
  if (choices.among(2) === 0) return
  float.topUp(amount(50_000n))
  await readFloat(gateway, float, railAccount, 0)
}

/** As start/rail-balances.ts: what may not be paid yet is taken off, and what is handed over meanwhile. */
async function readFloat(
  { world, scheduler }: SimulatedGateway,
  float: SimulatedFloat,
  railAccount: string,
  takesMs: number,
): Promise<void> {
  const connection = new Connection(world, async () => undefined)
  const handedBefore = await connection.autocommit('write', 'a balance is queried', async (unit) => {
    await unit.floats.lock(railAccount)
    const { handedMinor = 0n, ...before } = unit.floats.get(railAccount) ?? { floatMinor: 0n }
    unit.floats.put(railAccount, { ...before, handedMinor })
    return handedMinor
  })
  const openMinor = [...world.transactions.values()].reduce(
    (sum, { transaction }) =>
      sum +
      (transaction.status === 'PROCESSING' &&
      transaction.type !== 'COLLECTION' &&
      transaction.railAccount === railAccount
        ? takenMinor(transaction)
        : 0n),
    0n,
  )
  await scheduler.sleep(takesMs)
  const reported = float.read()
  await scheduler.sleep(takesMs)
  const readAt = new Date(scheduler.nowMs)
  await connection.autocommit('write', 'a balance is read', async (unit) => {
    await unit.floats.lock(railAccount)
    const handedMinor = unit.floats.get(railAccount)?.handedMinor ?? 0n
    const floatMinor = reported - openMinor - (handedMinor - handedBefore)
    unit.floats.put(railAccount, { floatMinor, handedMinor, readAt })
  })
  float.readsMs.push(scheduler.nowMs)
  // Whatever waits is decided again at once.
  const waiting = new Set(
    [...world.payoutWaits.values()].flatMap((wait) => (wait.railAccount === railAccount ? [wait.transactionId] : [])),
  )
  await connection.autocommit('write', 'payouts wake', async (unit) => {
    for (const { id, subjectId } of world.workOf('submitToRail').values()) {
      if (!waiting.has(subjectId)) continue
      await unit.work.lock(id)
      const job = unit.work.get(id)
      if (job && job.token === undefined) unit.work.put(id, { ...job, dueAt: new Date(scheduler.nowMs) })
    }
  })
}

/** The operator does not answer for a while, then one order may try. */
export async function operatorAway({ choices, gateway }: Stage, float: SimulatedFloat): Promise<void> {
  const { scheduler } = gateway
  await scheduler.sleep(choices.of(SECOND, 10 * SECOND, 5 * MINUTE))
  float.become('away', scheduler.nowMs)
  await scheduler.sleep(choices.of(2 * MINUTE, 30 * MINUTE, 75 * MINUTE))
  float.become('trying', scheduler.nowMs)
  await scheduler.sleep(choices.of(SECOND, 2 * MINUTE))
  float.become('there', scheduler.nowMs)
}

/** Payouts overtake none that has waited too long, are never sent beyond a float that is known, and wait in vain only for long, and for the reason given. */
export function waitedRightly(gateway: SimulatedGateway, transaction: Transaction): string[] {
  const { float } = gateway.rail
  if (!float || transaction.type !== 'PAYOUT') return []
  const { internalReference, merchantReference, failureCode, railOrderId, createdAt } = transaction
  const events = gateway.world.eventsOf(transaction.id)
  const faults = overtaken(gateway, float, transaction)
  const handedMs = events.findLast(({ kind }) => kind === 'submitted')?.at.getTime()
  const refusedMs = float.refused.get(internalReference)
  if (refusedMs !== undefined && handedMs !== undefined && wasKnownUntil(gateway, float, handedMs, refusedMs))
    faults.push(`${merchantReference} was handed over beyond the float`)
  const end = events.find(({ kind, detail }) => kind === 'settled' && detail.startsWith('FAILED'))
  if (failureCode !== 'no_float' && failureCode !== 'operator_unreachable') return faults
  if (railOrderId !== undefined) faults.push(`${merchantReference} was handed over, and failed as not sent`)
  const endMs = end?.at.getTime() ?? 0
  const since = events.find(({ kind }) => kind === 'waits')?.at.getTime() ?? endMs
  if (endMs - since < WAIT_MS - BETWEEN_MS && endMs - createdAt.getTime() < GIVE_UP_AFTER_MS)
    faults.push(`${merchantReference} has waited only ${endMs - since} ms`)
  const isRight =
    failureCode === 'no_float'
      ? float.wasJustBefore(endMs, 'there', 'trying')
      : float.wasJustBefore(endMs, 'away', 'trying')
  return isRight ? faults : [...faults, `${merchantReference} failed for another reason than ${failureCode}`]
}

const wasKnown = ({ readsMs }: SimulatedFloat, atMs: number): boolean =>
  readsMs.some((readMs) => readMs <= atMs && atMs - readMs < KNOWN_MS)

/** Whether no payout went out unchecked meanwhile: where its try was lost, others may have taken what it was given. */
const wasKnownUntil = (
  { world }: SimulatedGateway,
  float: SimulatedFloat,
  handedMs: number,
  untilMs: number,
): boolean =>
  wasKnown(float, handedMs) &&
  world.events.every(({ kind, at }) => {
    const atMs = at.getTime()
    return kind !== 'submitted' || atMs <= handedMs || atMs > untilMs || wasKnown(float, atMs)
  })

/**
 * A payout overtakes no older one that has waited too long for float. While no float is known, all go; and what is
 * covered, too, goes when it is looked at the next time.
 */
function overtaken({ world }: SimulatedGateway, float: SimulatedFloat, transaction: Transaction): string[] {
  const events = world.eventsOf(transaction.id)
  const waits = events.filter(({ kind }) => kind === 'waits')
  const [first] = waits
  if (!first || events.some(({ kind }) => kind === 'suspended')) return []
  const fromMs = first.at.getTime() + OVERTAKEN_MS_MAX + BETWEEN_MS
  const end = events.find(({ id, kind }) => id > first.id && (kind === 'submitted' || kind === 'settled'))
  const endMs = end?.at.getTime() ?? Infinity
  const untilMs = end?.kind === 'submitted' ? endMs - WAIT_RETRY_MS - BETWEEN_MS : endMs
  return world.events
    .filter(({ kind, at }) => kind === 'submitted' && at.getTime() > fromMs && at.getTime() < untilMs)
    .filter(({ transactionId, id, at }) => {
      const other = world.transactions.existing(transactionId).transaction
      const reason = waits.findLast((wait) => wait.id < id)?.detail ?? ''
      const isOvertaking = reason.startsWith(WAIT_MESSAGES.float) && wasKnown(float, at.getTime())
      return other.type === 'PAYOUT' && isLater(other, transaction) && isOvertaking
    })
    .map(({ transactionId }) => `${transaction.merchantReference} was overtaken by ${transactionId} after its time`)
}

const isLater = (a: Transaction, b: Transaction): boolean =>
  a.createdAt.getTime() > b.createdAt.getTime() || (a.createdAt.getTime() === b.createdAt.getTime() && a.id > b.id)

/** It ended without an order, by what is decided here. */
export const endedUnsent = ({ railOrderId, statusMessage }: Transaction): boolean =>
  railOrderId === undefined && Object.values(WAITED_IN_VAIN).some(({ reason }) => reason === statusMessage)

/** It waits without a bug: for its operator, or for the end of a suspension. */
export const isWaiting = ({ statusMessage }: Transaction): boolean =>
  isWaitMessage(statusMessage) || statusMessage === STATUS_MESSAGES.suspended

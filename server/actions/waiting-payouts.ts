import {
  decidePayouts,
  isWaitMessage,
  WAIT_MESSAGES,
  WAIT_RETRY_MS,
  type PayoutDecision,
  type PayoutTerms,
  type QueuedPayout,
} from '../domain/payout-waits.ts'
import { present } from '../domain/present.ts'
import { takenMinor } from '../domain/refund.ts'
import { endPending, gaveUp, type Transaction } from '../domain/transaction.ts'
import type { Job } from './ports/jobs.ts'
import { waitOf, type PayoutWait } from './ports/payout-waits.ts'
import type { Rail } from './ports/rail.ts'
import type { UnitOfWork } from './ports/store.ts'
import { nextRailAccount } from './rail-order.ts'
import { endWithin, type SettleDeps } from './settle-results.ts'
import { isUnsent, type Unsuspended } from './suspended-payouts.ts'

/** Refunds do not wait for float, but are counted: they may be paid from it. */
const mayWait = ({ type }: Transaction): boolean => type === 'PAYOUT'

/** A balance that is older says nothing: payouts go to the operator, which decides. */
const FLOAT_KNOWN_MS = 60 * 60_000

interface Candidate {
  readonly payout: Transaction
  readonly terms: PayoutTerms
  readonly decision: PayoutDecision
  readonly since: Date
}

const waits = ({ statusMessage }: Transaction): boolean => isWaitMessage(statusMessage)

/**
 * Lets payouts wait, with their hold, that their operator could not pay now, and fails those that have waited long
 * enough (`domain/payout-waits.ts`). Only what was never sent waits or fails here: an order that may have arrived goes
 * on, because only its operator can end it.
 *
 * The float of a rail account is locked until the commit that hands its payouts over, so two workers never spend it
 * twice. Where the operator answers and reports no float, this costs no statement; where its float is enough and nothing
 * waits, one.
 * @param held the job of each transaction
 * @returns the transactions that go on
 */
export async function withoutWaiting(
  unit: UnitOfWork,
  deps: SettleDeps & { readonly rail: Rail },
  { open, resumedAt }: Unsuspended,
  held: ReadonlyMap<bigint, Job>,
): Promise<readonly Transaction[]> {
  const candidates = await decided(unit, deps, open, resumedAt)
  const isStopped = new Set(candidates.flatMap(({ payout, decision: { step } }) => (step === 'go' ? [] : [payout.id])))
  const going = open.filter(({ id }) => !isStopped.has(id))
  await keepWaiting(unit, deps, candidates, held)
  const failed = await failLate(unit, deps, candidates)
  await unit.endPayoutWaits([...going.filter((one) => mayWait(one) && waits(one)), ...failed].map(({ id }) => id))
  return going
}

/** A payout or refund that was never sent, at a rail account where something may have to wait or is counted. */
interface Outgoing {
  readonly order: Transaction
  readonly terms: PayoutTerms
}

/** By rail account. Refunds are counted where payouts go, and stand in no queue. */
function outgoingOf(rail: Rail, open: readonly Transaction[]): ReadonlyMap<string, readonly Outgoing[]> {
  const unsent = open.filter(isUnsent)
  const known = new Map(unsent.map(({ providerCode }) => [providerCode, rail.payoutTerms?.(providerCode)]))
  const outgoing = unsent.flatMap((order) => {
    const terms = known.get(order.providerCode)
    if (!terms) return []
    const isConcerned = mayWait(order)
      ? terms.operator !== 'there' || terms.hasFloat || waits(order)
      : terms.hasFloat && nextRailAccount(rail, order) === terms.railAccount
    return isConcerned ? [{ order, terms }] : []
  })
  return Map.groupBy(outgoing, ({ terms }) => terms.railAccount)
}

const sumOf = (orders: readonly Outgoing[]): bigint => orders.reduce((sum, { order }) => sum + takenMinor(order), 0n)

/** The payouts that something has to be decided about, with the decision. Counts what goes. */
async function decided(
  unit: UnitOfWork,
  { rail, clock }: Pick<SettleDeps, 'clock'> & { readonly rail: Rail },
  open: readonly Transaction[],
  resumedAt: Unsuspended['resumedAt'],
): Promise<readonly Candidate[]> {
  const now = clock.now()
  const knownSince = new Date(now.getTime() - FLOAT_KNOWN_MS)
  const all = outgoingOf(rail, open)
  // The usual case costs one statement: nothing waits, and the float covers everything.
  const wanted = [...all].flatMap(([name, own]): [string, bigint][] =>
    own.every(({ order, terms }) => terms.hasFloat && terms.operator === 'there' && !waits(order))
      ? [[name, sumOf(own)]]
      : [],
  )
  const free = await unit.handOver(new Map(wanted), knownSince)
  const queues = [...all].filter(([name]) => !free.has(name))
  if (queues.length === 0) return []
  const withFloat = queues.flatMap(([name, own]) => (own.some(({ terms }) => terms.hasFloat) ? [name] : []))
  const floats = await unit.lockFloats(withFloat.sort(), knownSince)
  const known = [...floats].flatMap(([name, minor]) => (minor === undefined ? [] : [name]))
  const isWaiting = queues.flatMap(([, own]) => own.flatMap(({ order }) => (waits(order) ? [order.id] : [])))
  const waiting = await unit.payoutWaits(known, isWaiting)
  const decisions = queues.map(([name, own]) => ({
    name,
    ...decidedAt(own, { waiting, resumedAt, now, floatMinor: floats.get(name) }),
  }))
  await unit.takeFloats(
    new Map(
      decisions.flatMap(({ name, goingMinor }) => (floats.has(name) && goingMinor > 0n ? [[name, goingMinor]] : [])),
    ),
  )
  return decisions.flatMap(({ candidates }) => candidates)
}

interface QueueState {
  readonly waiting: readonly PayoutWait[]
  readonly resumedAt: Unsuspended['resumedAt']
  readonly now: Date
  readonly floatMinor: bigint | undefined
}

/** The decisions at one rail account, and what goes there now, refunds too. */
function decidedAt(own: readonly Outgoing[], { waiting, resumedAt, now, floatMinor }: QueueState) {
  const { terms } = present(own[0], 'an order of the rail account')
  const refundedMinor = sumOf(own.filter(({ order }) => !mayWait(order)))
  const since = new Map(waiting.map((wait) => [wait.transactionId, wait.since]))
  const here = own
    .filter(({ order }) => mayWait(order))
    .map(({ order }) => ({
      order,
      id: order.id,
      merchantId: order.merchantId,
      amountMinor: takenMinor(order),
      createdAt: order.createdAt,
      since: laterOf(since.get(order.id) ?? now, resumedAt.get(order.id)),
      isTooOld: waits(order) && gaveUp(order, now, resumedAt.get(order.id)),
    }))
  const isHere = new Set(here.map(({ id }) => id))
  const state = { ...terms, ...(floatMinor !== undefined && { floatMinor: floatMinor - refundedMinor }) }
  const decisions = decidePayouts(here, elsewhere(waiting, terms.railAccount, isHere), state, now)
  const candidates = here.map(({ order: payout, ...queued }): Candidate => ({
    payout,
    terms,
    decision: present(decisions.get(payout.id), 'a decision'),
    since: queued.since,
  }))
  const going = candidates.filter(({ decision }) => decision.step === 'go')
  const goingMinor = going.reduce((sum, { payout }) => sum + takenMinor(payout), refundedMinor)
  return { candidates, goingMinor }
}

const laterOf = (since: Date, resumed: Date | undefined): Date => (resumed && resumed > since ? resumed : since)

const elsewhere = (
  waiting: readonly PayoutWait[],
  railAccount: string,
  isHere: ReadonlySet<bigint>,
): readonly QueuedPayout[] =>
  waiting
    .filter((wait) => wait.railAccount === railAccount && !isHere.has(wait.transactionId))
    .map(({ transactionId: id, ...wait }) => ({ id, ...wait }))

/** The reason stands in the message of the payout; its history has it whenever it changes. */
async function keepWaiting(
  unit: UnitOfWork,
  { clock }: Pick<SettleDeps, 'clock'>,
  candidates: readonly Candidate[],
  held: ReadonlyMap<bigint, Job>,
): Promise<void> {
  const now = clock.now()
  const waiting = candidates.flatMap(({ decision, ...one }) =>
    decision.step === 'wait' ? [{ ...one, reason: decision.reason }] : [],
  )
  const changed = waiting.filter(({ payout, reason }) => payout.statusMessage !== WAIT_MESSAGES[reason])
  await unit.saveStates(changed.map(({ payout, reason }) => ({ ...payout, statusMessage: WAIT_MESSAGES[reason] })))
  await unit.savePayoutWaits(
    changed.map(({ payout, terms, reason, since }) => waitOf(payout, terms.railAccount, reason, since)),
  )
  await unit.addEvents(
    changed.map(({ payout, reason }) => ({
      transactionId: payout.id,
      kind: 'waits',
      detail: `${WAIT_MESSAGES[reason]}, nothing was sent`,
    })),
    now,
  )
  const dueAt = new Date(now.getTime() + WAIT_RETRY_MS)
  await unit.rescheduleJobs(
    waiting.map(({ payout }) => ({ item: present(held.get(payout.id), 'the job of a payout'), dueAt })),
  )
}

/** Releases their holds. @returns the payouts that have failed */
async function failLate(
  unit: UnitOfWork,
  deps: SettleDeps,
  candidates: readonly Candidate[],
): Promise<readonly Transaction[]> {
  const failed = candidates.flatMap(({ payout, decision }) =>
    decision.step === 'fail' ? [endPending(payout, 'FAILED', decision.failure, deps.clock.now())] : [],
  )
  if (failed.length === 0) return []
  // A hold is released as that of an order that failed.
  await endWithin(unit, deps, 'PROCESSING', failed)
  return failed
}

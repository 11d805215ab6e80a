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
import { endPending, gaveUp, type Transaction } from '../domain/transaction.ts'
import type { Job } from './ports/jobs.ts'
import { waitOf, type PayoutWait } from './ports/payout-waits.ts'
import type { Rail } from './ports/rail.ts'
import type { UnitOfWork } from './ports/store.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
import { isUnsent, type Unsuspended } from './suspended-payouts.ts'

/** Refunds do not wait for float: they are sent as their collection's money came. */
const mayWait = (transaction: Transaction): boolean => transaction.type === 'PAYOUT' && isUnsent(transaction)

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
 * twice. Where no float is known, the operator answers and nothing waits, this costs no statement.
 * @param held the job of each transaction
 * @returns the transactions that go on
 */
export async function withoutWaiting(
  unit: UnitOfWork,
  deps: SettleDeps & { readonly rail: Rail },
  { open, resumedAt }: Unsuspended,
  held: ReadonlyMap<bigint, Job>,
): Promise<readonly Transaction[]> {
  const candidates = await decided(unit, deps, open.filter(mayWait), resumedAt)
  const isStopped = new Set(candidates.flatMap(({ payout, decision: { step } }) => (step === 'go' ? [] : [payout.id])))
  const going = open.filter(({ id }) => !isStopped.has(id))
  await keepWaiting(unit, deps, candidates, held)
  const failed = await failLate(unit, deps, candidates)
  await unit.endPayoutWaits([...going.filter((one) => mayWait(one) && waits(one)), ...failed].map(({ id }) => id))
  return going
}

/** The payouts whose terms say that they may wait, with what is decided about them. Counts what goes. */
async function decided(
  unit: UnitOfWork,
  { rail, clock }: Pick<SettleDeps, 'clock'> & { readonly rail: Rail },
  unsent: readonly Transaction[],
  resumedAt: Unsuspended['resumedAt'],
): Promise<readonly Candidate[]> {
  const now = clock.now()
  const known = new Map(unsent.map(({ providerCode }) => [providerCode, rail.payoutTerms?.(providerCode)]))
  const queued = unsent.flatMap((payout) => {
    const terms = known.get(payout.providerCode)
    return terms && (terms.operator !== 'there' || terms.hasFloat || waits(payout)) ? [{ payout, terms }] : []
  })
  const byAccount = Map.groupBy(queued, ({ terms }) => terms.railAccount)
  const withFloat = [...byAccount].flatMap(([name, own]) => (own.some(({ terms }) => terms.hasFloat) ? [name] : []))
  const floats = await unit.lockFloats(withFloat.sort(), new Date(now.getTime() - FLOAT_KNOWN_MS))
  const waiting = await unit.payoutWaits(
    [...floats.keys()],
    unsent.filter(waits).map(({ id }) => id),
  )
  const rows = new Map(waiting.map((wait) => [wait.transactionId, wait]))
  const queuedAs = (payout: Transaction): QueuedPayout => ({
    id: payout.id,
    merchantId: payout.merchantId,
    amountMinor: payout.amount.amountMinor,
    createdAt: payout.createdAt,
    since: laterOf(rows.get(payout.id)?.since ?? now, resumedAt.get(payout.id)),
    isTooOld: waits(payout) && gaveUp(payout, now, resumedAt.get(payout.id)),
  })
  const candidates = [...byAccount].flatMap(([name, own]) => {
    const here = own.map(({ payout }) => queuedAs(payout))
    const { terms } = present(own[0], 'a payout of the rail account')
    const floatMinor = floats.get(name)
    const state = { ...terms, ...(floatMinor !== undefined && { floatMinor }) }
    const decisions = decidePayouts(here, elsewhere(waiting, name, new Set(here.map(({ id }) => id))), state, now)
    return own.map(({ payout }, index): Candidate => ({
      payout,
      terms,
      decision: present(decisions.get(payout.id), 'a decision'),
      since: present(here[index], 'a queued payout').since,
    }))
  })
  await unit.takeFloats(takenFrom(floats, candidates))
  return candidates
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

function takenFrom(floats: ReadonlyMap<string, bigint>, candidates: readonly Candidate[]): ReadonlyMap<string, bigint> {
  const taken = new Map<string, bigint>()
  for (const { payout, terms, decision } of candidates)
    if (decision.step === 'go' && floats.has(terms.railAccount))
      taken.set(terms.railAccount, (taken.get(terms.railAccount) ?? 0n) + payout.amount.amountMinor)
  return taken
}

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
  await concludeWithin(unit, deps, {
    // A hold is released as that of an order that failed.
    steps: failed.map((to) => ({ from: 'PROCESSING' as const, to })),
    notBooked: [],
    events: failed.map(({ id, statusMessage }) => ({
      transactionId: id,
      kind: 'settled',
      detail: `FAILED: ${statusMessage}`,
    })),
  })
  return failed
}

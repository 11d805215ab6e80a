import { isPaidAgain } from '../domain/attempts.ts'
import { destinationOf } from '../domain/destination.ts'
import { callbackEventOf } from '../domain/callback.ts'
import { withheldEvent } from '../domain/deliveries.ts'
import { collectionTransfer, payoutTransfer, releaseTransfer, spreadCredit, type Transfer } from '../domain/ledger.ts'
import type { ClearingRule } from '../domain/provider.ts'
import { newCallbackId, type Random } from '../domain/references.ts'
import { isPaidNotBooked, isReturn, nothingMoved, type Transaction } from '../domain/transaction.ts'
import { concludeAttempts } from './conclude-attempts.ts'
import { countPromptDeclines } from './prompt-declines.ts'
import { applyReports, settledEvent, type AppliedReports, type Step } from './apply-reports.ts'
import type { AddressedCallback } from './ports/callbacks.ts'
import type { Clock } from './ports/clock.ts'
import type { Notices } from './ports/notices.ts'
import type { RailReport } from './ports/rail.ts'
import type { ReferenceData } from './ports/reference-data.ts'
import type { Store, UnitOfWork } from './ports/store.ts'
import type { RailReference } from './ports/rail-references.ts'
import { externalIdsIn, referencesOf } from './rail-references.ts'
import type { NewJob } from './ports/jobs.ts'
import { untilCovered } from './until-covered.ts'
import type { LimitWrites } from './ports/limits.ts'
import type { TransactionEvent } from './ports/transactions.ts'

export interface SettleDeps {
  readonly store: Store
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly random: Random
  readonly notices: Notices
  /** The JSON text of a callback: `{event, payload}` with the payload that verify would return now. */
  readonly callbackBody: (transaction: Transaction) => string
}

/**
 * Settles the reports of a rail, a whole batch in one commit: states, ledger, limits, callbacks with their jobs,
 * history.
 */
export async function settleResults(deps: SettleDeps, reports: readonly RailReport[]): Promise<void> {
  if (reports.length === 0) return
  reportNotBooked(deps, await untilCovered(() => deps.store.transaction((unit) => settleWithin(unit, deps, reports))))
}

/**
 * Like settleResults, as a part of a larger commit. @throws WalletTooLow, WalletFilled by the commit: see untilCovered
 * @returns what the rail has paid and could not be booked: see reportNotBooked
 */
export async function settleWithin(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  reports: readonly RailReport[],
): Promise<readonly Transaction[]> {
  const before = await unit.lockTransactions({
    internalReferences: reports.map(({ internalReference }) => internalReference),
  })
  await unit.addRailReferences(referencesIn(before, reports), deps.clock.now())
  return concludeWithin(unit, deps, await applyReports(unit, before, reports, deps.clock.now()))
}

function referencesIn(transactions: readonly Transaction[], reports: readonly RailReport[]): readonly RailReference[] {
  const byReference = new Map(transactions.map((transaction) => [transaction.internalReference, transaction]))
  return reports.flatMap((report) => {
    const transaction = byReference.get(report.internalReference)
    const origin = report.reportedBy === undefined ? 'call' : 'statement'
    return transaction ? referencesOf(transaction, externalIdsIn(report), origin) : []
  })
}

/** Alerts that may be sent only after the commit. */
export function reportNotBooked({ notices }: Pick<SettleDeps, 'notices'>, paidNotBooked: readonly Transaction[]): void {
  for (const transaction of paidNotBooked) notices.paidNotBooked(transaction)
}

/**
 * Concludes what ends without a report of a rail. The transactions are locked.
 * @param events come before the ends in the history
 */
export const endWithin = (
  unit: UnitOfWork,
  deps: ConcludeDeps,
  from: Step['from'],
  ended: readonly Transaction[],
  events: readonly TransactionEvent[] = [],
): Promise<readonly Transaction[]> =>
  concludeWithin(unit, deps, {
    steps: ended.map((to) => ({ from, to })),
    notBooked: [],
    events: [...events, ...ended.map(settledEvent)],
  })

/** What a commit that ends transactions needs. */
export type ConcludeDeps = Omit<SettleDeps, 'store' | 'notices'>

/**
 * Writes everything that follows from new final states. The transactions are locked.
 * @returns what the rail has paid and could not be booked, or paid again
 */
export async function concludeWithin(
  unit: UnitOfWork,
  deps: ConcludeDeps,
  { steps: ofOrders, notBooked, events }: AppliedReports,
): Promise<readonly Transaction[]> {
  const now = deps.clock.now()
  const { steps, transfers, events: ofCollections } = await concludeAttempts(unit, ofOrders, now)
  const callbacks = steps.flatMap(({ to }) => (to.isAttempt || isReturn(to) ? [] : [callbackFor(deps, to)]))
  const completed = steps
    .filter(({ to }) => isCompletedCollection(to))
    .map(({ to }) => ({ transaction: to, rule: clearingRuleOf(deps.reference, to) }))
  const latest = [
    ...new Map(
      [...steps.map(({ to }) => to), ...notBooked].map((transaction) => [transaction.id, transaction]),
    ).values(),
  ]
  await unit.saveStates(latest)
  await adjustDailyLimits(unit, ofOrders, notBooked)
  await countPromptDeclines(unit, ofOrders, now)
  await unit.finishPaymentJobs(latest.map(({ id }) => id))
  const withheld = await unit.addCallbacks(callbacks, now)
  await unit.addJobs(completed.flatMap(({ transaction, rule }) => releasesOf(transaction, rule, now)))
  await unit.addEvents([...events, ...ofCollections, ...withheld.map(withheldEvent)], now)
  await unit.book(
    [
      ...completed.map(({ transaction, rule }) => collectionTransfer(transaction, rule)),
      ...steps.flatMap(payoutTransfers),
      ...transfers,
    ],
    now,
  )
  return latest.filter((transaction) => isPaidNotBooked(transaction) || isPaidAgain(transaction))
}

const NO_DELAY: ClearingRule = { clearingDelaySeconds: 0, reserveBps: 0, reserveSeconds: 0 }
const clearingRuleOf = (reference: ReferenceData, { providerCode }: Transaction): ClearingRule =>
  reference.option(providerCode, 'COLLECTION') ?? NO_DELAY

function releasesOf({ id, totalMinor }: Transaction, rule: ClearingRule, now: Date): NewJob[] {
  const { unclearedMinor, reserveMinor } = spreadCredit(totalMinor, rule)
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  return [
    ...(unclearedMinor > 0n
      ? [{ kind: 'clearFunds' as const, subjectId: id, dueAt: after(rule.clearingDelaySeconds) }]
      : []),
    ...(reserveMinor > 0n
      ? [{ kind: 'releaseReserve' as const, subjectId: id, dueAt: after(rule.reserveSeconds) }]
      : []),
  ]
}

/**
 * The transfers of a payout's or a refund's step: posts the hold, releases it, or pays late. A payout that fails before its hold has
 * moved nothing, and one that gives back from suspense has no hold.
 */
function payoutTransfers({ from, to }: Step): Transfer[] {
  if (to.type === 'COLLECTION' || from === 'PENDING') return []
  if (isReturn(to) && to.status !== 'COMPLETED') return []
  if (to.status === 'COMPLETED') return [payoutTransfer(to, from === 'PROCESSING' ? 'payout' : 'payout_late')]
  return [releaseTransfer(to)]
}

const isCompletedCollection = ({ status, type, isAttempt }: Transaction): boolean =>
  status === 'COMPLETED' && type === 'COLLECTION' && !isAttempt

/** What the rail has paid counts toward the limit of its account, booked or not. */
async function adjustDailyLimits(
  unit: Pick<LimitWrites, 'releaseDailyLimit' | 'countTowardDailyLimit'>,
  steps: readonly Step[],
  notBooked: readonly Transaction[],
): Promise<void> {
  const released = steps.filter(({ to }) => isLimited(to) && nothingMoved(to) && !isPaidNotBooked(to))
  await unit.releaseDailyLimit(released.map(({ to }) => to))
  const late = steps.filter(({ from, to }) => from === 'FAILED' && to.status === 'COMPLETED').map(({ to }) => to)
  await unit.countTowardDailyLimit([...late, ...notBooked].filter(isLimited))
}

/** Refunds count toward no limit, and neither does a payer whom the operator does not show. */
const isLimited = ({ type, account }: Transaction): boolean => type !== 'REFUND' && account !== ''

/** Also for a merchant without a URL: the callback is stored, and waits for one without a job. */
function callbackFor(deps: Pick<SettleDeps, 'random' | 'callbackBody'>, transaction: Transaction): AddressedCallback {
  const { id, merchantId, type } = transaction
  return {
    webhookId: newCallbackId(deps.random, id),
    transactionId: id,
    merchantId,
    type,
    event: callbackEventOf(transaction),
    body: deps.callbackBody(transaction),
    destination: destinationOf(merchantId, type),
  }
}

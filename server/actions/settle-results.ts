import { callbackEventOf } from '../domain/callback.ts'
import { accountName, collectionTransfer, payoutTransfer, payoutWallet, releaseTransfer, spreadCredit, type Transfer } from '../domain/ledger.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import type { ClearingRule } from '../domain/provider.ts'
import { newCallbackId } from '../domain/references.ts'
import { nothingMoved, settle, type Transaction } from '../domain/transaction.ts'
import type { Clock, NewCallback, NewWork, RailReport, Random, ReferenceData, Store, TransactionEvent, Unit, Wake } from './ports.ts'

export interface SettleDeps {
  readonly store: Store
  readonly reference: ReferenceData
  readonly clock: Clock
  readonly random: Random
  readonly wake: Wake
  /** The JSON text of a callback: `{event, payload}` with the payload that verify would return now. */
  readonly callbackBody: (transaction: Transaction) => string
}

/** Settles what a rail reports, a whole batch in one commit: states, ledger, limits, callbacks with their work, history. */
export async function settleResults(deps: SettleDeps, reports: readonly RailReport[]): Promise<void> {
  if (reports.length === 0) return
  const callbacks = await deps.store.transaction((unit) => settleWithin(unit, deps, reports))
  if (callbacks > 0) deps.wake.wake('deliverCallback')
}

/** The same inside a commit that does more. @returns how many callbacks are to be delivered */
export async function settleWithin(unit: Unit, deps: ConcludeDeps, reports: readonly RailReport[]): Promise<number> {
  const before = await unit.lockTransactions({ internalReferences: reports.map(({ internalReference }) => internalReference) })
  return concludeWithin(unit, deps, await withoutUncovered(unit, applyInOrder(before, reports, deps.clock.now())))
}

export type ConcludeDeps = Omit<SettleDeps, 'store' | 'wake'>

/** Writes everything that follows from new final states. The transactions are locked. @returns how many callbacks are to be delivered */
export async function concludeWithin(unit: Unit, deps: ConcludeDeps, { steps, events }: Applied): Promise<number> {
  const now = deps.clock.now()
  const callbacks = steps.flatMap(({ to }) => callbackFor(deps, to))
  const completed = steps.filter(({ to }) => isCompletedCollection(to)).map(({ to }) => ({ transaction: to, rule: clearingRuleOf(deps.reference, to) }))
  const latest = [...new Map(steps.map(({ to }) => [to.id, to])).values()]
  await unit.saveStates(latest)
  await adjustDailyLimits(unit, steps)
  await unit.finishPaymentWork(latest.map(({ id }) => id))
  await unit.addCallbacks(callbacks, now)
  await unit.addWork(completed.flatMap(({ transaction, rule }) => releasesOf(transaction, rule, now)))
  await unit.addEvents(events, now)
  await unit.book([...completed.map(({ transaction, rule }) => collectionTransfer(transaction, rule)), ...steps.flatMap(payoutTransfers)], now)
  return callbacks.length
}

const NO_DELAY: ClearingRule = { clearingDelaySeconds: 0, reserveBps: 0, reserveSeconds: 0 }
const clearingRuleOf = (reference: ReferenceData, { providerCode, type }: Transaction): ClearingRule => reference.option(providerCode, type) ?? NO_DELAY

function releasesOf({ id, totalMinor }: Transaction, rule: ClearingRule, now: Date): NewWork[] {
  const { unclearedMinor, reserveMinor } = spreadCredit(totalMinor, rule)
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  return [
    ...(unclearedMinor > 0n ? [{ kind: 'clearFunds' as const, subjectId: id, dueAt: after(rule.clearingDelaySeconds) }] : []),
    ...(reserveMinor > 0n ? [{ kind: 'releaseReserve' as const, subjectId: id, dueAt: after(rule.reserveSeconds) }] : []),
  ]
}

/** From one state to the next. */
export interface Step {
  readonly from: Transaction['status']
  readonly to: Transaction
}

export interface Applied {
  /** In order: a late completion in the same batch as its failure makes two. */
  readonly steps: readonly Step[]
  readonly events: readonly TransactionEvent[]
}

function applyInOrder(before: readonly Transaction[], reports: readonly RailReport[], now: Date): Applied {
  const current = new Map(before.map((transaction) => [transaction.internalReference, transaction]))
  const steps: Step[] = []
  const events: TransactionEvent[] = []
  for (const { internalReference, outcome } of reports) {
    const transaction = current.get(internalReference)
    if (!transaction) continue // another gateway's order: nothing of ours to settle
    const settlement = settle(transaction, outcome, now)
    if (settlement.effect === 'recorded') {
      events.push({ transactionId: transaction.id, kind: 'rail_result_ignored', detail: settlement.why })
      continue
    }
    current.set(internalReference, settlement.transaction)
    steps.push({ from: transaction.status, to: settlement.transaction })
    events.push({ transactionId: transaction.id, kind: 'settled', detail: `${settlement.transaction.status}: ${settlement.transaction.statusMessage}` })
  }
  return { steps, events }
}

/** Payouts that had failed and turn out to be paid must be paid from the wallet now. What it no longer covers stays FAILED, for an operator to settle. */
async function withoutUncovered(unit: Unit, { steps, events }: Applied): Promise<Applied> {
  const isLate = ({ from, to }: Step): boolean => to.type === 'PAYOUT' && from === 'FAILED'
  if (!steps.some(isLate)) return { steps, events }
  const balances = new Map(await unit.balances(steps.filter(isLate).map(({ to }) => payoutWallet(to))))
  const covers = ({ to }: Step): boolean => {
    const name = accountName(payoutWallet(to))
    const left = (balances.get(name) ?? 0n) - to.totalMinor
    if (left >= 0n) balances.set(name, left)
    return left >= 0n
  }
  const uncovered = new Set(steps.filter((step) => isLate(step) && !covers(step)))
  const told = [...uncovered].map(({ to }) => ({ transactionId: to.id, kind: 'rail_result_ignored', detail: 'Late COMPLETED: the wallet no longer covers it, an operator must settle it' }))
  return { steps: steps.filter((step) => !uncovered.has(step)), events: [...events, ...told] }
}

/** What a payout's step moves: posts the hold, releases it, or pays late. One that fails before its hold has moved nothing. */
function payoutTransfers({ from, to }: Step): Transfer[] {
  if (to.type !== 'PAYOUT' || from === 'PENDING') return []
  if (to.status === 'COMPLETED') return [payoutTransfer(to, from === 'PROCESSING' ? 'payout' : 'payout_late')]
  return [releaseTransfer(to)]
}

const isCompletedCollection = ({ status, type }: Transaction): boolean => status === 'COMPLETED' && type === 'COLLECTION'

async function adjustDailyLimits(unit: Unit, steps: readonly Step[]): Promise<void> {
  await unit.releaseDailyLimit(steps.filter(({ to }) => nothingMoved(to)).map(({ to }) => to))
  await unit.countTowardDailyLimit(steps.filter(({ from, to }) => from === 'FAILED' && to.status === 'COMPLETED').map(({ to }) => to))
}

function callbackFor(deps: Pick<SettleDeps, 'reference' | 'random' | 'callbackBody'>, transaction: Transaction): NewCallback[] {
  // Without a URL it is made all the same: it waits for one. A merchant created a moment ago may be unknown here still: its URL is looked up at delivery.
  const url = callbackUrlOf(deps.reference.merchantById(transaction.merchantId), transaction.type)
  return [{
    webhookId: newCallbackId(deps.random),
    transactionId: transaction.id,
    merchantId: transaction.merchantId,
    event: callbackEventOf(transaction),
    url: url ?? '',
    body: deps.callbackBody(transaction),
  }]
}

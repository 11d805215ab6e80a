import { callbackEventOf } from '../domain/callback.ts'
import { collectionTransfer, spreadCredit } from '../domain/ledger.ts'
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
  return concludeWithin(unit, deps, before, applyInOrder(before, reports, deps.clock.now()))
}

export type ConcludeDeps = Omit<SettleDeps, 'store' | 'wake'>

/** Writes everything that follows from new final states. The transactions are locked. @returns how many callbacks are to be delivered */
export async function concludeWithin(unit: Unit, deps: ConcludeDeps, before: readonly Transaction[], { steps, latest, events }: Applied): Promise<number> {
  const now = deps.clock.now()
  const callbacks = steps.flatMap((transaction) => callbackFor(deps, transaction))
  const completed = steps.filter(isCompletedCollection).map((transaction) => ({ transaction, rule: clearingRuleOf(deps.reference, transaction) }))
  await unit.saveStates(latest)
  await adjustDailyLimits(unit, before, latest)
  await unit.finishPaymentWork(latest.map(({ id }) => id))
  await unit.addCallbacks(callbacks, now)
  await unit.addWork(completed.flatMap(({ transaction, rule }) => releasesOf(transaction, rule, now)))
  await unit.addEvents(events, now)
  // Last, right before the commit: wallets are the rows everybody wants, so they are locked for the shortest time.
  await unit.book(completed.map(({ transaction, rule }) => collectionTransfer(transaction, rule)), now)
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

export interface Applied {
  /** Every state that was reached, in order: a late completion in the same batch as its failure makes two. */
  readonly steps: readonly Transaction[]
  /** Each changed transaction once, as it is in the end. */
  readonly latest: readonly Transaction[]
  readonly events: readonly TransactionEvent[]
}

function applyInOrder(before: readonly Transaction[], reports: readonly RailReport[], now: Date): Applied {
  const current = new Map(before.map((transaction) => [transaction.internalReference, transaction]))
  const changed = new Set<string>()
  const steps: Transaction[] = []
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
    changed.add(internalReference)
    steps.push(settlement.transaction)
    events.push({ transactionId: transaction.id, kind: 'settled', detail: `${settlement.transaction.status}: ${settlement.transaction.statusMessage}` })
  }
  return { steps, latest: [...changed].map((reference) => current.get(reference)!), events }
}

const isCompletedCollection = ({ status, type }: Transaction): boolean => status === 'COMPLETED' && type === 'COLLECTION'

async function adjustDailyLimits(unit: Unit, before: readonly Transaction[], latest: readonly Transaction[]): Promise<void> {
  const failedBefore = new Set(before.filter(({ status }) => status === 'FAILED').map(({ id }) => id))
  await unit.releaseDailyLimit(latest.filter(nothingMoved))
  await unit.countTowardDailyLimit(latest.filter(({ id, status }) => status === 'COMPLETED' && failedBefore.has(id)))
}

function callbackFor(deps: Pick<SettleDeps, 'reference' | 'random' | 'callbackBody'>, transaction: Transaction): NewCallback[] {
  const merchant = deps.reference.merchantById(transaction.merchantId)
  const url = callbackUrlOf(merchant, transaction.type)
  // Without a URL the merchant asks by verify. A merchant created a moment ago may be unknown here still: its URL is looked up at delivery.
  if (merchant && url === undefined) return []
  return [{
    webhookId: newCallbackId(deps.random),
    transactionId: transaction.id,
    merchantId: transaction.merchantId,
    event: callbackEventOf(transaction),
    url: url ?? '',
    body: deps.callbackBody(transaction),
  }]
}

import { callbackEventOf } from '../domain/callback.ts'
import { collectionTransfer } from '../domain/ledger.ts'
import { callbackUrlOf } from '../domain/merchant.ts'
import { newCallbackId } from '../domain/references.ts'
import { settle, type Transaction } from '../domain/transaction.ts'
import type { Clock, NewCallback, RailReport, Random, ReferenceData, Store, TransactionEvent, Unit, Wake } from './ports.ts'

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
export async function settleWithin(unit: Unit, deps: Omit<SettleDeps, 'store' | 'wake'>, reports: readonly RailReport[]): Promise<number> {
  const now = deps.clock.now()
  const before = await unit.lockTransactions({ internalReferences: reports.map(({ internalReference }) => internalReference) })
  const { steps, latest, events } = applyInOrder(before, reports, now)
  const callbacks = steps.flatMap((transaction) => callbackFor(deps, transaction))
  await unit.saveStates(steps.length > 0 ? latest : [])
  await adjustDailyLimits(unit, before, latest)
  await unit.finishRailWork(latest.map(({ id }) => id))
  await unit.addCallbacks(callbacks, now)
  await unit.addEvents(events, now)
  // Last, right before the commit: wallets are the rows everybody wants, so they are locked for the shortest time.
  await unit.book(steps.filter(isCompletedCollection).map(collectionTransfer), now)
  return callbacks.length
}

interface Applied {
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
  await unit.releaseDailyLimit(latest.filter(({ status }) => status === 'FAILED'))
  await unit.countTowardDailyLimit(latest.filter(({ id, status }) => status === 'COMPLETED' && failedBefore.has(id)))
}

function callbackFor(deps: Pick<SettleDeps, 'reference' | 'random' | 'callbackBody'>, transaction: Transaction): NewCallback[] {
  const url = callbackUrlOf(deps.reference.merchantById(transaction.merchantId), transaction.type)
  if (url === undefined) return [] // no URL configured: the merchant asks by verify
  return [{
    webhookId: newCallbackId(deps.random),
    transactionId: transaction.id,
    merchantId: transaction.merchantId,
    event: callbackEventOf(transaction),
    url,
    body: deps.callbackBody(transaction),
  }]
}

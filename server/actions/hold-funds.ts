import { accountName, holdTransfer, payoutWallet } from '../domain/ledger.ts'
import { endPending, UNCOVERED_REASON, type Transaction } from '../domain/transaction.ts'
import { concludeWithin, type SettleDeps } from './settle-results.ts'
import { WalletTooLow, type WorkItem } from './ports.ts'

/** Each try that fails means that somebody else has had a turn at the same wallet. What has none in so many is left to the work loop. */
const TRIES_MAX = 10

/**
 * Holds the money of confirmed payouts, a whole batch in one commit: those that their wallet covers go on to the rail, in the order of their
 * acceptance, the others fail. Balances are read without a lock; the commit itself refuses a wallet below zero, and then the batch is done again
 * at once: another worker or an operator took from the same wallet in the meantime, which is no fault and nothing to wait for.
 */
export async function holdFunds(deps: SettleDeps, items: readonly WorkItem[], tries = 1): Promise<void> {
  try {
    await holdAll(deps, items)
  } catch (error) {
    if (!(error instanceof WalletTooLow) || tries >= TRIES_MAX) throw error
    await holdFunds(deps, items, tries + 1)
  }
}

async function holdAll(deps: SettleDeps, items: readonly WorkItem[]): Promise<void> {
  const { held, callbacks } = await deps.store.transaction(async (unit) => {
    const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
    const ours = new Map((await unit.holdWork(items)).map((item) => [item.subjectId, item]))
    const payouts = locked.filter(({ id, status }) => ours.has(id) && status === 'PENDING')
    const { covered, uncovered } = divide(payouts, await unit.balances(payouts.map(payoutWallet)))
    const now = deps.clock.now()
    await unit.replaceWork(covered.map(({ id }) => ours.get(id)!), 'submitToRail', now)
    await unit.addEvents(covered.map(({ id }) => ({ transactionId: id, kind: 'held', detail: 'The money is held in the payout wallet' })), now)
    await unit.book(covered.map(holdTransfer), now)
    await unit.finishWork([...ours.values()].filter(({ subjectId }) => !payouts.some(({ id }) => id === subjectId)))
    const failed = uncovered.map((payout) => endPending(payout, 'FAILED', UNCOVERED_REASON, now))
    return {
      held: covered.length,
      callbacks: await concludeWithin(unit, deps, {
        steps: failed.map((to) => ({ from: 'PENDING' as const, to })), events: failed.map(({ id }) => ({ transactionId: id, kind: 'settled', detail: `FAILED: ${UNCOVERED_REASON}` })),
      }),
    }
  })
  if (held > 0) deps.wake.wake('submitToRail')
  if (callbacks > 0) deps.wake.wake('deliverCallback')
}

/** First come, first served, per wallet; a payout that is too large does not take from the smaller ones after it. */
function divide(payouts: readonly Transaction[], balances: ReadonlyMap<string, bigint>): { covered: Transaction[]; uncovered: Transaction[] } {
  const left = new Map(balances)
  const covered: Transaction[] = []
  const uncovered: Transaction[] = []
  for (const payout of payouts.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || Number(a.id - b.id))) {
    const name = accountName(payoutWallet(payout))
    const rest = (left.get(name) ?? 0n) - payout.totalMinor
    if (rest >= 0n) left.set(name, rest)
    ;(rest >= 0n ? covered : uncovered).push(payout)
  }
  return { covered, uncovered }
}

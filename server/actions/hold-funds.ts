import { accountName, holdTransfer, payoutWallet } from '../domain/ledger.ts'
import { present } from '../domain/present.ts'
import { endPending, UNCOVERED, type Transaction } from '../domain/transaction.ts'
import { endWithin, type SettleDeps } from './settle-results.ts'
import { jobKindFor, type Job } from './ports/jobs.ts'
import { untilCovered } from './until-covered.ts'

/**
 * Holds the money of confirmed payouts and of refunds, a whole batch in one commit. Payouts that their wallet covers go on to the
 * rail in the order of their acceptance; the others fail.
 */
export async function holdFunds(deps: SettleDeps, items: readonly Job[]): Promise<void> {
  await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const locked = await unit.lockTransactions({ ids: items.map(({ subjectId }) => subjectId) })
      const held = new Map((await unit.holdJobs(items)).map((item) => [item.subjectId, item]))
      const payouts = locked.filter(({ id, status }) => held.has(id) && status === 'PENDING')
      const { covered, uncovered } = divide(payouts, await unit.balances(payouts.map(payoutWallet)))
      const now = deps.clock.now()
      for (const [kind, alike] of Map.groupBy(covered, (payout) => jobKindFor(payout, 'submitToRail')))
        await unit.replaceJobs(
          alike.map(({ id }) => present(held.get(id), 'the work of a payout')),
          kind,
          now,
        )
      await unit.addEvents(
        covered.map(({ id }) => ({
          transactionId: id,
          kind: 'held',
          detail: 'The money is held in the wallet',
        })),
        now,
      )
      await unit.book(covered.map(holdTransfer), now)
      await unit.finishJobs([...held.values()].filter(({ subjectId }) => !payouts.some(({ id }) => id === subjectId)))
      const failed = uncovered.map((payout) => endPending(payout, 'FAILED', UNCOVERED, now))
      await endWithin(unit, deps, 'PENDING', failed)
    }),
  )
}

/**
 * First come, first served per wallet. A payout that the wallet does not cover leaves the money to smaller ones after
 * it.
 */
function divide(
  payouts: readonly Transaction[],
  balances: ReadonlyMap<string, bigint>,
): { covered: Transaction[]; uncovered: Transaction[] } {
  const remaining = new Map(balances)
  const covered: Transaction[] = []
  const uncovered: Transaction[] = []
  for (const payout of payouts.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || Number(a.id - b.id),
  )) {
    const name = accountName(payoutWallet(payout))
    const rest = (remaining.get(name) ?? 0n) - payout.totalMinor
    if (rest >= 0n) remaining.set(name, rest)
    ;(rest >= 0n ? covered : uncovered).push(payout)
  }
  return { covered, uncovered }
}

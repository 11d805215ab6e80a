import { accountName, payoutWallet } from '../domain/ledger.ts'
import { notBooked, settle, type Settlement, type Transaction } from '../domain/transaction.ts'
import type { RailReport } from './ports/rail.ts'
import type { TransactionEvent } from './ports/transactions.ts'
import type { WalletBalance, LedgerWrites } from './ports/ledger.ts'

/** A transition from one state to the next. */
export interface Step {
  readonly from: Transaction['status']
  readonly to: Transaction
}

export interface AppliedReports {
  /** In order. A failure and a late completion of the same payout in one batch make two steps. */
  readonly steps: readonly Step[]
  /** FAILED here although the rail has paid, and not bookable: staff must settle it. */
  readonly notBooked: readonly Transaction[]
  readonly events: readonly TransactionEvent[]
}

/**
 * Applies a rail's reports one after the other, as if each had a commit of its own. The money that a failed payout
 * returns to its wallet is available to a late completion after it, and also to one before it, since one commit books
 * both. Balances are read without a lock, so the commit checks them again: what was covered must still be covered, and
 * what was not covered must still not be.
 */
export async function applyReports(
  unit: Pick<LedgerWrites, 'balances' | 'holdsAtMost'>,
  before: readonly Transaction[],
  reports: readonly RailReport[],
  now: Date,
): Promise<AppliedReports> {
  const wallets = await walletsOf(unit, before, reports)
  const current = new Map(before.map((transaction) => [transaction.internalReference, transaction]))
  const steps: Step[] = []
  const unbooked = new Map<bigint, Transaction>()
  const events: TransactionEvent[] = []
  const uncovered: RailReport[] = []
  const apply = (report: RailReport, isLast: boolean): void => {
    const { internalReference, outcome } = report
    const transaction = current.get(internalReference)
    if (!transaction) return // another gateway's order: nothing to settle here
    const settled = settle(transaction, outcome, now)
    const isCovered = wallets.cover(transaction, settled, isLast)
    if (!isCovered && !isLast) return void uncovered.push(report)
    const settlement = isCovered ? settled : notBooked(transaction, UNCOVERED, now)
    events.push({ transactionId: transaction.id, ...reported(settlement, report) })
    if (settlement.effect === 'recorded') return
    current.set(internalReference, settlement.transaction)
    if (settlement.effect === 'not_booked') unbooked.set(transaction.id, settlement.transaction)
    else steps.push({ from: transaction.status, to: settlement.transaction })
  }
  for (const report of reports) apply(report, false)
  for (const report of uncovered) apply(report, true)
  await unit.holdsAtMost(wallets.judgedBy())
  return { steps, notBooked: [...unbooked.values()], events }
}

/** How a transaction has ended, for its history. */
export const settledEvent = ({ id, status, statusMessage }: Transaction): TransactionEvent => ({
  transactionId: id,
  kind: 'settled',
  detail: `${status}: ${statusMessage}`,
})

function reported(settlement: Settlement, { reportedBy }: RailReport): Pick<TransactionEvent, 'kind' | 'detail'> {
  const by = reportedBy === undefined ? '' : ` (${reportedBy})`
  switch (settlement.effect) {
    case 'settled':
      return {
        kind: 'settled',
        detail: `${settlement.transaction.status}: ${settlement.transaction.statusMessage}${by}`,
      }
    case 'not_booked':
      return { kind: 'paid_not_booked', detail: settlement.why + by }
    case 'recorded':
      return { kind: 'rail_result_ignored', detail: settlement.why + by }
  }
}

const UNCOVERED = 'Late COMPLETED: the wallet no longer covers it, staff must settle it'

/** The balances of the payout wallets while the reports are applied. */
async function walletsOf(
  unit: Pick<LedgerWrites, 'balances'>,
  before: readonly Transaction[],
  reports: readonly RailReport[],
) {
  const mayBeLate = lateOnes(before, reports)
  const payouts = before.filter(({ type }) => type === 'PAYOUT')
  const found: ReadonlyMap<string, bigint> = mayBeLate ? await unit.balances(payouts.map(payoutWallet)) : new Map()
  const balances = new Map(found)
  /** Wallets that did not cover a step, with the balance that was read. */
  const tooLow = new Map<string, WalletBalance>()

  /** Debits the wallet of the step, or credits what the step releases. @returns whether the wallet covers it */
  function move({ from, to }: Step, isLast: boolean): boolean {
    const name = accountName(payoutWallet(to))
    const before = balances.get(name) ?? 0n
    if (to.status === 'FAILED' && from === 'PROCESSING') balances.set(name, before + to.totalMinor)
    if (to.status !== 'COMPLETED' || from !== 'FAILED') return true
    if (before < to.totalMinor) {
      if (isLast) tooLow.set(name, { wallet: payoutWallet(to), balanceMinor: found.get(name) ?? 0n })
      return false
    }
    balances.set(name, before - to.totalMinor)
    return true
  }

  return {
    /** @param isLast no later step credits the wallet */
    cover(transaction: Transaction, settlement: Settlement, isLast: boolean): boolean {
      if (settlement.effect !== 'settled' || transaction.type === 'COLLECTION') return true
      return move({ from: transaction.status, to: settlement.transaction }, isLast)
    },
    judgedBy: (): readonly WalletBalance[] => [...tooLow.values()],
  }
}

/** Whether any payout may complete late: only then are balances queried. */
function lateOnes(before: readonly Transaction[], reports: readonly RailReport[]): boolean {
  const payouts = new Map(
    before.filter(({ type }) => type === 'PAYOUT').map((payout) => [payout.internalReference, payout.status]),
  )
  const failed = new Set([...payouts].filter(([, status]) => status === 'FAILED').map(([reference]) => reference))
  for (const { internalReference, outcome } of reports) {
    if (outcome.status === 'COMPLETED' && failed.has(internalReference)) return true
    if (outcome.status === 'FAILED' && payouts.has(internalReference)) failed.add(internalReference)
  }
  return false
}

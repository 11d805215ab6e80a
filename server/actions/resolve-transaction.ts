import { bookAfterAll, isPaidNotBooked, neverPaid, type RailOutcome, type Transaction } from '../domain/transaction.ts'
import { accountName, payoutWallet } from '../domain/ledger.ts'
import { afterCommit, concludeWithin, settleWithin, type Settled, type SettleDeps } from './settle-results.ts'
import type { TransactionEvent, Unit } from './ports.ts'
import { untilCovered } from './until-covered.ts'

/** What an operator's decision came to; `state`: there was nothing to decide. */
export type Resolution =
  | { readonly result: 'resolved'; readonly callbacks: number }
  | { readonly result: 'uncovered' }
  | { readonly result: 'state'; readonly status: Transaction['status'] }

/**
 * An operator decides what the rail never reported, or what it has paid and nobody could book. Only what is PROCESSING,
 * or FAILED and paid by the rail, can be resolved: everything else has its outcome, or never left. A result that the
 * rail reports later is then treated like any late result.
 * @returns `uncovered` when the payout wallet does not hold what is to be booked
 */
export async function resolveTransaction(
  deps: SettleDeps,
  internalReference: string,
  outcome: RailOutcome,
): Promise<Resolution> {
  const ended = await untilCovered(() =>
    deps.store.transaction(async (unit) => {
      const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
      if (!transaction) throw new Error(`there is no transaction ${internalReference}`)
      if (isPaidNotBooked(transaction)) return settlePaid(unit, deps, transaction, outcome)
      if (transaction.status !== 'PROCESSING') return { result: 'state', status: transaction.status } as const
      await unit.addEvents([resolvedAs(transaction, outcome)], deps.clock.now())
      return settleWithin(unit, deps, [{ internalReference, outcome }])
    }),
  )
  if ('result' in ended) return ended
  afterCommit(deps, ended)
  return { result: 'resolved', callbacks: ended.callbacks }
}

const resolvedAs = ({ id }: Transaction, { status }: RailOutcome): TransactionEvent => ({
  transactionId: id,
  kind: 'resolved',
  detail: `An operator resolved it as ${status}`,
})

async function settlePaid(
  unit: Unit,
  deps: SettleDeps,
  payout: Transaction,
  outcome: RailOutcome,
): Promise<Settled | Resolution> {
  const now = deps.clock.now()
  if (outcome.status === 'FAILED') {
    await unit.saveStates([neverPaid(payout)])
    await unit.releaseDailyLimit([payout])
    await unit.addEvents(
      [
        {
          transactionId: payout.id,
          kind: 'resolved',
          detail: `An operator resolved it as never paid: ${outcome.reason}`,
        },
      ],
      now,
    )
    return { callbacks: 0, paidNotBooked: [] }
  }
  const wallet = payoutWallet(payout)
  const available = (await unit.balances([wallet])).get(accountName(wallet)) ?? 0n
  if (available < payout.totalMinor) return { result: 'uncovered' }
  const booked = bookAfterAll(payout, now)
  const events = [
    resolvedAs(payout, outcome),
    { transactionId: payout.id, kind: 'settled', detail: `${booked.status}: ${booked.statusMessage}` },
  ]
  return concludeWithin(unit, deps, { steps: [{ from: 'FAILED', to: booked }], notBooked: [], events })
}

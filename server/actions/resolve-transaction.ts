import type { RailOutcome, Transaction } from '../domain/transaction.ts'
import { settleWithin, type SettleDeps } from './settle-results.ts'

/**
 * An operator decides what the rail never reported. Only what is PROCESSING can be resolved: everything else has its outcome, or never left.
 * A result that the rail reports later is then treated like any late result.
 * @returns the state it was found in; nothing was done unless that is PROCESSING
 */
export async function resolveTransaction(deps: SettleDeps, internalReference: string, outcome: RailOutcome): Promise<Transaction['status']> {
  const { found, callbacks } = await deps.store.transaction(async (unit) => {
    const [transaction] = await unit.lockTransactions({ internalReferences: [internalReference] })
    if (!transaction) throw new Error(`there is no transaction ${internalReference}`)
    if (transaction.status !== 'PROCESSING') return { found: transaction.status, callbacks: 0 }
    await unit.addEvents([{ transactionId: transaction.id, kind: 'resolved', detail: `An operator resolved it as ${outcome.status}` }], deps.clock.now())
    return { found: transaction.status, callbacks: await settleWithin(unit, deps, [{ internalReference, outcome }]) }
  })
  if (callbacks > 0) deps.wake.wake('deliverCallback')
  return found
}

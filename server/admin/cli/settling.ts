import type { SettleDeps } from '../../actions/settle-results.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { createStore } from '../../storage/store.ts'
import type { OperationContext } from '../operations/operation.ts'

/** What the command line needs to settle as the server does. */
export const settlingOf = async ({
  pool,
  clock,
  random,
  mode,
  secretBox,
}: Omit<OperationContext, 'actor' | 'settling'>): Promise<Omit<SettleDeps, 'store'>> => ({
  reference: await loadReferenceData({ pool, box: await secretBox(), clock, sandbox: mode === 'sandbox' }),
  clock,
  random,
  // The command already prints the result to the person who runs it.
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody,
})

/** The same with a store. Sends no wake-up: a running server polls for the new job. */
export const settling = async (context: OperationContext & { readonly pool: AuditedPool }): Promise<SettleDeps> => ({
  store: createStore(context.pool),
  ...(await context.settling()),
})

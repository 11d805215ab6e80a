import type { SettleDeps } from '../../actions/settle-results.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import type { OperationContext } from '../operations/operation.ts'

/** What the command line needs to settle as the server does. */
export const settlingOf = async ({
  pool,
  clock,
  random,
  mode,
  secretBox,
}: Pick<OperationContext, 'pool' | 'clock' | 'random' | 'mode' | 'secretBox'>): Promise<Omit<SettleDeps, 'store'>> => ({
  reference: await loadReferenceData({ pool, box: await secretBox(), clock, sandbox: mode === 'sandbox' }),
  clock,
  random,
  // The command already prints the result to the person who runs it.
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody,
})

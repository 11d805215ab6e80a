import { randomBytes } from 'node:crypto'
import type { SettleDeps } from '../../actions/settle-results.ts'
import { callbackBody } from '../../messages/transaction-record.ts'
import { loadReferenceData } from '../../storage/reference-data.ts'
import { createStore } from '../../storage/store.ts'
import { openSecretBox, type Context } from './database.ts'

/**
 * What the command line needs to settle as the server does. Sends no wake-up: a running server polls for the new job.
 */
export const settling = async (context: Omit<Context, 'database' | 'actor'>): Promise<SettleDeps> => ({
  store: createStore(context.pool),
  reference: await loadReferenceData({
    pool: context.pool,
    box: await openSecretBox(context),
    clock: context.clock,
    sandbox: context.config.mode === 'sandbox',
  }),
  clock: context.clock,
  random: { bytes: (size) => randomBytes(size) },
  // The command already prints the result to the person who runs it.
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody,
})

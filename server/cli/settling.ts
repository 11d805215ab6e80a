import { randomBytes } from 'node:crypto'
import type { SettleDeps } from '../actions/settle-results.ts'
import { callbackBody } from '../messages/transaction-record.ts'
import { loadReferenceData } from '../storage/reference-data.ts'
import { createStore } from '../storage/store.ts'
import { openSecretBox, type Context } from './database.ts'

/**
 * What the command line needs to settle as the server does. Nothing is woken: a running server finds the new work by
 * itself.
 */
export const settling = async (context: Omit<Context, 'database'>): Promise<SettleDeps> => ({
  store: createStore(context.pool),
  reference: await loadReferenceData({
    pool: context.pool,
    box: await openSecretBox(context),
    clock: context.clock,
    sandbox: context.config.mode === 'sandbox',
  }),
  clock: context.clock,
  random: { bytes: (size) => randomBytes(size) },
  // Whoever decides at the command line hears of it there.
  notices: { paidNotBooked: () => undefined, unmappedResult: () => undefined },
  callbackBody,
})

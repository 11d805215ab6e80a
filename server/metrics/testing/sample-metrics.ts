import { expect } from 'vitest'
import type { CallbackStore, DeliveryRecord, DueCallback } from '../../actions/ports/callbacks.ts'
import type { CallbackSender, Delivery } from '../../actions/ports/delivery.ts'
import type { Figures } from '../../actions/ports/figures.ts'
import type { RailOrder } from '../../actions/ports/rail.ts'
import type { Job } from '../../actions/ports/jobs.ts'
import { fixedClock } from '../../verification/testing/gateway.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { parseExposition } from './test-exposition.ts'

/** In each text of the samples below: no text of an order, a callback or an error may come into the metrics. */
export const CANARY = 'canary-7f3a'

/** Every sample by its name and labels, as the text has them. */
export async function samples(metrics: Metrics): Promise<Readonly<Record<string, number>>> {
  const text = await metrics.scrape()
  expect(text).not.toContain(CANARY)
  parseExposition(text)
  return Object.fromEntries(
    [...text.matchAll(/^([^#].*) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
}

export const figures = async (metrics: Metrics) => parseExposition(await metrics.scrape())

const fakeFigures = (more: Partial<Figures> = {}): Figures => ({
  connections: () => ({ open: 5, idle: 3, exhausted: 3, waiting: 2 }),
  backlogCountedMax: 10_000,
  backlog: async () => [],
  waitingForOperator: async () => ({ paidNotBooked: 0, quarantinedJobs: 0 }),
  railBalances: async () => [],
  waitingPayouts: async () => [],
  atRailAccounts: async () => [],
  monthsAheadMax: 6,
  monthsAhead: async () => 6,
  oldestUnchained: async () => undefined,
  checkLedger: async () => ({ accountsOff: 0, currenciesOff: 0, recountedAt: null }),
  ...more,
})

export function given(requested: Partial<Figures> = {}, more: { readonly backlogWaitMs?: number } = {}) {
  const clock = fixedClock()
  return {
    clock,
    metrics: createMetrics({ clock, figures: fakeFigures(requested), role: 'all', mode: 'sandbox', ...more }),
  }
}

export const item: Job = {
  id: 1n,
  kind: 'deliverCallback',
  subjectId: 7n,
  attempt: 1,
  token: '0'.repeat(32),
  failures: 0,
}
export const due = (more: object = {}): DueCallback => ({
  id: 7n,
  webhookId: `msg_${CANARY}`,
  transactionId: 9n,
  merchantId: 1n,
  event: 'transaction.completed',
  url: `https://${CANARY}.example/`,
  body: CANARY,
  attempts: 0,
  attemptsBefore: 0,
  resends: 0,
  status: 'PENDING',
  hadUrl: true,
  signed: { merchantReference: CANARY, internalReference: CANARY, type: 'COLLECTION', status: 'COMPLETED' },
  account: CANARY,
  createdAt: new Date(0),
  ...more,
})
export const record = (next: DeliveryRecord['next']): DeliveryRecord => ({
  item,
  callback: due(),
  attempt: { at: new Date(0), url: `https://${CANARY}.example/`, durationMs: 5, error: CANARY },
  next,
})
export const store: CallbackStore = {
  load: async () => [due()],
  record: async () => undefined,
  reschedule: async () => undefined,
  withhold: async () => undefined,
}
export const sender = (delivery: Delivery): CallbackSender => ({ prepare: async () => async () => delivery })
export const order = (n: number): RailOrder => ({
  internalReference: `${CANARY}-${n}`,
  orderId: `${CANARY}-order-${n}`,
  type: 'COLLECTION',
  providerCode: CANARY,
  account: CANARY,
  amount: { amountMinor: 5n, currency: 'TZS' },
  externalIds: {},
})

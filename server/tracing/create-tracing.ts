import type { Rail, RailOrder } from '../actions/ports/rail.ts'
import type { UnitOfWork } from '../actions/ports/store.ts'
import { callBelow, deliveredBelow, requestsBy } from './http-spans.ts'
import { createRuns, type Run, type JobSpans } from './runs.ts'
import type { RecordedSpan, Spans } from './spans.ts'
import type { Tracing } from './tracing.ts'

/**
 * The gateway's ports, with a span for each payment of each run, each call and each callback whose trace is sampled.
 */
export function createTracing(spans: Spans): Tracing {
  const runs = createRuns(spans)
  /**
   * Orders that a rail is processing now. A call may run in another async context, that of the call that freed its
   * slot.
   */
  const withRail = new Map<string, RecordedSpan>()
  return {
    traceRequest: requestsBy(spans),
    traceCall({ orderId = '', method, origin, pathTemplate: template }) {
      const parent = withRail.get(orderId)
      return parent && callBelow(spans, parent, { method, url: origin, template })
    },
    traceJobs:
      (kind, run) =>
      (items, ...more) =>
        runs.work(kind, items, () => run(items, ...more)),
    traceRun: runs.once,
    ...storesBy(runs),
    traceRail: (rail) => ({ ...rail, ...callsOf(rail, withRail, runs) }),
    ...sendersBy(spans, runs),
    stop: spans.stop,
  }
}

/** The payments that a run reads are its subjects. */
const storesBy = (runs: JobSpans): Pick<Tracing, 'traceStore' | 'traceCallbacks'> => ({
  traceStore: (store) => ({
    ...store,
    transaction: (work) => {
      const run = runs.current()
      return store.transaction(run ? (unit) => work(watched(unit, run)) : work)
    },
  }),
  traceCallbacks: (store) => ({
    ...store,
    async load(items) {
      const run = runs.current()
      const loaded = await store.load(items)
      for (const { id, traceparent, signed } of loaded)
        if (traceparent !== undefined) run?.begin({ id, traceparent, internalReference: signed.internalReference })
      return loaded
    },
  }),
})

/** Payments are locked before any other operation. */
const watched = (unit: UnitOfWork, run: Run): UnitOfWork => ({
  ...unit,
  async lockTransactions(by) {
    const locked = await unit.lockTransactions(by)
    for (const { id, internalReference, traceparent } of locked)
      if (traceparent !== undefined) run.begin({ id, internalReference, traceparent })
    return locked
  },
})

function callsOf(rail: Rail, withRail: Map<string, RecordedSpan>, runs: JobSpans): Pick<Rail, 'query' | 'submit'> {
  async function during<Value>(orders: readonly RailOrder[], call: () => Promise<Value>): Promise<Value> {
    const run = runs.current()
    const traced = orders.flatMap(({ orderId, internalReference }) => {
      const span = run?.spanOf(internalReference)
      return span ? [{ orderId, span }] : []
    })
    for (const { orderId, span } of traced) withRail.set(orderId, span)
    try {
      return await call()
    } finally {
      for (const { orderId, span } of traced) if (withRail.get(orderId) === span) withRail.delete(orderId)
    }
  }
  return {
    submit: (orders) => during(orders, () => rail.submit(orders)),
    query: (orders) => during(orders, () => rail.query(orders)),
  }
}

/**
 * Finds the span by its subject, not by the async context: a send may start in the context of another run that has
 * just freed a slot.
 */
const sendersBy = (spans: Spans, runs: JobSpans): Pick<Tracing, 'traceSender' | 'traceHandshakes'> => ({
  traceSender: (sender) => ({
    async prepare(callback) {
      const send = await sender.prepare(callback)
      const call = { method: 'POST', url: callback.url }
      return () => deliveredBelow(spans, runs.spanOf('deliverCallback', callback.id), call, send)
    },
  }),
  traceHandshakes: (handshakes) => ({
    request(question) {
      const call = { method: question.body === undefined ? 'GET' : 'POST', url: question.url }
      const parent = runs.spanOf('verifyPayout', question.transactionId)
      return deliveredBelow(spans, parent, call, (traceparent) => handshakes.request(question, traceparent))
    },
  }),
})

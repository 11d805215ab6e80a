import type { Rail, RailOrder } from '../actions/ports/rail.ts'
import type { Unit } from '../actions/ports/unit.ts'
import { callBelow, deliveredBelow, requestsBy } from './http-spans.ts'
import { createRuns, type Run, type Runs } from './runs.ts'
import type { KeptSpan, Spans } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** The gateway's ports, with a span for each payment of each run, each call and each callback whose trace is kept. */
export function createTracing(spans: Spans): Tracing {
  const runs = createRuns(spans)
  /** Orders that are with a rail now: its calls may begin wherever a turn was free. */
  const withRail = new Map<string, KeptSpan>()
  return {
    traceRequest: requestsBy(spans),
    traceCall({ orderId = '', method, origin, pathTemplate: template }) {
      const parent = withRail.get(orderId)
      return parent && callBelow(spans, parent, { method, url: origin, template })
    },
    traceWork:
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

/** What is read for a run is what the run is about. */
const storesBy = (runs: Runs): Pick<Tracing, 'traceStore' | 'traceCallbacks'> => ({
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

/** Payments are locked before anything is done with them. */
const watched = (unit: Unit, run: Run): Unit => ({
  ...unit,
  async lockTransactions(by) {
    const locked = await unit.lockTransactions(by)
    for (const { id, internalReference, traceparent } of locked)
      if (traceparent !== undefined) run.begin({ id, internalReference, traceparent })
    return locked
  },
})

function callsOf(rail: Rail, withRail: Map<string, KeptSpan>, runs: Runs): Pick<Rail, 'submit' | 'ask'> {
  async function during<Answer>(orders: readonly RailOrder[], call: () => Promise<Answer>): Promise<Answer> {
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
    ask: (orders) => during(orders, () => rail.ask(orders)),
  }
}

/** By their subject, not by the run that their code is part of: a turn may come from whoever has just ended. */
const sendersBy = (spans: Spans, runs: Runs): Pick<Tracing, 'traceSender' | 'traceHandshakes'> => ({
  traceSender: (sender) => ({
    async prepare(callback) {
      const send = await sender.prepare(callback)
      const call = { method: 'POST', url: callback.url }
      return () => deliveredBelow(spans, runs.spanOf('deliverCallback', callback.id), call, send)
    },
  }),
  traceHandshakes: (handshakes) => ({
    ask(question) {
      const call = { method: 'GET', url: question.url }
      const parent = runs.spanOf('verifyPayout', question.transactionId)
      return deliveredBelow(spans, parent, call, (traceparent) => handshakes.ask(question, traceparent))
    },
  }),
})

import { AsyncLocalStorage } from 'node:async_hooks'
import type { WorkItem } from '../actions/ports/work.ts'
import type { KeptSpan, Spans } from './spans.ts'

/** A payment, or its callback, that a run is about. */
export interface Subject {
  /** Of the work item: a transaction, or a callback. */
  readonly id: bigint
  readonly internalReference: string
  /** The span that the payment was accepted with. */
  readonly traceparent: string
}

/** One run of some work: each subject whose trace is kept gets one span of it. */
export interface Run {
  begin(subject: Subject): void
  spanOf(internalReference: string): KeptSpan | undefined
}

export interface Runs {
  /** Which run this code is part of, by way of everything that it has awaited. */
  current(): Run | undefined
  /** The open span of what has no run of its own at hand: of the latest, where there are two. */
  spanOf(what: string, id: bigint): KeptSpan | undefined
  /** Promises as `run` gives them: one for each of the items, or one for all. */
  work(kind: string, items: readonly WorkItem[], run: () => readonly Promise<void>[]): readonly Promise<void>[]
  once<Result>(what: string, run: () => Promise<Result>): Promise<Result>
}

/**
 * A batch of work has no span itself: of hundreds of payments in it a few are traced, each from its merchant's request
 * on, and a span of all would belong to none of these traces. So each has one of its own, which tells how many were in
 * the batch; all of them begin and end with it, or with the item where items run one by one.
 */
export function createRuns(spans: Spans): Runs {
  const inRun = new AsyncLocalStorage<Run>()
  const openSpans: OpenSpans = new Map()
  return {
    current: () => inRun.getStore(),
    spanOf: (what, id) => openSpans.get(keyOf(what, id))?.span,
    work(kind, items, runAll) {
      const run = new SpansOfRun(spans, openSpans, kind, items.length)
      const promises = inRun.run(run, runAll)
      const single = promises.length === items.length
      const watched = promises.map(async (promise, index) => {
        const fault = await faultOf(promise)
        run.end(fault, single ? items[index]?.subjectId : undefined)
        return promise
      })
      // What is about other subjects than its items: an operator's message is about a payment.
      if (single) void Promise.allSettled(watched).then(() => run.end())
      return watched
    },
    async once(what, action) {
      const run = new SpansOfRun(spans, openSpans, what, 1)
      const result = inRun.run(run, action)
      run.end(await faultOf(result))
      return result
    },
  }
}

interface Open {
  readonly span: KeptSpan
  readonly subject: Subject
}

/** Of all runs, by what they do and to which subject. */
type OpenSpans = Map<string, Open>
const keyOf = (what: string, id: bigint): string => `${what} ${id}`

class SpansOfRun implements Run {
  readonly #spans: Spans
  readonly #ofAllRuns: OpenSpans
  readonly #what: string
  readonly #count: number
  readonly #startedMs = performance.now()
  readonly #mine = new Map<string, Open>()

  constructor(spans: Spans, ofAllRuns: OpenSpans, what: string, count: number) {
    this.#spans = spans
    this.#ofAllRuns = ofAllRuns
    this.#what = what
    this.#count = count
  }

  begin(subject: Subject): void {
    if (this.#mine.has(subject.internalReference)) return
    const span = this.#spans.begin({
      name: `process ${this.#what}`,
      kind: 'consumer',
      parent: subject.traceparent,
      attributes: attributesOf(this.#what, this.#count, subject),
      startedMs: this.#startedMs,
    })
    if (!span) return
    const open = { span, subject }
    this.#mine.set(subject.internalReference, open)
    this.#ofAllRuns.set(keyOf(this.#what, subject.id), open)
  }

  spanOf(internalReference: string): KeptSpan | undefined {
    return this.#mine.get(internalReference)?.span
  }

  /** @param id of one subject; absent: of all that are left */
  end(fault?: unknown, id?: bigint): void {
    for (const open of this.#mine.values()) {
      const { internalReference, id: own } = open.subject
      if (id !== undefined && own !== id) continue
      this.#mine.delete(internalReference)
      const key = keyOf(this.#what, own)
      if (this.#ofAllRuns.get(key) === open) this.#ofAllRuns.delete(key)
      open.span.end(fault === undefined ? {} : { isFault: true, attributes: { 'error.type': nameOf(fault) } })
    }
  }
}

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error ?? new Error('rejected with nothing'),
  )

/** Its class and no more: messages may quote what they are about. */
const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : '_OTHER')

const attributesOf = (what: string, count: number, { internalReference }: Subject) => ({
  'messaging.system': 'malipo',
  'messaging.operation.type': 'process',
  'messaging.operation.name': 'process',
  'messaging.destination.name': what,
  ...(count > 1 && { 'messaging.batch.message_count': count }),
  'malipo.internal_reference': internalReference,
})

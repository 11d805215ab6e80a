import { AsyncLocalStorage } from 'node:async_hooks'
import type { Job } from '../actions/ports/jobs.ts'
import type { RecordedSpan, Spans } from './spans.ts'

/** A payment, or its callback, that a run processes. */
interface Subject {
  /** The subject id of the job: a transaction, or a callback. */
  readonly id: bigint
  readonly internalReference: string
  /** The span in which the payment was accepted. */
  readonly traceparent: string
}

/** One run of a job kind: each subject whose trace is sampled gets one span of it. */
export interface Run {
  begin(subject: Subject): void
  spanOf(internalReference: string): RecordedSpan | undefined
}

export interface JobSpans {
  /** The run that the current async context belongs to. */
  current(): Run | undefined
  /** The open span of a subject, for code outside of its run: the latest, if there are two. */
  spanOf(what: string, id: bigint): RecordedSpan | undefined
  /** The promises that `run` returns: one for each of the items, or one for all. */
  work(kind: string, items: readonly Job[], run: () => readonly Promise<void>[]): readonly Promise<void>[]
  once<Result>(what: string, run: () => Promise<Result>): Promise<Result>
}

/**
 * A batch of jobs has no span itself: only a few of its hundreds of payments are traced, each from its merchant's
 * request on, and a span for the batch would belong to none of these traces. So each payment has a separate span, with
 * the size of the batch as an attribute. It begins and ends with the batch, or with the job where jobs run one by one.
 */
export function createRuns(spans: Spans): JobSpans {
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
      // Ends spans of subjects other than the jobs' own: an operator's message is about a payment.
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

interface OpenSpan {
  readonly span: RecordedSpan
  readonly subject: Subject
}

/** The open spans of all runs, by job kind and subject. */
type OpenSpans = Map<string, OpenSpan>
const keyOf = (what: string, id: bigint): string => `${what} ${id}`

class SpansOfRun implements Run {
  readonly #spans: Spans
  readonly #ofAllRuns: OpenSpans
  readonly #what: string
  readonly #count: number
  readonly #startedMs = performance.now()
  readonly #mine = new Map<string, OpenSpan>()

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

  spanOf(internalReference: string): RecordedSpan | undefined {
    return this.#mine.get(internalReference)?.span
  }

  /** @param id of one subject; absent: all remaining ones */
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

/** Only the class: messages may quote payment data. */
const nameOf = (fault: unknown): string => (fault instanceof Error ? fault.name : '_OTHER')

const attributesOf = (what: string, count: number, { internalReference }: Subject) => ({
  'messaging.system': 'malipo',
  'messaging.operation.type': 'process',
  'messaging.operation.name': 'process',
  'messaging.destination.name': what,
  ...(count > 1 && { 'messaging.batch.message_count': count }),
  'malipo.internal_reference': internalReference,
})

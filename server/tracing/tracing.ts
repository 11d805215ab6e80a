import type { CallbackStore } from '../actions/ports/callbacks.ts'
import type { CallbackSender } from '../actions/ports/delivery.ts'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { Store } from '../actions/ports/store.ts'
import type { TraceCall, TraceRequest } from '../actions/ports/tracing.ts'
import type { Job, JobKind } from '../actions/ports/jobs.ts'
import type { Random } from '../domain/references.ts'

/** OpenTelemetry's sampler names, without vendor-specific ones. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const
type SamplerName = (typeof SAMPLERS)[number]

export interface TracingOptions {
  /** The collector's address, without the path of traces. */
  readonly endpoint: string
  readonly serviceName: string
  readonly sampler: SamplerName
  /** The share of sampled traces among those that start here, for ratio samplers. */
  readonly ratio: number
  readonly random: Random
  /** Called when spans could not be delivered: only the spans are lost. */
  readonly onFault: (error: unknown) => void
}

/** How a queue runs its jobs: see JobQueue in jobs/queues.ts. */
type RunJob<More extends readonly unknown[]> = (items: readonly Job[], ...more: More) => readonly Promise<void>[]

/** Decorators of ports, and listeners for what no port shows: no other module knows how traces are kept. */
export interface Tracing {
  readonly traceRequest: TraceRequest
  readonly traceCall: TraceCall
  /** Each payment of a run whose trace is sampled has a span of this run. */
  traceJobs<More extends readonly unknown[]>(kind: JobKind, run: RunJob<More>): RunJob<More>
  /** The same for operations on payments outside of jobs. */
  traceRun<Result>(what: string, run: () => Promise<Result>): Promise<Result>
  /** Registers the payments of the current run. */
  traceStore(store: Store): Store
  traceCallbacks(store: CallbackStore): CallbackStore
  traceRail(rail: Rail): Rail
  traceSender(sender: CallbackSender): CallbackSender
  traceHandshakes(handshakes: HandshakeSender): HandshakeSender
  /** Delivers finished spans, for a short time at most. */
  stop(): Promise<void>
}

/** Tracing is off: ports stay unchanged, and no trace header is sent. */
export const NO_TRACING: Tracing = {
  traceRequest: () => undefined,
  traceCall: () => undefined,
  traceJobs: (_kind, run) => run,
  traceRun: (_what, run) => run(),
  traceStore: (store) => store,
  traceCallbacks: (store) => store,
  traceRail: (rail) => rail,
  traceSender: (sender) => sender,
  traceHandshakes: (handshakes) => handshakes,
  stop: async () => undefined,
}

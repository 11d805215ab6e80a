import type { CallbackStore } from '../actions/ports/callbacks.ts'
import type { CallbackSender } from '../actions/ports/delivery.ts'
import type { HandshakeSender } from '../actions/ports/handshakes.ts'
import type { Rail } from '../actions/ports/rail.ts'
import type { Store } from '../actions/ports/store.ts'
import type { TraceCall, TraceRequest } from '../actions/ports/tracing.ts'
import type { WorkItem, WorkKind } from '../actions/ports/work.ts'
import type { Random } from '../domain/references.ts'

/** The samplers that OpenTelemetry names, without those of other vendors. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const
export type SamplerName = (typeof SAMPLERS)[number]

export interface TracingOptions {
  /** The collector's address, without the path of traces. */
  readonly endpoint: string
  readonly serviceName: string
  readonly sampler: SamplerName
  /** Of the traces that begin here, where the sampler goes by a ratio. */
  readonly ratio: number
  readonly random: Random
  /** Hears that spans could not be delivered: they are lost, and nothing else is. */
  readonly onFault: (error: unknown) => void
}

/** How a lane runs its work: see Lane in work/lane.ts. */
export type RunWork<More extends readonly unknown[]> = (
  items: readonly WorkItem[],
  ...more: More
) => readonly Promise<void>[]

/** Decorators of ports, and small ears for what no port shows: nothing else needs to know how traces are kept. */
export interface Tracing {
  readonly traceRequest: TraceRequest
  readonly traceCall: TraceCall
  /** Each payment of a run whose trace is kept has a span of this run. */
  traceWork<More extends readonly unknown[]>(kind: WorkKind, run: RunWork<More>): RunWork<More>
  /** The same of what is done with payments without a work item. */
  traceRun<Result>(what: string, run: () => Promise<Result>): Promise<Result>
  /** Shows which payments a run is about. */
  traceStore(store: Store): Store
  traceCallbacks(store: CallbackStore): CallbackStore
  traceRail(rail: Rail): Rail
  traceSender(sender: CallbackSender): CallbackSender
  traceHandshakes(handshakes: HandshakeSender): HandshakeSender
  /** Delivers what has ended, for a moment at most. */
  stop(): Promise<void>
}

/** Nobody keeps traces: ports stay as they are, and no header goes out. */
export const NO_TRACING: Tracing = {
  traceRequest: () => undefined,
  traceCall: () => undefined,
  traceWork: (_kind, run) => run,
  traceRun: (_what, run) => run(),
  traceStore: (store) => store,
  traceCallbacks: (store) => store,
  traceRail: (rail) => rail,
  traceSender: (sender) => sender,
  traceHandshakes: (handshakes) => handshakes,
  stop: async () => undefined,
}

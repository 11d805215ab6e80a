import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Random } from '../domain/references.ts'
import type { TracingOptions } from './tracing.ts'

// The only file that imports the library. Names of attributes follow the semantic conventions:
// https://opentelemetry.io/docs/specs/semconv/

/** Spans that are not delivered by then are lost: a stopping gateway does not wait for the collector. */
export const STOP_MS = 2_000

type Kind = 'server' | 'client' | 'consumer'
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

interface SpanBegin {
  readonly name: string
  readonly kind: Kind
  /** Untrusted text: an invalid traceparent starts a new trace. */
  readonly parent: string | undefined
  readonly attributes: Attributes
  /** By performance.now(); absent: now. */
  readonly startedMs?: number
}

interface SpanEnd {
  /** Set when the name is known only at the end. */
  readonly name?: string
  readonly attributes?: Attributes
  readonly isFault?: boolean
}

export interface RecordedSpan {
  readonly traceparent: string
  end(end?: SpanEnd): void
}

export interface Spans {
  /** @returns undefined when its trace is not sampled */
  begin(span: SpanBegin): RecordedSpan | undefined
  stop(): Promise<void>
}

/** Sends spans to a collector by OTLP over HTTP, in batches, from a queue of 2,048; spans beyond that are dropped. */
export function openSpans({ endpoint, serviceName, sampler, ratio, random, onFault }: TracingOptions): Spans {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const isKept = samplerOf(sampler, ratio)
  const ids = idsFrom(random)
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: reportingFaults(exporter, onFault) })],
  })
  const tracer = provider.getTracer('malipo')
  return {
    // The sampler decides before a span is created: otherwise ninety-nine of a hundred requests would create one for
    // nothing.
    begin({ name, kind, parent, attributes, startedMs }) {
      const context = contextOf(parent)
      const traceId = trace.getSpanContext(context)?.traceId ?? ids.nextTraceId()
      const { decision } = isKept.shouldSample(context, traceId, name, KINDS[kind], attributes, [])
      if (decision !== SamplingDecision.RECORD_AND_SAMPLED) return undefined
      return kept(
        tracer.startSpan(name, { kind: KINDS[kind], attributes, startTime: startedMs ?? performance.now() }, context),
      )
    },
    async stop() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, STOP_MS)
      await Promise.race([provider.shutdown().catch(onFault), late])
      clearTimeout(timer)
    },
  }
}

function contextOf(traceparent: string | undefined) {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

function kept(span: Span): RecordedSpan {
  const { traceId, spanId } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-0${TraceFlags.SAMPLED}`,
    end({ name, attributes, isFault = false } = {}) {
      if (name !== undefined) span.updateName(name)
      if (attributes) span.setAttributes(attributes)
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(performance.now())
    },
  }
}

function samplerOf(name: TracingOptions['sampler'], ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}

/** Randomness is injected, as everywhere. A trace that starts here gets the id that the sampler has decided on. */
function idsFrom(random: Random): IdGenerator & { nextTraceId(): string } {
  const hex = (size: number): string => {
    const { buffer, byteOffset } = random.bytes(size)
    return Buffer.from(buffer, byteOffset, size).toString('hex')
  }
  let next = ''
  return { nextTraceId: () => (next = hex(16)), generateTraceId: () => next, generateSpanId: () => hex(8) }
}

/** Reports failed exports, which the library itself does not. */
const reportingFaults = (exporter: OTLPTraceExporter, onFault: (error: unknown) => void): SpanExporter => ({
  export: (spans, reported) =>
    exporter.export(spans, (result) => {
      if (result.error) onFault(new Error('the collector did not take them', { cause: result.error }))
      reported(result)
    }),
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
})

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

// The only file that knows the library. Names of attributes are those of the semantic conventions:
// https://opentelemetry.io/docs/specs/semconv/

/** What is not delivered by then is lost: a gateway that is told to stop waits for no collector. */
const STOP_MS = 2_000

export type Kind = 'server' | 'client' | 'consumer'
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

export interface SpanBegin {
  readonly name: string
  readonly kind: Kind
  /** A text from outside: what is no traceparent begins a trace. */
  readonly parent: string | undefined
  readonly attributes: Attributes
  /** By performance.now(); absent: now. */
  readonly startedMs?: number
}

export interface SpanEnd {
  /** Where it is only known now. */
  readonly name?: string
  readonly attributes?: Attributes
  readonly isFault?: boolean
}

export interface KeptSpan {
  readonly traceparent: string
  end(end?: SpanEnd): void
}

export interface Spans {
  /** @returns undefined when the sampler leaves its trace out */
  begin(span: SpanBegin): KeptSpan | undefined
  stop(): Promise<void>
}

/** Spans that go to a collector by OTLP over HTTP, in batches, from a queue of 2,048 beyond which they are dropped. */
export function openSpans({ endpoint, serviceName, sampler, ratio, random, onFault }: TracingOptions): Spans {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const isKept = samplerOf(sampler, ratio)
  const ids = idsFrom(random)
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: tellingFaults(exporter, onFault) })],
  })
  const tracer = provider.getTracer('malipo')
  return {
    // The sampler is asked before there is a span: of a hundred requests, ninety-nine would make one for nobody.
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

function kept(span: Span): KeptSpan {
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

/** Chance comes from outside, as everywhere. A trace that begins here gets the id that its sampler went by. */
function idsFrom(random: Random): IdGenerator & { nextTraceId(): string } {
  const hex = (size: number): string => {
    const { buffer, byteOffset } = random.bytes(size)
    return Buffer.from(buffer, byteOffset, size).toString('hex')
  }
  let next = ''
  return { nextTraceId: () => (next = hex(16)), generateTraceId: () => next, generateSpanId: () => hex(8) }
}

/** The library itself tells nobody. */
const tellingFaults = (exporter: OTLPTraceExporter, onFault: (error: unknown) => void): SpanExporter => ({
  export: (spans, told) =>
    exporter.export(spans, (result) => {
      if (result.error) onFault(new Error('the collector did not take them', { cause: result.error }))
      told(result)
    }),
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
})

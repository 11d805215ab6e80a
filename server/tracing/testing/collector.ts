import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from '../../verification/testing/listening.ts'

/** A span in OTLP's JSON, with its attributes as a plain object. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  /** 2: server, 3: client, 5: consumer. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number>>
  /** 2: an error. */
  readonly status: number | undefined
  readonly service: string | undefined
  readonly durationMs: number
}

export interface Collector {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** The raw bodies received. */
  readonly bodies: readonly string[]
  /** Sets the reply from now on. */
  answer(answer: number | 'hang'): void
  close(): Promise<void>
}

interface OtlpAttribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}
interface OtlpSpan extends Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> {
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly status: { readonly code?: number }
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** A trace collector on a real port: OTLP over HTTP in JSON. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  const spans: ReceivedSpan[] = []
  let answer: number | 'hang' = 200
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (answer === 'hang') return
    if (answer === 200 && request.url === '/v1/traces') {
      bodies.push(body)
      spans.push(...spansIn(JSON.parse(body) as OtlpBody))
    }
    response.writeHead(request.url === '/v1/traces' ? answer : 404, { 'content-type': 'application/json' }).end('{}')
  }
  const { url, close } = await listening(createServer((request, response) => void receive(request, response)))
  return {
    url,
    spans,
    bodies,
    answer: (given) => {
      answer = given
    },
    close,
  }
}

const spansIn = ({ resourceSpans }: OtlpBody): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = plain(resource.attributes)['service.name']?.toString()
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, ...span }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind,
        attributes: plain(span.attributes),
        status: span.status.code,
        service,
        durationMs: Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1_000_000n),
      })),
    )
  })

const plain = (attributes: readonly OtlpAttribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']))

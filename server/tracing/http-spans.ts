import type { Delivery } from '../actions/ports/delivery.ts'
import type { HttpOutcome, OpenSpan, TraceRequest } from '../actions/ports/tracing.ts'
import type { KeptSpan, Spans } from './spans.ts'

// Requests and calls as the semantic conventions for HTTP name them:
// https://opentelemetry.io/docs/specs/semconv/http/http-spans/

/** A merchant's request. A path outside of the contract is left out: anything may stand in it, also for a parameter. */
export const requestsBy =
  (spans: Spans): TraceRequest =>
  ({ method, traceparent }) => {
    const attributes = { 'http.request.method': method }
    const span = spans.begin({ name: method, kind: 'server', parent: traceparent, attributes })
    return (
      span && {
        traceparent: span.traceparent,
        end: ({ route, ...outcome }) =>
          span.end({
            ...(route !== undefined && { name: `${method} ${route}` }),
            attributes: {
              ...(route !== undefined && { 'http.route': route, 'url.path': route }),
              ...outcomeOf(outcome, SERVER_FAULT),
            },
            isFault: isFault(outcome, SERVER_FAULT),
          }),
      }
    )
  }

export interface Call {
  readonly method: string
  /** Only its host and port are told: in the path and the query merchants have tokens. */
  readonly url: string
  /** The path with the names of its parameters, where one is known. */
  readonly template?: string
}

/** A call that goes out, below a span of ours. */
export function callBelow(spans: Spans, parent: KeptSpan, call: Call): OpenSpan<HttpOutcome> | undefined {
  const { method, url, template } = call
  const span = spans.begin({
    name: template === undefined ? method : `${method} ${template}`,
    kind: 'client',
    parent: parent.traceparent,
    attributes: {
      'http.request.method': method,
      ...serverOf(url),
      ...(template !== undefined && { 'url.template': template }),
    },
  })
  return (
    span && {
      traceparent: span.traceparent,
      end: (outcome) =>
        span.end({ attributes: outcomeOf(outcome, CLIENT_FAULT), isFault: isFault(outcome, CLIENT_FAULT) }),
    }
  )
}

/** What goes to a merchant's server: it is sent below its span, where it has one. */
export async function deliveredBelow(
  spans: Spans,
  parent: KeptSpan | undefined,
  call: Call,
  send: (traceparent?: string) => Promise<Delivery>,
): Promise<Delivery> {
  const span = parent && callBelow(spans, parent, call)
  if (!span) return send()
  const delivery = await send(span.traceparent)
  span.end(delivery.httpStatus === undefined ? { error: 'no_answer' } : { status: delivery.httpStatus })
  return delivery
}

/** A server is at fault from 500 on; to a client everything from 400 on is a fault. */
const SERVER_FAULT = 500
const CLIENT_FAULT = 400

const isFault = ({ status, error }: HttpOutcome, from: number): boolean =>
  error !== undefined || status === undefined || status >= from

const outcomeOf = (outcome: HttpOutcome, from: number) => ({
  ...(outcome.status !== undefined && { 'http.response.status_code': outcome.status }),
  ...(isFault(outcome, from) && { 'error.type': outcome.error ?? outcome.status?.toString() ?? '_OTHER' }),
})

function serverOf(url: string) {
  const { hostname, port, protocol } = URL.parse(url) ?? {}
  if (hostname === undefined) return {}
  const usual = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) }
}

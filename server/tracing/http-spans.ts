import type { Delivery } from '../actions/ports/delivery.ts'
import type { HttpOutcome, OpenSpan, TraceRequest } from '../actions/ports/tracing.ts'
import type { RecordedSpan, Spans } from './spans.ts'

// Names of requests and calls as in the semantic conventions for HTTP:
// https://opentelemetry.io/docs/specs/semconv/http/http-spans/

/**
 * A merchant's request. A path outside of the contract is omitted, because it may contain anything; parameters are
 * replaced by their names.
 */
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

interface Call {
  readonly method: string
  /** Only host and port are recorded: merchants put tokens into the path and the query. */
  readonly url: string
  /** The path with the names of its parameters, if it is known. */
  readonly template?: string
}

/** An outgoing call, as a child of one of our spans. */
export function callBelow(spans: Spans, parent: RecordedSpan, call: Call): OpenSpan<HttpOutcome> | undefined {
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

/** A request to a merchant's server, as a child of its span, if it has one. */
export async function deliveredBelow(
  spans: Spans,
  parent: RecordedSpan | undefined,
  call: Call,
  send: (traceparent?: string) => Promise<Delivery>,
): Promise<Delivery> {
  const span = parent && callBelow(spans, parent, call)
  if (!span) return send()
  const delivery = await send(span.traceparent)
  span.end(delivery.httpStatus === undefined ? { error: 'no_answer' } : { status: delivery.httpStatus })
  return delivery
}

/** For a server only 500 and above are faults, for a client 400 and above. */
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

// The port for traces. A trace is identified by the text of W3C Trace Context, which is stored with a payment;
// server/tracing records the spans.

/** A started span of a sampled trace. */
export interface OpenSpan<Outcome> {
  /** Of this span: the receiver's spans become its children. */
  readonly traceparent: string
  end(outcome: Outcome): void
}

/** Result of an HTTP exchange. Absent status: no reply. */
export interface HttpOutcome {
  readonly status?: number
  /** One of a few fixed words, for an error that no status shows. */
  readonly error?: string
}

/** A merchant's request on arrival; its trace header is not trusted before it is parsed. */
interface BegunRequest {
  readonly method: string
  readonly traceparent: string | undefined
}

/** A completed request. */
interface TracedRequest extends HttpOutcome {
  /**
   * The contract's route, with the names of its parameters: their values are the merchant's. Absent: no route matched.
   */
  readonly route?: string
}

/** @returns undefined when its trace is not sampled */
export type TraceRequest = (request: BegunRequest) => OpenSpan<TracedRequest> | undefined

/** A call to an operator that is about to start. */
interface BegunCall {
  /** Absent: it is about no order. For example, many orders share a token. */
  readonly orderId?: string
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** As in the operator's contract, with placeholders: the value of a parameter may be somebody's phone number. */
  readonly pathTemplate: string
}

/** @returns undefined when it belongs to no sampled trace */
export type TraceCall = (call: BegunCall) => OpenSpan<HttpOutcome> | undefined

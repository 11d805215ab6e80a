// What of traces the rest of the gateway knows. A trace is told by the text of W3C Trace Context, which goes along with
// a payment; what keeps spans is server/tracing.

/** A span that has begun, of a trace that is kept. */
export interface OpenSpan<Outcome> {
  /** Of this span: whoever is sent it goes on below. */
  readonly traceparent: string
  end(outcome: Outcome): void
}

/** What an HTTP exchange came to. Absent status: no answer came. */
export interface HttpOutcome {
  readonly status?: number
  /** One of few words of ours, where something went wrong that no status tells. */
  readonly error?: string
}

/** A request of a merchant as it comes in; nothing in its header is believed to be a trace before it was read. */
export interface BegunRequest {
  readonly method: string
  readonly traceparent: string | undefined
}

/** A request that was answered. */
export interface AnsweredRequest extends HttpOutcome {
  /** Of the contract, with the names of its parameters: their values are the merchant's. Absent: nothing matched. */
  readonly route?: string
}

/** @returns undefined when its trace is not kept */
export type TraceRequest = (request: BegunRequest) => OpenSpan<AnsweredRequest> | undefined

/** A call about to go to an operator. */
export interface BegunCall {
  /** Absent: it is about no order, as a token, which many orders share. */
  readonly orderId?: string
  readonly method: string
  /** Scheme, host and port. */
  readonly origin: string
  /** As the operator's contract has it: what stands in the place of its parameters may be somebody's number. */
  readonly pathTemplate: string
}

/** @returns undefined when it belongs to no trace that is kept */
export type TraceCall = (call: BegunCall) => OpenSpan<HttpOutcome> | undefined

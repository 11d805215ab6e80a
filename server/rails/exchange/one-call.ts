import type { Dispatcher } from 'undici'
import { describeFault } from '../../outbound/describe-fault.ts'
import type { OperatorReply } from '../operator-contract.ts'
import { NoAnswer, NotSent } from '../operator-errors.ts'
import type { Timers } from '../../actions/ports/timers.ts'

export interface CallTimes {
  /** Until the connection is open, TLS included. */
  readonly connectMs: number
  /** From the request to the headers of the reply. */
  readonly headersMs: number
  /** For the whole call. */
  readonly totalMs: number
}

export const CALL_TIMES: CallTimes = { connectMs: 5_000, headersMs: 15_000, totalMs: 15_000 }

/** A larger reply is an error: no operator's reply comes near this size. */
export const REPLY_BYTES_MAX = 256 * 1024

export interface OutgoingCall {
  /** Scheme, host and port. */
  readonly origin: string
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** The transport of calls: connections, or a substitute for them. */
export type CallDispatcher = Pick<Dispatcher, 'dispatch' | 'destroy'>

/** A reply with its headers, not yet validated. */
export interface WholeReply extends OperatorReply {
  readonly headers: Headers
}

/**
 * Sends one request and reads its reply: no redirects, no retries, no decompression.
 * @throws NotSent when no byte of it can have gone out
 * @throws NoAnswer for every failure after that
 */
export function oneCall(
  dispatcher: Pick<CallDispatcher, 'dispatch'>,
  call: OutgoingCall,
  times: CallTimes,
  timers: Timers,
): Promise<WholeReply> {
  return new Promise((resolve, reject) => {
    const reading = new CallInProgress(times, timers, resolve, reject)
    // Without a body undici writes `content-length: 0` for a POST: operators' API gateways answer 411 if it is missing.
    const { origin, method, path, headers, body } = call
    try {
      dispatcher.dispatch(
        { origin, method, path, headers, ...(body && { body }), headersTimeout: 0, bodyTimeout: 0 },
        reading,
      )
    } catch (error) {
      reading.onResponseError(undefined, error as Error)
    }
  })
}

type AbortableCall = Pick<Dispatcher.DispatchController, 'abort'>

/**
 * undici calls `onRequestStart` when it is about to write the request to a connection: until then nothing has gone
 * out.
 */
class CallInProgress implements Dispatcher.DispatchHandler {
  readonly #times: CallTimes
  readonly #timers: Timers
  readonly #resolve: (reply: WholeReply) => void
  readonly #reject: (error: Error) => void
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #begun: AbortableCall | undefined
  #isOver = false
  #head: { readonly status: number; readonly headers: Headers } | undefined
  #cancels: (() => void)[]

  constructor(times: CallTimes, timers: Timers, resolve: (reply: WholeReply) => void, reject: (error: Error) => void) {
    this.#times = times
    this.#timers = timers
    this.#resolve = resolve
    this.#reject = reject
    this.#cancels = [timers.after(times.totalMs, () => this.#giveUp(`no reply within ${times.totalMs / 1_000} s`))]
  }

  onRequestStart(controller: AbortableCall): void {
    // If this throws, undici drops the request before it writes any of it.
    if (this.#isOver) throw new Error('the call is over')
    this.#begun = controller
    const { headersMs } = this.#times
    this.#cancels.push(
      this.#timers.after(headersMs, () => {
        if (!this.#head) this.#giveUp(`no reply within ${headersMs / 1_000} s`)
      }),
    )
  }

  onResponseStart(
    _controller: AbortableCall,
    status: number,
    received: Record<string, string | string[] | undefined>,
  ): void {
    // An informational response (103) is not the reply.
    if (status < 200) return
    const headers = new Headers()
    for (const [name, value] of Object.entries(received))
      for (const each of [value ?? []].flat()) headers.append(name, each)
    this.#head = { status, headers }
  }

  onResponseData(_controller: AbortableCall, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > REPLY_BYTES_MAX) this.#giveUp(`the reply is larger than ${REPLY_BYTES_MAX / 1024} kB`)
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const head = this.#head
    if (!head) return this.#giveUp('the reply has no status')
    this.#end(() => {
      const contentType = head.headers.get('content-type')
      const body = Buffer.concat(this.#chunks)
      this.#resolve({ ...head, ...(contentType !== null && { contentType }), body })
    })
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(describeFault(error, this.#times.totalMs), error)
  }

  #giveUp(reason: string): void {
    this.#fail(reason)
    this.#begun?.abort(new Error(reason))
  }

  #fail(reason: string, cause?: Error): void {
    this.#end(() => this.#reject(new (this.#begun ? NoAnswer : NotSent)(reason, { cause })))
  }

  #end(settle: () => void): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const cancel of this.#cancels) cancel()
    settle()
  }
}

import type { DueCallback } from './callbacks.ts'

/** Result of a request to a merchant's server: a status or an error. */
export interface Delivery {
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly error?: string
  readonly replyExcerpt?: string
  readonly durationMs: number
}

/** Signs and sends callbacks, behind the outbound guard. */
export interface CallbackSender {
  /**
   * Signs a callback.
   * @param traceparent of the span that sends it: no signature covers it
   * @returns a function that POSTs it within seconds. It never rejects because of the merchant's server: that is a
   *   Delivery with an error
   */
  prepare(callback: DueCallback): Promise<(traceparent?: string) => Promise<Delivery>>
}

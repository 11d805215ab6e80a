import { retryAfter, status, type ReceiverReply } from '../../driver/merchant-replies.ts'
import { LONGER_MAX, WAITS_MS } from '../../driver/webhooks.ts'
import type { Message } from '../../driver/merchant-server.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS

type Kind = keyof typeof WAITS_MS
/** A date has whole seconds, and is read a moment after it was written. */
const DATE_MS = 2 * SECOND_MS

/** The longest wait that a merchant can request (page "Verifying callbacks"). */
const REQUESTED_MAX_MS = 24 * HOUR_MS

/** A merchant's answer, and the wait that it requests. */
interface ReceiverAnswer {
  readonly make: () => ReceiverReply
  readonly leastMs: number
  readonly mostMs: number
}

const plain = (reply: ReceiverReply, ms = 0): ReceiverAnswer => ({ make: () => reply, leastMs: ms, mostMs: ms })
export const answered = (code: number, afterMs?: number): ReceiverAnswer =>
  plain(status(code, afterMs === undefined ? {} : { afterMs }))
export const requestsToWait = (seconds: number): ReceiverAnswer =>
  plain(retryAfter(503, seconds), Math.max(seconds, 0) * SECOND_MS)
/** The wait as a date, by the clock of the merchant's server, which is this machine's. */
export const requestsToWaitUntil = (seconds: number): ReceiverAnswer => ({
  make: () => ({
    ...status(503, { headers: { 'retry-after': new Date(Date.now() + seconds * SECOND_MS).toUTCString() } }),
    name: `HTTP 503 with Retry-After: a date ${seconds} s ahead`,
  }),
  leastMs: seconds * SECOND_MS - DATE_MS,
  mostMs: seconds * SECOND_MS + DATE_MS,
})

/** One message, its answers, and the expected attempts. */
export interface TrackedCallback {
  readonly kind: Kind
  /** What is special about it. */
  readonly name: string
  /** In turn; the last one repeats. */
  readonly answers: readonly ReceiverAnswer[]
  /** Number of attempts in total. */
  readonly times: number
}

/** The window of the next attempt. */
export interface Window {
  readonly from: number
  readonly to: number
}

export const answerAt = ({ answers }: TrackedCallback, index: number): ReceiverAnswer =>
  answers[index] ?? answers.at(-1) ?? answered(200)

/** @returns undefined when no attempt is left */
export function nextWindow(tracked: TrackedCallback, came: readonly Message[]): Window | undefined {
  const last = came.at(-1)
  const waitMs = WAITS_MS[tracked.kind][came.length - 1]
  if (!last || waitMs === undefined || came.length >= tracked.times) return undefined
  const requested = answerAt(tracked, came.length - 1)
  const at = last.at.getTime()
  return {
    from: at + Math.max(waitMs, Math.min(requested.leastMs, REQUESTED_MAX_MS)),
    to: at + Math.max(waitMs, Math.min(requested.mostMs, REQUESTED_MAX_MS)) * (1 + LONGER_MAX),
  }
}

/** A payment whose messages are refused. */
export interface Subject {
  readonly tracked: TrackedCallback
  readonly reference: string
  readonly driver: PaymentDriver
}

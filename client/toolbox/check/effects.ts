import { exchange, type ReplyOutcome } from '../exchange.ts'
import { UsageError } from '../usage.ts'
import type { Order } from './row.ts'

/**
 * The receiver's own report of what it did, if the merchant offers one: `GET` returns `{"<merchant_reference>": <how
 * often fulfilled>}`; `POST` of `{merchant_reference, transaction_type, amount, currency}` makes the receiver expect
 * that payment, or know that payout.
 */
export interface Effects {
  /** Whether the receiver now knows the order. */
  readonly announce: (order: Order) => Promise<boolean>
  /** Has the shop start the payment of the order, as its checkout does. */
  readonly start: (order: Order) => Promise<ReplyOutcome>
  /** Has the shop read the events that it has missed. */
  readonly catchUp: () => Promise<ReplyOutcome>
  /** How often each order was fulfilled; for a payout, 1 while it is booked as paid. */
  readonly counts: () => Promise<ReadonlyMap<string, number>>
}

const TIMEOUT_MS = 5_000
/** The shop calls Malipo meanwhile, and may try again. */
const ACTION_TIMEOUT_MS = 20_000
const ANSWER_MAX_BYTES = 1024 * 1024

/** @throws UsageError, from `counts`, when the reply is not such a report */
export const effectsAt = (url: URL, option = '--effects-url'): Effects => ({
  async announce(order) {
    const reply = await post(url, announcementOf(order), TIMEOUT_MS)
    return reply.kind === 'answered' && reply.status >= 200 && reply.status < 300
  },
  start: (order) => post(url, { action: 'start', ...announcementOf(order) }, ACTION_TIMEOUT_MS),
  catchUp: () => post(url, { action: 'catch_up' }, ACTION_TIMEOUT_MS),
  async counts() {
    const reply = await exchange(
      { method: 'GET', url, headers: { accept: 'application/json' } },
      TIMEOUT_MS,
      ANSWER_MAX_BYTES,
    )
    const counts = readCounts(reply)
    if (counts) return counts
    throw new UsageError(
      `${option} ${url.href} must answer 200 with {"<merchant_reference>": <number>}; it ${reply.kind === 'answered' ? `answered ${reply.status}` : `did not: ${reply.why}`}`,
    )
  },
})

const announcementOf = ({ merchantReference, type, amount, currency, payouts }: Order) => ({
  merchant_reference: merchantReference,
  transaction_type: type,
  amount,
  currency,
  ...(payouts !== undefined && { payouts }),
})

const post = (url: URL, body: object, timeoutMs: number): Promise<ReplyOutcome> =>
  exchange(
    { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) },
    timeoutMs,
  )

function readCounts(reply: ReplyOutcome): ReadonlyMap<string, number> | undefined {
  if (reply.kind !== 'answered' || reply.status !== 200) return undefined
  try {
    const value: unknown = JSON.parse(reply.body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(value)
    return entries.every((entry): entry is [string, number] => typeof entry[1] === 'number')
      ? new Map(entries)
      : undefined
  } catch {
    return undefined
  }
}

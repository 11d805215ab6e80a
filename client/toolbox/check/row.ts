import type { Event } from '../events.ts'
import type { OutgoingRequest, ReplyOutcome } from '../exchange.ts'
import type { Keys } from '../sign.ts'

/** The subject of a row: a payment that the merchant expects, or a payout that the merchant sent. */
export interface Order {
  readonly merchantReference: string
  /** Malipo's reference, the same in all events about the order. */
  readonly internalReference: string
  readonly type: 'COLLECTION' | 'PAYOUT' | 'BATCH'
  readonly amount: number
  readonly currency: string
  /** How many, in a batch. */
  readonly payouts?: number
}

/** What rows use to make their messages. */
export interface RowContext {
  readonly url: URL
  readonly keys: Keys
  /** The keys of another merchant: right in form, wrong here. */
  readonly otherKeys: Keys
  readonly now: () => Date
  readonly newWebhookId: () => string
  /** The event that reports the final state of the order. */
  readonly eventOf: (order: Order, outcome: 'completed' | 'failed' | 'cancelled') => Event
}

/**
 * The reply of a correct receiver. `acknowledged`: 2xx. `acknowledged_by_one`: 2xx at least once, otherwise a status
 * after which Malipo retries. `refused`: 4xx. `refused_or_cut`: 4xx, or it stops reading. `no_crash`: anything below
 * 500. `confirmed`: 2xx. `rejected`: 4xx, but none that requests a retry (408, 425, 429). `shown`: 2xx or 3xx.
 */
export type RowAnswer =
  | 'acknowledged'
  | 'acknowledged_by_one'
  | 'refused'
  | 'refused_or_cut'
  | 'no_crash'
  | 'confirmed'
  | 'rejected'
  | 'shown'

/** One attack on, or malformed message to, a receiver, and the correct reaction. */
export interface Row {
  readonly id: string
  readonly group: 'callback' | 'handshake' | 'redirect' | 'gateway'
  readonly title: string
  /** What a correct receiver does. */
  readonly correct: string
  readonly why: string
  /** `should`: any other reply is a warning. Money that moves wrongly is never just a warning. */
  readonly weight: 'must' | 'should'
  readonly answer: RowAnswer
  /** How often the order must have been fulfilled in the end. Absent: this row does not judge that. */
  readonly fulfilled?: 0 | 1
  /** Only `--effects-url` can show what this row tests. */
  readonly isAboutEffect?: true
  /** The kind of order in a row of callbacks; a collection if absent. */
  readonly type?: 'PAYOUT' | 'BATCH'
  /** The reference must be one that the receiver knows. */
  readonly needsKnownReference?: true
  /** Sends all messages at the same moment; otherwise one after the other. */
  readonly together?: true
  /** Must not occur in the reply. */
  readonly forbiddenInReply?: string
  readonly messages?: (context: RowContext, order: Order) => readonly OutgoingRequest[]
  /** In place of messages: a life in several acts, in which the shop calls Malipo too. `certify` has these. */
  readonly play?: (stage: Stage) => Promise<PlayedLife>
  /** The shop makes the order itself, when the life tells it to start the payment. */
  readonly startsOrder?: true
}

/** How a life acts on a shop. */
export interface Stage {
  readonly order: Order
  readonly context: RowContext
  readonly redirectUrl: URL
  readonly send: (message: OutgoingRequest, timeoutMs?: number) => Promise<ReplyOutcome>
  /** Lets the shop expect a further order; whether it does. */
  readonly expect: (order: Order) => Promise<boolean>
  /** Lets the shop start the payment at Malipo, as its checkout does. */
  readonly start: () => Promise<ReplyOutcome>
  /** Lets the shop read the events that it has missed. */
  readonly catchUp: () => Promise<ReplyOutcome>
  readonly newOrder: () => Order
}

/** What a life has shown. */
export interface PlayedLife {
  /** Those that the row's `answer` judges. */
  readonly replies: readonly ReplyOutcome[]
  /** References of further orders, fulfilled as often as the row's own. */
  readonly also?: readonly string[]
  /** What the shop called of Malipo meanwhile. */
  readonly calls?: readonly string[]
  /** What the shop did wrong beside its replies. */
  readonly fault?: string
}

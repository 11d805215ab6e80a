import type { Event } from '../events.ts'
import type { OutgoingRequest } from '../exchange.ts'
import type { Keys } from '../sign.ts'

/** What a row is about: a payment that the merchant expects, or a payout that the merchant sent. */
export interface Order {
  readonly merchantReference: string
  /** Malipo's own, the same in all events about the order. */
  readonly internalReference: string
  readonly type: 'COLLECTION' | 'PAYOUT'
  readonly amount: number
  readonly currency: string
}

/** What rows make their messages with. */
export interface Lab {
  readonly url: URL
  readonly keys: Keys
  /** Those of another merchant: right in form, wrong here. */
  readonly otherKeys: Keys
  readonly now: () => Date
  readonly newWebhookId: () => string
  /** The event that says how the order ended. */
  readonly eventOf: (order: Order, outcome: 'completed' | 'failed' | 'cancelled') => Event
}

/**
 * What a correct receiver answers. `acknowledged`: 2xx. `acknowledged_by_one`: 2xx at least once, otherwise an answer
 * that lets the same come again. `refused`: 4xx. `refused_or_cut`: 4xx, or no more reading. `no_crash`: anything below
 * 500. `confirmed`: 2xx. `rejected`: 4xx, but none that asks for another try (408, 425, 429). `shown`: 2xx or 3xx.
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

/** One thing that a hostile or clumsy world does to a receiver, and what is right then. */
export interface Row {
  readonly id: string
  readonly group: 'callback' | 'handshake' | 'redirect'
  readonly title: string
  /** What a correct receiver does. */
  readonly correct: string
  readonly why: string
  /** `should`: another answer is a warning. Money that moves wrongly never is. */
  readonly weight: 'must' | 'should'
  readonly answer: RowAnswer
  /** How often the order has been fulfilled in the end. Absent: not for this row to say. */
  readonly fulfilled?: 0 | 1
  /** Nothing but `--effects-url` can show what this row is about. */
  readonly isAboutEffect?: true
  /** What the order is, in a row of callbacks; a collection if absent. */
  readonly type?: 'PAYOUT'
  /** The reference must be one that the receiver knows. */
  readonly needsKnownReference?: true
  /** All messages at the same moment; otherwise one after the other. */
  readonly together?: true
  /** Must not stand in the reply. */
  readonly forbiddenInReply?: string
  readonly messages: (lab: Lab, order: Order) => readonly OutgoingRequest[]
}

import { RECEIVER_PATHS } from '../harness/receiver-paths.ts'

// What the contract says about messages to the merchant: their names, and the waits between their attempts.

/** Name of the contract's webhook for handshakes. */
export const HANDSHAKE = 'payoutHandshake'

/** Paths that the merchant's URLs must have, by the names of the contract's webhooks. */
export const WEBHOOK_PATHS = {
  collectionCallback: RECEIVER_PATHS.collectionCallback,
  payoutCallback: RECEIVER_PATHS.payoutCallback,
  [HANDSHAKE]: RECEIVER_PATHS.handshake,
  refundCallback: RECEIVER_PATHS.refundCallback,
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The waits before the second, third … attempt. */
export const WAITS_MS = {
  callback: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)],
  handshake: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS],
} as const
/** "Each wait a little longer by chance": up to a tenth. */
export const LONGER_MAX = 0.1

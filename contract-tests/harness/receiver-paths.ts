/** Paths of callbacks and handshakes: one for each URL, so that a message to the wrong one is recognizable. */
export const RECEIVER_PATHS = {
  collectionCallback: '/callbacks/collections',
  payoutCallback: '/callbacks/payouts',
  handshake: '/handshake',
  refundCallback: '/callbacks/refunds',
} as const

/** The same paths for the second merchant. */
export const OTHER_RECEIVER_PATHS = {
  collectionCallback: `/other${RECEIVER_PATHS.collectionCallback}`,
  payoutCallback: `/other${RECEIVER_PATHS.payoutCallback}`,
  handshake: `/other${RECEIVER_PATHS.handshake}`,
  refundCallback: `/other${RECEIVER_PATHS.refundCallback}`,
} as const

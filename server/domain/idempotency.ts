/** How long an Idempotency-Key replays its first reply. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000

/** How long an Idempotency-Key replays its first reply. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1000

/** A key that was first used at this time or before it is free again. */
export const idempotencyWindowStart = (now: Date): Date => new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS)

/** An Idempotency-Key of one merchant. The key includes its scope: the same header with another operation is another. */
export interface IdempotencyKey {
  readonly merchantId: bigint
  readonly key: string
}

/** A unique text per key, for map keys. */
export const idempotencyKeyName = ({ merchantId, key }: IdempotencyKey): string => `${merchantId}:${key}`

import { timingSafeEqual } from 'node:crypto'

/** Constant-time comparison: the time does not show how much of a digest or a token was right. */
export const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

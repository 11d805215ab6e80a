import type { Random } from './domain/references.ts'

const POOL_BYTES = 8192

/**
 * Randomness from a secure source, fetched in blocks: each request wants a few bytes for its id and its references, and
 * asking the system for each of them was a tenth of all CPU time. No byte is ever given out twice.
 */
export function pooledRandom(randomBytes: (size: number) => Buffer): Random {
  let pool: Buffer = Buffer.alloc(0)
  let used = 0
  return {
    bytes(size) {
      if (size > POOL_BYTES) return randomBytes(size)
      if (used + size > pool.length) {
        pool = randomBytes(POOL_BYTES)
        used = 0
      }
      used += size
      return pool.subarray(used - size, used)
    },
  }
}

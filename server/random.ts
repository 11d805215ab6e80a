import type { Random } from './domain/references.ts'

const POOL_BYTES = 8192

/**
 * Secure randomness, fetched in blocks: each request needs a few bytes for its id and its references, and a system
 * call for each of them took a tenth of all CPU time. No byte is ever returned twice.
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

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestFault } from './failures.ts'

const WINDOW_SECONDS = 10

export type RateLimit = (publicKey: string) => Promise<void>

/**
 * Counts requests per public key in windows of ten seconds, in each process on its own.
 * @param perSecond the average that is let through; a burst may use a whole window at once
 * @returns throws RequestFault 429 with `Retry-After`
 */
export function createRateLimit(perSecond: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perSecond * WINDOW_SECONDS, duration: WINDOW_SECONDS })
  return async (publicKey) => {
    try {
      await limiter.consume(publicKey)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const seconds = Math.max(Math.ceil(error.msBeforeNext / 1000), 1)
      throw new RequestFault(429, `Too many requests: try again in ${seconds} second${seconds === 1 ? '' : 's'}`, { 'retry-after': String(seconds) })
    }
  }
}

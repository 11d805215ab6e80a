import { CLOCK_SKEW_MAX_MS, skewText, type SharedClock } from '../storage/shared-clock.ts'
import type { Pool } from '../storage/pool.ts'
import type { OwnProcess } from './own-process.ts'

/** Whether this process can accept now: what proxies and probes go by. */
export interface Readiness {
  /** Rejects when the database does not answer. @returns why this process is not ready all the same */
  check(): Promise<string | undefined>
  /** What does not work, while all that makes it ready does. */
  degraded(): string | undefined
  /** @param fault says what `degraded` is to say */
  watch(fault: () => string | undefined): void
  /** It is about to stop: from now on it is not ready, whatever else holds. */
  end(): void
  isEnding(): boolean
}

/**
 * Ready is who can accept: the database takes writes, has no migration that we do not know, and the time is right. A
 * standby answers everything but a payment.
 */
export function createReadiness(pool: Pool, clock: SharedClock, { outlived }: Pick<OwnProcess, 'outlived'>): Readiness {
  let isEnding = false
  let fault: () => string | undefined = () => undefined
  return {
    async check() {
      if (isEnding) return 'stopping'
      const { rows } = await pool.query<{ writes: boolean }>({
        name: 'takes-writes',
        text: `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writes`,
      })
      if (rows[0]?.writes !== true) return 'the database takes no writes'
      const newer = outlived()
      if (newer) return newer.message
      const skewMs = clock.skewMs()
      return Math.abs(skewMs) > CLOCK_SKEW_MAX_MS ? `the clock is ${skewText(skewMs)}` : undefined
    },
    degraded: () => fault(),
    watch(given) {
      fault = given
    },
    end() {
      isEnding = true
    },
    isEnding: () => isEnding,
  }
}

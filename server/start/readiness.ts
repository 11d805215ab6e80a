import { NewerDatabase } from '../storage/newer-database.ts'
import { CLOCK_SKEW_MAX_MS, skewText, type SharedClock } from '../storage/shared-clock.ts'
import { requireFreeSpace } from '../storage/free-space.ts'
import type { Pool } from '../storage/pool.ts'
import type { OwnProcess } from './own-process.ts'

/** Whether this process can accept payments now: proxies and probes read it. */
export interface Readiness {
  /**
   * Rejects when the database does not answer.
   * @returns why this process is not ready although the database answers
   */
  check(): Promise<string | undefined>
  /** What does not work although this process is ready. */
  degraded(): string | undefined
  /** @param fault returns the text for `degraded`, or undefined while all is well */
  watch(fault: () => string | undefined): void
  /** The process is about to stop: it is not ready from now on, whatever else holds. */
  end(): void
  isEnding(): boolean
}

/** Readiness needs no key: however often it is requested, PostgreSQL writes for it at most this often. */
export const TRY_WRITE_EVERY_MS = 2_000
const NO_WRITES = 'the database takes no writes'

/**
 * Ready means able to accept payments: the database takes writes, has no migration that we do not know, and the clock
 * is right. A standby answers everything but a payment, and so does a primary whose disk is full.
 */
export function createReadiness(
  pool: Pool,
  clock: SharedClock,
  ownProcess: Pick<OwnProcess, 'outlived' | 'renew'>,
): Readiness {
  let isEnding = false
  const faults: (() => string | undefined)[] = []
  const takesWrites = atMostEvery(TRY_WRITE_EVERY_MS, clock, () => tryToWrite(pool, ownProcess))
  return {
    async check() {
      if (isEnding) return 'stopping'
      const { rows } = await pool.query<{ writes: boolean }>({
        name: 'takes-writes',
        text: `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
          and has_table_privilege('transactions', 'insert') and has_table_privilege('transfers', 'insert') as writes`,
      })
      if (rows[0]?.writes !== true) return NO_WRITES
      if (!(await takesWrites())) return NO_WRITES
      const newer = ownProcess.outlived()
      if (newer) return newer.message
      const skewMs = clock.skewMs()
      return Math.abs(skewMs) > CLOCK_SKEW_MAX_MS ? `the clock is ${skewText(skewMs)}` : undefined
    },
    degraded: () => faults.flatMap((fault) => fault() ?? []).join('; ') || undefined,
    watch: (fault) => void faults.push(fault),
    end() {
      isEnding = true
    },
    isEnding: () => isEnding,
  }
}

/** The probe write renews the existing row of this process, which only says that the process runs. */
async function tryToWrite(pool: Pool, ownProcess: Pick<OwnProcess, 'renew'>): Promise<boolean> {
  try {
    await ownProcess.renew(pool)
    await requireFreeSpace(pool)
    return true
  } catch (error) {
    return error instanceof NewerDatabase
  }
}

/** Callers in between get the last result, even one that is still pending. */
function atMostEvery<T>(ms: number, clock: Pick<SharedClock, 'now'>, run: () => Promise<T>): () => Promise<T> {
  let last: { readonly startedMs: number; readonly result: Promise<T> } | undefined
  return () => {
    const nowMs = clock.now().getTime()
    if (!last || Math.abs(nowMs - last.startedMs) >= ms) last = { startedMs: nowMs, result: run() }
    return last.result
  }
}

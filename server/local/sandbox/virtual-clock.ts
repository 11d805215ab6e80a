import { available, type Pool } from '../../storage/pool.ts'
import type { SharedClock } from '../../storage/shared-clock.ts'

/**
 * The sandbox's clock: real time, and what developers have advanced it by. All processes share the advance, which
 * survives restarts and never shrinks.
 */
export interface VirtualClock extends SharedClock {
  /** How far it is ahead of real time. */
  aheadMs(): number
  /** Whether another process advances it now: until it ends, this one runs no jobs. */
  isMovedElsewhere(): boolean
  /** Takes the right to advance it, or renews it; false while another process has it. */
  hold(): Promise<boolean>
  /** Puts it to that time, if that is later than now. @throws ClockLost when the right was lost meanwhile */
  moveTo(at: Date): Promise<void>
  /** Gives the right back. */
  letGo(): Promise<void>
}

/** The process was suspended, and others have gone on meanwhile. */
export class ClockLost extends Error {
  override readonly name = 'ClockLost'
}

/** Without a sign of life for this long, others run their jobs again. */
const HELD_SECONDS = 10

interface ClockRow {
  readonly ahead_ms: number
  readonly elsewhere: boolean
}

const HELD_BY = (mover: string): string => `(mover = ${mover} and moving_until > clock_timestamp())`
const HELD_UNTIL = `clock_timestamp() + make_interval(secs => ${HELD_SECONDS})`

/** @param processId absent: of a process that runs no jobs, such as a command */
export async function createVirtualClock(pool: Pool, real: SharedClock, processId?: string): Promise<VirtualClock> {
  let aheadMs = 0
  let isElsewhere = false

  async function read(): Promise<void> {
    const { rows } = await available(() =>
      pool.query<ClockRow>({
        name: 'sandbox-clock',
        text: `select ahead_ms::float8 as ahead_ms,
                 coalesce(moving_until > clock_timestamp() and mover is distinct from $1, false) as elsewhere
               from sandbox.clock`,
        values: [processId],
      }),
    )
    aheadMs = Math.max(aheadMs, rows[0]?.ahead_ms ?? 0)
    isElsewhere = rows[0]?.elsewhere ?? false
  }

  const change = (text: string, values: readonly unknown[]): Promise<boolean> =>
    available(async () => (await pool.query(text, [processId, ...values])).rowCount === 1)

  await read()
  return {
    now: () => new Date(real.now().getTime() + aheadMs),
    skewMs: real.skewMs,
    async sync() {
      await real.sync()
      await read()
    },
    aheadMs: () => aheadMs,
    isMovedElsewhere: () => isElsewhere,
    hold: () =>
      change(
        `update sandbox.clock set mover = $1, moving_until = ${HELD_UNTIL}
         where mover = $1 or moving_until is null or moving_until <= clock_timestamp()`,
        [],
      ),
    async moveTo(at) {
      const nextMs = at.getTime() - real.now().getTime()
      if (nextMs <= aheadMs) return
      // Stored first: a time that this process has used must never come again.
      const isMoved = await change(
        `update sandbox.clock set ahead_ms = greatest(ahead_ms, $2), moving_until = ${HELD_UNTIL} where ${HELD_BY('$1')}`,
        [Math.ceil(nextMs)],
      )
      if (!isMoved) throw new ClockLost('another process went on while this one was advancing the clock')
      aheadMs = Math.max(aheadMs, Math.ceil(nextMs))
    },
    letGo: async () =>
      void (await change('update sandbox.clock set mover = null, moving_until = null where mover = $1', [])),
  }
}

import type { Clock } from '../actions/ports/clock.ts'
import type { Installation } from '../domain/installation.ts'
import { markOutage } from '../storage/rail-installations.ts'
import type { Pool } from '../storage/pool.ts'
import type { ConnectedInstallation } from './connect-installation.ts'

export type WatchedConnection = Pick<ConnectedInstallation, 'circuit' | 'retryAfterMs'> & {
  readonly adapter: Pick<ConnectedInstallation['adapter'], 'check'>
}

export interface OutageDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly installations: () => ReadonlyMap<string, Pick<Installation, 'downSince'>>
  readonly connect: (name: string) => WatchedConnection | undefined
  /** Hears why it could not be told that an operator is back. */
  readonly onError: (error: unknown, installation: string) => void
}

export interface OutageWatch {
  /** Marks what is down now, and begins to try what may be back. Waits for no operator. */
  look(): Promise<void>
  /** Nothing is tried or told any more; what hangs is left. */
  stop(): void
}

/** So many operators are tried at the same time. One that hangs takes seconds; the others must not wait for it. */
export const TRIED_AT_ONCE_MAX = 8

/**
 * Tells all processes which operators do not answer, by the circuits of this one: one that is not closed marks its
 * installation, and a call that tries the credentials ends that. Without it nobody might call any more, because merchants are told.
 */
export function createOutageWatch({ pool, clock, installations, connect, onError }: OutageDeps): OutageWatch {
  const triedAt = new Map<string, number>()
  const underWay = new Set<string>()
  let isStopped = false

  const lastTry = (name: string): number => triedAt.get(name) ?? 0

  async function tryAgain(name: string, { adapter }: WatchedConnection): Promise<void> {
    triedAt.set(name, clock.now().getTime())
    underWay.add(name)
    try {
      const rows = await adapter.check({}).catch(() => [])
      const isBack = rows.length > 0 && rows.every(({ ok }) => ok)
      if (isBack && !isStopped) await markOutage(pool, name, undefined)
    } catch (error) {
      onError(error, name)
    } finally {
      underWay.delete(name)
    }
  }

  function tryThose(down: ReadonlyMap<string, WatchedConnection>): void {
    const nowMs = clock.now().getTime()
    const due = [...down]
      .filter(([name, { retryAfterMs }]) => !underWay.has(name) && nowMs - lastTry(name) >= retryAfterMs)
      // Whoever waits longest comes first: many that hang must not keep the others from their turn.
      .sort(([a], [b]) => lastTry(a) - lastTry(b))
    for (const [name, connection] of due.slice(0, TRIED_AT_ONCE_MAX - underWay.size)) void tryAgain(name, connection)
  }

  return {
    async look() {
      const down = new Map<string, WatchedConnection>()
      for (const [name, { downSince }] of installations()) {
        const connection = connect(name)
        if (!connection) continue
        const { state, since } = connection.circuit.state()
        // Half open it is not back yet: a short wait may end between two looks.
        if (!downSince && state !== 'closed') await markOutage(pool, name, since)
        else if (downSince && state !== 'open') down.set(name, connection)
      }
      if (!isStopped) tryThose(down)
    },
    stop() {
      isStopped = true
    },
  }
}

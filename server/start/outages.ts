import type { Clock } from '../actions/ports/clock.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { markOutage } from '../storage/rail-accounts.ts'
import type { Pool } from '../storage/pool.ts'
import type { ConnectedRailAccount } from './connect-rail-account.ts'

export type WatchedConnection = Pick<ConnectedRailAccount, 'circuit' | 'retryAfterMs'> & {
  readonly adapter: Pick<ConnectedRailAccount['adapter'], 'check'>
}

interface OutageDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly railAccounts: () => ReadonlyMap<string, Pick<RailAccount, 'downSince'>>
  readonly connect: (name: string) => WatchedConnection | undefined
  /** Called when the recovery of an operator could not be stored. */
  readonly onError: (error: unknown, railAccount: string) => void
}

interface OutageWatch {
  /**
   * Marks rail accounts that are down now, and starts probes of those that may be back. Does not wait for any
   * operator.
   */
  poll(): Promise<void>
  /** Stops all probes and reports; hanging probes are abandoned. */
  stop(): void
}

/** The limit of concurrent probes. One that hangs takes seconds; the others must not wait for it. */
export const TRIED_AT_ONCE_MAX = 8

/**
 * Tells all processes which operators do not answer, based on the circuit breakers of this one. A circuit that is not
 * closed marks its rail account as down, and a successful check of the credentials ends that. Without this probe
 * nobody might call the operator any more, because merchants see that it is down.
 */
export function createOutageWatch({ pool, clock, railAccounts, connect, onError }: OutageDeps): OutageWatch {
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
      // The least recently tried comes first: many that hang must not starve the others.
      .sort(([a], [b]) => lastTry(a) - lastTry(b))
    for (const [name, connection] of due.slice(0, TRIED_AT_ONCE_MAX - underWay.size)) void tryAgain(name, connection)
  }

  return {
    async poll() {
      const down = new Map<string, WatchedConnection>()
      for (const [name, { downSince }] of railAccounts()) {
        const connection = connect(name)
        if (!connection) continue
        const { state, since } = connection.circuit.state()
        // A half-open circuit does not mean recovery: a short open phase may begin and end between two polls.
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

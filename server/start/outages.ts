import type { Clock } from '../actions/ports/clock.ts'
import type { RailAccount } from '../domain/rail-account.ts'
import { markOutage } from '../storage/rail-accounts.ts'
import { saveCircuit } from '../storage/rail-circuits.ts'
import { wakePayouts } from '../storage/payout-waits.ts'
import type { Pool } from '../storage/pool.ts'
import type { CircuitState } from '../rails/circuit.ts'
import type { ConnectedRailAccount } from './connect-rail-account.ts'

export type WatchedConnection = Pick<ConnectedRailAccount, 'circuit' | 'retryAfterMs'> & {
  readonly adapter: Pick<ConnectedRailAccount['adapter'], 'check'>
}

interface OutageDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** The id of this process. */
  readonly processId: string
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
export function createOutageWatch({ pool, clock, processId, railAccounts, connect, onError }: OutageDeps): OutageWatch {
  const triedAt = new Map<string, number>()
  const underWay = new Set<string>()
  const store = storingCircuits(pool, processId)
  let isStopped = false

  const lastTry = (name: string): number => triedAt.get(name) ?? 0

  async function tryAgain(name: string, { adapter }: WatchedConnection): Promise<void> {
    triedAt.set(name, clock.now().getTime())
    underWay.add(name)
    try {
      const rows = await adapter.check({}).catch(() => [])
      const isBack = rows.length > 0 && rows.every(({ ok }) => ok)
      if (!isBack || isStopped) return
      await markOutage(pool, name, undefined)
      await wakePayouts(pool, name, clock.now())
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
        await store(name, connection)
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

const nextTryOf = ({ state, since }: CircuitState, retryAfterMs: number): Date | undefined =>
  state === 'open' ? new Date(since.getTime() + retryAfterMs) : undefined

/**
 * Stores circuits when they change, for other processes, which show them to people.
 * @returns a function to call as often as one likes
 */
function storingCircuits(pool: Pool, processId: string) {
  /** What is stored of each: nothing while it is closed. */
  const stored = new Map<string, string>()
  return async (name: string, { circuit, retryAfterMs }: WatchedConnection): Promise<void> => {
    const now = circuit.state()
    const key = now.state === 'closed' ? undefined : `${now.state} ${now.since.getTime()}`
    if (stored.get(name) === key) return
    await saveCircuit(pool, { railAccount: name, processId, ...now, nextTryAt: nextTryOf(now, retryAfterMs) })
    if (key === undefined) stored.delete(name)
    else stored.set(name, key)
  }
}

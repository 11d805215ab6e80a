import type { Clock } from '../actions/ports/clock.ts'
import type { Installation } from '../domain/installation.ts'
import { markOutage } from '../storage/rail-installations.ts'
import type { Pool } from '../storage/pool.ts'
import type { ConnectedInstallation } from './connect-installation.ts'

export interface OutageDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly installations: () => ReadonlyMap<string, Installation>
  readonly connect: (name: string) => ConnectedInstallation | undefined
}

/**
 * Tells all processes which operators do not answer, by the circuits of this one: an open circuit marks its installation,
 * and a call that tries the credentials ends that. Without it nobody might call any more, because merchants are told.
 * @returns looks once
 */
export function createOutageWatch({ pool, clock, installations, connect }: OutageDeps): () => Promise<void> {
  const triedAt = new Map<string, number>()

  async function isBack(name: string, connection: ConnectedInstallation): Promise<boolean> {
    const nowMs = clock.now().getTime()
    if (nowMs - (triedAt.get(name) ?? 0) < connection.retryAfterMs) return false
    triedAt.set(name, nowMs)
    const rows = await connection.adapter.check({}).catch(() => [])
    return rows.length > 0 && rows.every(({ ok }) => ok)
  }

  return async () => {
    for (const [name, { downSince }] of installations()) {
      const connection = connect(name)
      if (!connection) continue
      const { state, since } = connection.circuit.state()
      if (!downSince && state === 'open') await markOutage(pool, name, since)
      else if (downSince && state !== 'open' && (await isBack(name, connection)))
        await markOutage(pool, name, undefined)
    }
  }
}

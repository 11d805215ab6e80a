import type { Migration } from './migration-files.ts'
import { livingProcesses, GONE_AFTER_MS, type LivingProcess } from './processes.ts'
import type { Queryable } from './pool.ts'

const LOOK_EVERY_MS = 500
/** Connections do not say how old their last word is: those that are there for so long are alive. */
const LOOKS_AT_CONNECTIONS = 6
const LOOKS_MAX = GONE_AFTER_MS / LOOK_EVERY_MS + LOOKS_AT_CONNECTIONS

/** Processes that live and do not know the migration. */
export async function olderProcesses(
  client: Queryable,
  { name }: Pick<Migration, 'name'>,
): Promise<readonly LivingProcess[]> {
  return (await livingProcesses(client)).filter(({ knows }) => !knows.includes(name))
}

/** Waits until the older processes that did not end in good order count as ended, or one has spoken: it lives. */
export async function untilOlderHaveEnded(
  client: Queryable,
  migration: Migration,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const first = await olderProcesses(client, migration)
  const firstSeen = new Map(first.map(({ id, seenAt }) => [id, seenAt.getTime()]))
  for (let looks = 1; looks <= LOOKS_MAX; looks++) {
    await pause(LOOK_EVERY_MS)
    const older = await olderProcesses(client, migration)
    const speaks = ({ id, seenAt }: LivingProcess): boolean =>
      id === undefined ? looks >= LOOKS_AT_CONNECTIONS : seenAt.getTime() > (firstSeen.get(id) ?? -Infinity)
    if (older.length === 0 || older.some(speaks)) return
  }
}

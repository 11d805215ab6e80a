import type { Migration } from './migration-files.ts'
import { livingProcesses, GONE_AFTER_MS, type LivingProcess } from './processes.ts'
import type { Queryable } from './pool.ts'

const POLL_EVERY_MS = 500
/** One more than a killed process needs to time out. */
const POLLS_MAX = GONE_AFTER_MS / POLL_EVERY_MS + 1

/** The live processes that do not know the migration. */
export async function olderProcesses(
  client: Queryable,
  { name }: Pick<Migration, 'name'>,
): Promise<readonly LivingProcess[]> {
  return (await livingProcesses(client)).filter(({ knows }) => !knows.includes(name))
}

/**
 * Waits until all older processes are gone, including the killed ones, which only time out, or until one of them sends
 * a heartbeat and so is alive.
 */
export async function untilOlderHaveEnded(
  client: Queryable,
  migration: Migration,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const first = await olderProcesses(client, migration)
  const firstSeen = new Map(first.map(({ id, seenAt }) => [id, seenAt.getTime()]))
  for (let polls = 1; polls <= POLLS_MAX; polls++) {
    await pause(POLL_EVERY_MS)
    const older = await olderProcesses(client, migration)
    const speaks = ({ id, seenAt }: LivingProcess): boolean => seenAt.getTime() > (firstSeen.get(id) ?? -Infinity)
    if (older.length === 0 || older.some(speaks)) return
  }
}

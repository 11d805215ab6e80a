import { carryForward, type Entry, type Journal } from '../../../../openapi/operators/simulator/index.ts'
import type { Queryable } from '../../../storage/pool.ts'

/** Longer than any order waits, and than any payment may be late. */
const KEPT_MS = 7 * 24 * 60 * 60_000

/**
 * An operator's journal in the sandbox's schema, next to that of the simulated rail. Concurrent entries share one
 * statement.
 * @param session holds the lock: once it is lost nothing can be written any more
 * @param onBroken called when a write failed: this operator's memory is ahead of its journal, and it must
 * restart
 */
export async function openJournal(
  session: Queryable,
  operator: string,
  now: Date,
  onBroken: () => void,
): Promise<Journal> {
  const entries = await readEntries(session, operator, new Date(now.getTime() - KEPT_MS))
  let waiting: string[] = []
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await session.query(
        `insert into sandbox.operator_journal (operator, entry)
         select $1, value from json_array_elements($2) with ordinality order by ordinality`,
        [operator, `[${batch.join(',')}]`],
      )
    }
    writing = undefined
  }

  return {
    entries,
    append(entry) {
      waiting.push(JSON.stringify(entry))
      writing ??= writeAll()
      // Whoever awaits `kept()` gets the error.
      writing.catch(onBroken)
    },
    kept: () => writing ?? Promise.resolve(),
  }
}

/** Entries older than `before` are summed up, so that a sandbox does not store and read its whole history. */
async function readEntries(session: Queryable, operator: string, before: Date): Promise<readonly Entry[]> {
  const { rows } = await session.query<{ id: bigint; entry: Entry }>(
    'select id, entry from sandbox.operator_journal where operator = $1 order by id',
    [operator],
  )
  const entries = rows.map(({ entry }) => entry)
  const summed = carryForward(entries, before)
  if (!summed) return entries
  const places = new Set(summed.dropped)
  await session.query(
    `with summed as (delete from sandbox.operator_journal where id = any($2))
     insert into sandbox.operator_journal (operator, entry) values ($1, $3)`,
    [operator, rows.flatMap(({ id }, place) => (places.has(place) ? [id] : [])), JSON.stringify(summed.carried)],
  )
  return [...entries.filter((_, place) => !places.has(place)), summed.carried]
}

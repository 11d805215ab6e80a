import type { Entry, Journal } from '../../../openapi/operators/simulator/index.ts'
import type { Queryable } from '../../storage/pool.ts'

/**
 * An operator's book in the sandbox's schema, where the simulated rail has its own. What comes at the same moment is one
 * statement.
 * @param session of whoever holds the lock: once it is lost nothing can be written any more
 */
export async function openJournal(session: Queryable, operator: string): Promise<Journal> {
  const { rows } = await session.query<{ entry: Entry }>(
    'select entry from sandbox.operator_journal where operator = $1 order by id',
    [operator],
  )
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
    entries: rows.map(({ entry }) => entry),
    append(entry) {
      waiting.push(JSON.stringify(entry))
      writing ??= writeAll()
      // Whoever waits for it hears of it; the session's end is noticed by its owner.
      writing.catch(() => undefined)
    },
    kept: () => writing ?? Promise.resolve(),
  }
}

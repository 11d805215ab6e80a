import { expect, test } from 'vitest'
import type { WorkQueue } from '../actions/ports/work.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'
import { createPool, inTransaction, type Pool, type Queryable } from './pool.ts'
import { createStore } from './store.ts'
import { createWorkQueue, insertWork } from './work-items.ts'

const { connection } = await databaseTest()
const pool = createPool({ connection, connectionsMax: 1, onError: () => undefined })
await forFile(Promise.resolve({ end: () => pool.end() }))
// The PostgreSQL of the tests waits for no commit at all: here it does, as that of a gateway.
await pool.query('set synchronous_commit = on')
const now = new Date(Date.UTC(2026, 2, 1, 8))
const claim = { token: '1'.padStart(32, '0'), now, leaseUntil: new Date(now.getTime() + 30_000) }

async function commitOf(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ setting: string }>(`select current_setting('synchronous_commit') as setting`)
  return rows[0]?.setting
}

interface Kind {
  readonly kind: 'askRail' | 'deliverCallback'
  readonly take: (queue: WorkQueue) => Promise<readonly unknown[]>
}

test.each<Kind>([
  { kind: 'askRail', take: (queue) => queue.claim('askRail', claim, 10) },
  {
    kind: 'deliverCallback',
    take: (queue) => queue.claimFairly('deliverCallback', claim, 10, { each: 10, of: new Map() }),
  },
])('nobody waits for the commit of a claim ($kind); the next one on its connection is waited for', async (of) => {
  await inTransaction(pool, async (client) => {
    await insertWork(client, [{ kind: of.kind, subjectId: 7n, dueAt: now }])
    expect(await commitOf(client)).toBe('on')
    expect(await of.take(createWorkQueue(client as unknown as Pool))).toHaveLength(1)
    expect(await commitOf(client)).toBe('off')
  })
  expect(await commitOf(pool)).toBe('on')
})

test('a claim that a crash of PostgreSQL takes away leaves its work to others, and who had it does nothing', async () => {
  await pool.query('delete from work')
  await inTransaction(pool, (client) => insertWork(client, [{ kind: 'askRail', subjectId: 8n, dueAt: now }]))
  const queue = createWorkQueue(pool)
  const { rows } = await pool.query<{ due_at: Date; attempt: number }>('select due_at, attempt from work')
  const [lost] = await queue.claim('askRail', claim, 1)
  await pool.query('update work set due_at = $1, attempt = $2, token = null', [rows[0]?.due_at, rows[0]?.attempt])
  const [others] = await queue.claim('askRail', { ...claim, token: '2'.padStart(32, '0') }, 1)
  const held = await createStore(pool).transaction((unit) => unit.holdWork([lost!, others!]))
  expect(held).toEqual([others])
})

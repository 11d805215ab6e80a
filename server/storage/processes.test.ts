import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { noteQueueDelay, readQueueDelay, registerProcess } from './processes.ts'

const { pool } = await databaseTest()
const worker = (n: number) => ({ id: `00000000-0000-4000-8000-00000000000${n}`, role: 'worker', host: 'pay', pid: n })

test('reads the longest delay that a worker has noted, and none from an ended one', async () => {
  expect(await readQueueDelay(pool)).toBe(0)
  for (const n of [1, 2]) await registerProcess(pool, worker(n), [])
  await noteQueueDelay(pool, worker(1), 1_234.5)
  await noteQueueDelay(pool, worker(2), 700)
  expect(await readQueueDelay(pool)).toBe(1_235)
  await pool.query(`update processes set queue_delay_at = queue_delay_at - interval '3 s' where pid = 1`)
  expect(await readQueueDelay(pool)).toBe(700)
  await noteQueueDelay(pool, worker(2), 0)
  expect(await readQueueDelay(pool)).toBe(0)
})

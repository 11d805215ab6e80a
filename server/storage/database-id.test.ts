import { expect, test } from 'vitest'
import { databaseTest } from '../verification/testing/database-test.ts'
import { databaseId } from './database-id.ts'

const [one, other] = [await databaseTest(), await databaseTest()]

test('two databases have two ids, and so have copies of one', async () => {
  const ids = [await databaseId(one.pool), await databaseId(other.pool)]
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/^[0-9a-f]{16}$/)])
  expect(new Set(ids).size).toBe(2)
})

test('a database keeps its id when its secrets are resealed', async () => {
  const before = await databaseId(one.pool)
  await one.pool.query('update digest_key set sealed = $1', [Buffer.from('sealed with another key')])
  expect(await databaseId(one.pool)).toBe(before)
})

test('a database recreated under the same name has another id', async () => {
  const before = await databaseId(other.pool)
  await other.pool.query(`update digest_key set created_at = created_at + interval '1 second'`)
  expect(await databaseId(other.pool)).not.toBe(before)
})

import { expect, test } from 'vitest'
import { writeTemporaryFile } from '../storage/free-space.ts'
import { inTransaction, type Queryable } from '../storage/pool.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { fixedClock, startTestGateway } from '../verification/testing/gateway.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { TRY_WRITE_EVERY_MS } from './readiness.ts'

const { connection, pool } = await databaseTest()
const clock = fixedClock()
const gateway = await forFile(startTestGateway({ connection, surroundings: { clock } }))

const ready = async () => {
  const response = await fetch(`${gateway.url}/health/ready`)
  return [response.status, ((await response.json()) as { status: string }).status]
}
const NOT_READY = [503, 'the database takes no writes']

/** The same error as PostgreSQL's when its disk is full. */
const refuseWrites = (state: string) =>
  pool.query(`create or replace function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '${state}'; end $$;
    create or replace trigger refuse before insert or update on processes execute function refuse()`)
const takeWrites = () => pool.query('drop trigger if exists refuse on processes')

test.each([
  ['the disk is full', '53100'],
  ['the role may not write', '42501'],
  ['a file cannot be written', '58030'],
])('is not ready while %s, and is again afterwards', async (_what, state) => {
  clock.advance(TRY_WRITE_EVERY_MS)
  expect(await ready()).toEqual([200, 'ready'])
  await refuseWrites(state)
  clock.advance(TRY_WRITE_EVERY_MS)
  expect(await ready()).toEqual(NOT_READY)
  await takeWrites()
  clock.advance(TRY_WRITE_EVERY_MS)
  expect(await ready()).toEqual([200, 'ready'])
})

test.each(['transactions', 'transfers'])('is not ready while its role may not write %s', async (table) => {
  const role = (
    await pool.query<{ role: string }>(`select usename as role from pg_stat_activity
    where application_name like 'malipo%' and datname = current_database() and usename <> current_user limit 1`)
  ).rows[0]!.role
  await pool.query(`revoke insert on ${table} from ${role}`)
  expect(await ready()).toEqual(NOT_READY)
  await pool.query(`grant insert on ${table} to ${role}`)
  expect(await ready()).toEqual([200, 'ready'])
})

test('writes once however often the readiness is queried', async () => {
  await pool.query('create table writes (n int); grant all on writes to public')
  await pool.query(`create function count_write() returns trigger language plpgsql as $$
      begin insert into writes values (1); return new; end $$;
    create trigger count_write after update on processes for each row execute function count_write()`)
  clock.advance(TRY_WRITE_EVERY_MS)
  const before = (await pool.query('select from writes')).rowCount!
  await Promise.all(Array.from({ length: 50 }, ready))
  await ready()
  expect((await pool.query('select from writes')).rowCount! - before).toBe(1)
})

test('writes a temporary file to see whether the disk has space', async () => {
  const plans = await inTransaction(pool, async (client) => {
    const shown: string[] = []
    const explain = async (text: string): Promise<void> => {
      const isQuery = text.startsWith('select')
      const { rows } = await client.query(isQuery ? `explain (analyze, format json) ${text}` : text)
      if (isQuery) shown.push(JSON.stringify(rows))
    }
    await writeTemporaryFile({ query: explain } as unknown as Queryable)
    return shown
  })
  const [, blocks] = /"Temp Written Blocks":(\d+)/.exec(plans.join()) ?? []
  expect(Number(blocks)).toBeGreaterThanOrEqual(32)
})

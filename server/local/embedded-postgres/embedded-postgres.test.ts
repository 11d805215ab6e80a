import { expect, test } from 'vitest'
import { isAlive } from './processes.ts'
import { dataFolder, endWithEachTest, openHere, postmasterPid, query } from './testing/opened.ts'

// The other cases run in `npm run test:all` and by night: *.slow.test.ts, *.nightly.test.ts. `server/prepare-database.test.ts` takes a cluster over.

endWithEachTest()

const CLUSTER = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  data_checksums: 'on',
  server_encoding: 'UTF8',
  listen_addresses: '',
  TimeZone: 'UTC',
  password_encryption: 'scram-sha-256',
}

test('creates a durable cluster behind a password, stops it, and finds its data again', async () => {
  const dataDir = dataFolder()
  const first = await openHere({ dataDir, settings: {} })
  expect(first.events.map(({ type }) => type)).toEqual(['initialised', 'started'])
  const settings = Object.keys(CLUSTER).map((name) => `current_setting('${name}') as "${name}"`)
  expect(await query(first, `select ${settings.join(', ')}`)).toEqual([CLUSTER])
  expect(
    await query(first, 'select datlocprovider, datlocale from pg_database where datname = current_database()'),
  ).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }])
  await expect(query({ connection: { ...first.connection, password: 'wrong' } }, 'select 1')).rejects.toMatchObject({
    code: '28P01',
  })
  await query(first, 'create table kept as select 42 as answer')
  const pid = postmasterPid(dataDir)!
  await first.stop()
  await first.stop()
  expect(await isAlive(pid)).toBe(false)
  const second = await openHere({ dataDir, settings: {} })
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(second.events.map(({ type }) => type)).toEqual(['started'])
})

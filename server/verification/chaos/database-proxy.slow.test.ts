import pg from 'pg'
import { expect, test } from 'vitest'
import { startDatabaseProxy } from './database-proxy.ts'
import { until } from './patience.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'

const { connection } = await databaseTest()
const proxy = await forFile(startDatabaseProxy(connection))
const direct = await forFile(connected(connection))
await direct.query('create table seen (name text)')

async function connected(to: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(to)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const through = () => connected({ ...connection, host: '127.0.0.1', port: proxy.port })

const isSeen = async (name: string) => (await direct.query('select from seen where name = $1', [name])).rowCount === 1

// What is cut is shown by lost-commits.test.ts and database-client.test.ts.

async function commitOf(name: string): Promise<'committed' | 'lost'> {
  const client = await through()
  await client.query('begin')
  await client.query('insert into seen values ($1)', [name])
  return client.query('commit').then(
    async () => {
      await client.end()
      return 'committed' as const
    },
    () => 'lost' as const,
  )
}

test('others see a commit whose reply is stalled before its sender does', async () => {
  proxy.disturbCommits({ what: 'reply stalled', ms: 3_000 }, 1)
  let received = false
  const commit = commitOf('reply stalled').finally(() => {
    received = true
  })
  await until(() => isSeen('reply stalled'), 60_000, 'it is seen')
  expect(received).toBe(false)
  expect(await commit).toBe('committed')
})

test('a stall holds back open and new connections, and then they go on', async () => {
  const client = await through()
  const stalled = proxy.stall(1_000)
  let answered = 0
  const requested = [client.query('select'), through().then((other) => other.end())].map((each) =>
    each.then(() => {
      answered += 1
    }),
  )
  await direct.query('select')
  expect(answered).toBe(0)
  await stalled
  await Promise.all(requested)
  await client.end()
})

test('a planned fault ends with its plan', async () => {
  proxy.disturbCommits({ what: 'commit cut' }, 1).end()
  expect(await commitOf('after the plan')).toBe('committed')
})

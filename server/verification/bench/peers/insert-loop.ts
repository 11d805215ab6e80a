import { randomInt } from 'node:crypto'
import pg from 'pg'
import { CONNECTIONS } from '../load.ts'
import { COLUMNS, VALUES } from './peer-row.ts'

const SQL = `insert into bench_peer (${COLUMNS}) values (${VALUES.replaceAll(':reference', '$1::text').replaceAll(':number', '$2::text')})`

/**
 * Replaces pgbench where it is missing. It uses far more processor time per insert, so a ratio against it looks too
 * good
 * and is labelled as such.
 */
export async function runInsertLoop(connection: pg.PoolConfig, seconds: number): Promise<{ perSecond: number }> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  const run = randomInt(1_000_000_000)
  const startedAt = performance.now()
  let inserted = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - startedAt < seconds * 1000) {
        const count = inserted++
        await client.query({
          name: 'insert',
          text: SQL,
          values: [`${run}-${count}`, String(1_000_000 + (count % 9_000_000))],
        })
      }
    }),
  )
  const perSecond = inserted / ((performance.now() - startedAt) / 1000)
  await Promise.all(clients.map((client) => client.end()))
  return { perSecond }
}

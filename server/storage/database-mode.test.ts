import { tmpdir } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { smallerByDefault } from '../verification/testing/nightly.ts'
import { createTestDatabase, type TestDatabase } from '../verification/testing/database.ts'
import { LIVE_ENV, startTestGateway, MASTER_KEY } from '../verification/testing/gateway.ts'
import { runCli } from '../verification/testing/served-gateway.ts'
import { databaseMode, WrongMode, type DatabaseMode } from './database-mode.ts'
import { examine } from '../admin/queries/doctor.ts'
import { migrate } from './migrate.ts'
import { createPool, type Pool } from './pool.ts'

const opened: { readonly database: TestDatabase; readonly pool: Pool }[] = []
afterEach(async () => {
  for (const { database, pool } of opened.splice(0)) {
    await pool.end()
    await database.drop()
  }
})

async function openDatabase(template?: 'template0') {
  const database = await createTestDatabase(template)
  const pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
  opened.push({ database, pool })
  const { host, port, user, password, database: name } = database.connection
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  return { ...database, pool, env: { DATABASE_URL: url, MALIPO_MASTER_KEY: MASTER_KEY } }
}

describe('a database knows its mode', () => {
  test.each<DatabaseMode>(['sandbox', 'rehearsal', 'live'])(
    'from its first migration on: that of the process that made it (%s)',
    async (mode) => {
      const { connection, pool } = await openDatabase('template0')
      expect(await databaseMode(pool)).toBeUndefined()
      await migrate(connection, mode)
      expect(await databaseMode(pool)).toBe(mode)
      expect(await migrate(connection, mode)).toEqual([])
    },
  )
})

describe('a process of the other mode refuses to start', () => {
  // Repeated, because the interleaving of the processes is up to the scheduler.
  test.each(Array.from({ length: smallerByDefault('starts at the same moment', 1, 10) }, (_, n) => n + 1))(
    'of four concurrent starts on a new database one mode wins, others refuse (%i)',
    async () => {
      const { connection, pool } = await openDatabase('template0')
      const modes = ['sandbox', 'live', 'sandbox', 'live'] as const
      const started = await Promise.allSettled(modes.map((mode) => migrate(connection, mode)))
      const won = await databaseMode(pool)
      for (const result of started) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(WrongMode)
      expect(started.map(({ status }) => status)).toEqual(
        modes.map((mode) => (mode === won ? 'fulfilled' : 'rejected')),
      )
    },
  )

  test.each(['all', 'api', 'worker'] as const)(
    'a server of role %s without MALIPO_MODE does nothing to a live database',
    async (role) => {
      const { connection, pool } = await openDatabase('template0')
      await migrate(connection, 'live')
      await expect(startTestGateway({ connection, surroundings: { role } })).rejects.toThrow(
        new WrongMode('live', 'sandbox'),
      )
      const { rows } = await pool.query(
        'select from merchants union all select from providers union all select from rsa_keys',
      )
      expect(rows).toEqual([])
    },
  )

  test('a live server refuses the database of a sandbox', async () => {
    const { connection } = await openDatabase()
    await expect(startTestGateway({ connection, env: LIVE_ENV })).rejects.toThrow(new WrongMode('sandbox', 'live'))
  })

  test.each([
    ['rehearsal', 'live'],
    ['rehearsal', 'sandbox'],
    ['live', 'rehearsal'],
    ['sandbox', 'rehearsal'],
  ] as const)('a %s database never becomes a %s one', async (ofDatabase, ofProcess) => {
    const { connection } = await openDatabase('template0')
    await migrate(connection, ofDatabase)
    const env = ofProcess === 'live' ? LIVE_ENV : { MALIPO_MODE: ofProcess }
    await expect(startTestGateway({ connection, env })).rejects.toThrow(new WrongMode(ofDatabase, ofProcess))
  })

  test('says what to do, whichever command it was', async () => {
    const { connection, env } = await openDatabase('template0')
    await migrate(connection, 'live')
    const text = [
      'malipo: this database belongs to live mode, and this process runs in sandbox mode (MALIPO_MODE is sandbox, or not set): nothing was done.',
      'Set MALIPO_MODE=live to work on it; a sandbox needs a database of its own (DATABASE_URL, or MALIPO_DATA_DIR for the embedded one).',
    ].join('\n')
    for (const command of [
      ['serve'],
      ['serve', '--role', 'worker'],
      ['migrate'],
      ['doctor'],
      ['merchant', 'create', 'Duka'],
      ['transaction', 'list'],
    ]) {
      await expect(runCli(command, tmpdir(), { ...env, PORT: '0' }), command.join(' ')).rejects.toThrow(
        `malipo ${command.join(' ')} ended with 1: ${text}`,
      )
    }
    expect(await runCli(['merchant', 'list', '--json'], tmpdir(), { ...env, ...LIVE_ENV })).toBe('[]\n')
  })
})

describe('doctor', () => {
  const verdict = async (pool: Pool) => {
    const { found, examples } = (await examine(pool, new Date())).find(({ name }) => name === 'mode_known')!
    return { found, examples }
  }

  test('finds what a sandbox process left in a live database', async () => {
    const { pool } = await openDatabase()
    expect(await verdict(pool)).toEqual({ found: 0, examples: [] })
    await pool.query(`update database_mode set mode = 'live'`)
    await pool.query(
      `insert into sandbox.orders (reference, account, amount_minor, currency, tries)
       values ('MLPX', '256772000123', 3000000, 'UGX', 1)`,
    )
    expect(await verdict(pool)).toEqual({
      found: 2,
      examples: [
        'merchant 1 (pub_sandbox_demo) is the demo merchant',
        'the simulator got MLPX of 3000000 UGX (minor units)',
      ],
    })
  })

  test('finds a database that lost its mode', async () => {
    const { pool } = await openDatabase()
    await pool.query('delete from database_mode')
    expect(await verdict(pool)).toEqual({ found: 1, examples: ['the table database_mode is empty'] })
    await expect(databaseMode(pool)).rejects.toThrow('does not know its mode any more')
  })
})

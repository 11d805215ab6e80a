import { describe, expect, test } from 'vitest'
import { malipoAmongOthers } from '../admin/cli/testing/command-line.ts'
import { environmentOf } from '../admin/cli/testing/operated-gateway.ts'
import { examine } from '../admin/queries/doctor.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { LIVE_ENV, startTestGateway } from '../verification/testing/gateway.ts'
import { smallerByDefault } from '../verification/testing/nightly.ts'
import { databaseMode, WrongMode, type DatabaseMode } from './database-mode.ts'
import { migrate } from './migrate.ts'
import type { Pool } from './pool.ts'

const open = (template?: 'template0') => databaseTest({ connectionsMax: 2, ...(template && { template }) })

/** An empty database that a process of this mode has migrated. */
async function migratedBy(mode: DatabaseMode) {
  const database = await open('template0')
  await migrate(database.connection, mode)
  return database
}
const databases = {
  sandbox: await open(),
  rehearsal: await migratedBy('rehearsal'),
  live: await migratedBy('live'),
}

test.each(['sandbox', 'rehearsal', 'live'] as const)('a database knows the mode that made it: %s', async (mode) => {
  const { connection, pool } = databases[mode]
  expect(await databaseMode(pool)).toBe(mode)
  expect(await migrate(connection, mode)).toEqual([])
})

describe('a process of the other mode refuses to start', () => {
  // Repeated, because the interleaving of the processes is up to the scheduler.
  test.each(Array.from({ length: smallerByDefault('starts at the same moment', 1, 10) }, (_, n) => n + 1))(
    'of four concurrent starts on a new database one mode wins, others refuse (%i)',
    async () => {
      const { connection, pool } = await open('template0')
      expect(await databaseMode(pool)).toBeUndefined()
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
      const { connection, pool } = databases.live
      await expect(startTestGateway({ connection, surroundings: { role } })).rejects.toThrow(
        new WrongMode('live', 'sandbox'),
      )
      const { rows } = await pool.query(
        'select from merchants union all select from providers union all select from rsa_keys',
      )
      expect(rows).toEqual([])
    },
  )

  test.each([
    ['sandbox', 'live'],
    ['rehearsal', 'live'],
    ['rehearsal', 'sandbox'],
    ['live', 'rehearsal'],
    ['sandbox', 'rehearsal'],
  ] as const)('a %s database never becomes a %s one', async (ofDatabase, ofProcess) => {
    const { connection } = databases[ofDatabase]
    const env = ofProcess === 'live' ? LIVE_ENV : { MALIPO_MODE: ofProcess }
    await expect(startTestGateway({ connection, env })).rejects.toThrow(new WrongMode(ofDatabase, ofProcess))
  })

  test('says what to do, whichever command it was', async () => {
    const { runtime: _unused, ...owner } = databases.live.connection
    const env = environmentOf({ ...databases.live, connection: owner })
    const err = [
      'malipo: this database belongs to live mode, and this process runs in sandbox mode (MALIPO_MODE is sandbox, or not set): nothing was done.',
      'Set MALIPO_MODE=live to work on it; a sandbox needs a database of its own (DATABASE_URL, or MALIPO_DATA_DIR for the embedded one).\n',
    ].join('\n')
    for (const command of [
      'serve',
      'serve --role worker',
      'migrate',
      'doctor',
      'merchant create Duka',
      'transaction list',
    ])
      expect(await malipoAmongOthers(command.split(' '), env), command).toEqual({ code: 1, out: '', err })
    expect(await malipoAmongOthers(['merchant', 'list', '--json'], { ...env, ...LIVE_ENV })).toMatchObject({
      code: 0,
      out: '[]\n',
    })
  })
})

describe('doctor', () => {
  const verdict = async (pool: Pool) => {
    const { found, examples } = (await examine(pool, new Date())).find(({ name }) => name === 'mode_known')!
    return { found, examples }
  }

  test('finds what a sandbox process left in a live database', async () => {
    const { pool } = await open()
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
    const { pool } = await open()
    await pool.query('delete from database_mode')
    expect(await verdict(pool)).toEqual({ found: 1, examples: ['the table database_mode is empty'] })
    await expect(databaseMode(pool)).rejects.toThrow('does not know its mode any more')
  })
})

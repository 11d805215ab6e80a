import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { present } from '../domain/present.ts'
import { openEmbeddedPostgres, type Connection } from '../local/embedded-postgres/embedded-postgres.ts'
import { testNightly } from '../verification/testing/nightly.ts'
import { databaseUrl } from '../verification/testing/database.ts'
import { gatewayProcesses } from '../verification/testing/gateway-processes.ts'
import { MASTER_KEY } from '../verification/testing/gateway.ts'
import { startLoad } from '../verification/testing/payment-load.ts'
import { runCli, until } from '../verification/testing/served-gateway.ts'
import { run } from './testing/tools.ts'

// The recovery drill of the guide: a base backup and a WAL archive, made while payments run, are restored to a chosen
// point in time. Everything acknowledged until then is there, nothing after it is, and the doctor reports no findings.

/** Far more payments than needed for the backup to fall in the middle of them. */
const PAYMENTS = 40
const ARCHIVED_MS_MAX = 30_000
const WITH_ARCHIVE = {
  archive_mode: 'on',
  archive_command: 'mkdir -p archive && cp %p archive/%f.part && mv archive/%f.part archive/%f',
}

const { start, end, folder } = gatewayProcesses()

const gatewayOn = (connection: Connection) => start({ dataDir: folder, env: environmentOf(connection) })
const environmentOf = (connection: Connection) => ({
  DATABASE_URL: databaseUrl(connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
  MALIPO_SANDBOX_DELAY_MS: '100',
})

/** Copies the running cluster as pg_basebackup does, which the PostgreSQL from npm does not include. */
async function baseBackup(admin: pg.Client, from: string, to: string): Promise<void> {
  await admin.query("select pg_backup_start('drill', true)")
  await mkdir(to)
  const without = ['postgres/postmaster.pid', 'postgres/pg_wal/*', 'postgres/archive', 'owner.json'].map(
    (path) => `--exclude=./${path}`,
  )
  // Files may change or disappear while they are read: the WAL makes up for that.
  const packed = join(folder, 'base.tar')
  expect((await run('tar', ['-C', from, ...without, '-cf', packed, '.'])).code).not.toBe(2)
  const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  expect(await run('tar', ['-C', to, '-xpf', packed])).toMatchObject({ code: 0 })
  await asOwner(to, 'backup_label', present(rows[0], 'the label of the backup').labelfile)
}

/** A file of the cluster, owned by the user who owns the cluster. */
async function asOwner(cluster: string, name: string, text: string): Promise<void> {
  const path = join(cluster, 'postgres', name)
  await writeFile(path, text, { mode: 0o600 })
  expect(await run('chown', ['--reference', join(cluster, 'postgres', 'PG_VERSION'), path])).toMatchObject({ code: 0 })
}

/** Archives the WAL up to now. */
async function archived(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
  const last = present(rows[0], 'a piece of the log').file
  await until(
    async () => {
      const reported = await admin.query<{ file: string | null }>(
        'select last_archived_wal as file from pg_stat_archiver',
      )
      return (reported.rows[0]?.file ?? '') >= last
    },
    ARCHIVED_MS_MAX,
    'the log is archived',
  )
}

/** Recovers the cluster to that point in time and promotes it. */
async function restored(to: string, moment: string): Promise<Connection> {
  await asOwner(to, 'recovery.signal', '')
  const postgres = await openEmbeddedPostgres({
    dataDir: to,
    role: 'owner',
    settings: {
      restore_command: 'cp archive/%f %p',
      recovery_target_time: moment,
      recovery_target_action: 'promote',
      hot_standby: 'off', // no client connects before the recovery is complete
    },
  })
  onTestFinished(() => postgres.stop())
  return postgres.connection
}

testNightly('backup and log archive restore a chosen moment with all that was acknowledged', async () => {
  const [original, copy] = [join(folder, 'original'), join(folder, 'copy')]
  const postgres = await openEmbeddedPostgres({ dataDir: original, role: 'owner', settings: WITH_ARCHIVE })
  const gateway = await gatewayOn(postgres.connection)
  const admin = new pg.Client({
    ...postgres.connection,
    user: 'malipo',
    password: (await readFile(join(original, 'postgres-password'), 'utf8')).trim(),
  })
  await admin.connect()
  const load = startLoad({ url: gateway.url, clients: 4 })
  const acknowledged = (count: number) =>
    until(() => load.acknowledged.size >= count, 60_000, `${count} payments are acknowledged`)

  await acknowledged(PAYMENTS)
  await baseBackup(admin, original, copy)
  await acknowledged(load.acknowledged.size + PAYMENTS)
  const before = [...load.acknowledged.keys()]
  const { rows } = await admin.query<{ moment: string }>('select clock_timestamp()::text as moment')
  await acknowledged(load.acknowledged.size + PAYMENTS)
  await load.stop()
  expect(load.faults).toEqual([])
  await archived(admin)
  await admin.end()
  await end(gateway, 'SIGTERM')
  await postgres.stop()
  expect(await run('cp', ['-a', join(original, 'postgres/archive'), join(copy, 'postgres/archive')])).toMatchObject({
    code: 0,
  })

  const connection = await restored(copy, present(rows[0], 'the moment').moment)
  const client = new pg.Client(connection)
  await client.connect()
  const stored = await client.query<{ reference: string }>('select merchant_reference as reference from transactions')
  await client.end()
  const there = new Set(stored.rows.map(({ reference }) => reference))
  expect(before.filter((reference) => !there.has(reference))).toEqual([])
  expect(there.size).toBeLessThan(load.acknowledged.size)

  const env = environmentOf(connection)
  expect(await runCli(['doctor', '--full'], folder, env)).toContain('Clean: ')
  // The restored database continues: open payments are carried out.
  const again = await gatewayOn(connection)
  const nothingPends = async () =>
    !(await runCli(['transaction', 'list', '--status', 'PENDING', '--json'], folder, env)).includes('LOAD-')
  await until(nothingPends, 60_000, 'nothing is pending')
  await end(again, 'SIGTERM')
  expect(await runCli(['doctor', '--full'], folder, env)).toContain('Clean: ')
})

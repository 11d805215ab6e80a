import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDataFolder } from '../../local/embedded-postgres/data-folder.ts'
import { chooseLauncher } from '../../local/embedded-postgres/postgres-binaries.ts'
import { superuserIn } from './database-url.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { until } from './served-gateway.ts'

/** A PostgreSQL in recovery, with the databases and users that another one had at a certain moment. */
export interface Standby {
  readonly connection: OwnPostgres['connection']
  /** Promotes it: it accepts writes from now on. */
  promote(): Promise<void>
  remove(): Promise<void>
}

const ANSWERS_MS_MAX = 20_000

/**
 * Copies it while it is stopped for a moment. Nothing is replicated after that: the copy only waits for its promotion.
 */
export async function startStandbyOf(primary: OwnPostgres): Promise<Standby> {
  const dataDir = await mkdtemp(join(tmpdir(), 'malipo-standby-'))
  const folder = await openDataFolder(dataDir)
  await primary.stop()
  // The owner of the files does not change.
  await promisify(execFile)('cp', ['-a', join(primary.dataDir, 'postgres'), folder.cluster])
  await primary.start()
  await copyFile(join(primary.dataDir, 'postgres-password'), folder.passwordFile)
  await writeFile(join(folder.cluster, 'standby.signal'), '')
  const launcher = await chooseLauncher(folder)
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder.cluster}`,
    'huge_pages=off',
    'fsync=off',
    'cluster_name=standby',
  ]
  const process = launcher.start(
    'postgres',
    folder.cluster,
    settings.flatMap((setting) => ['-c', setting]),
    {
      stdio: 'ignore',
    },
  )
  const ended = once(process, 'exit')
  const connection = { ...primary.connection, host: folder.cluster }
  const superuser = await superuserIn(dataDir)
  const request = async (text: string): Promise<pg.QueryResult<Record<string, unknown>>> => {
    const client = new pg.Client({ ...connection, ...superuser })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await client.query(text)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  const isInRecovery = (): Promise<boolean | undefined> =>
    request('select pg_is_in_recovery() as yes').then(
      ({ rows: [row] }) => row?.['yes'] === true,
      () => undefined,
    )
  await until(async () => (await isInRecovery()) === true, ANSWERS_MS_MAX, 'the standby answers')
  return {
    connection,
    async promote() {
      await request('select pg_promote()')
    },
    async remove() {
      process.kill('SIGINT')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

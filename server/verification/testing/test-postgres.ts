import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, isPostgresOf, signal } from '../../local/embedded-postgres/processes.ts'
import { postmasterIn } from './postmaster.ts'

/** For the PostgreSQL of a test run, which loses nothing that matters in a crash. */
export const TEST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The pages of a clone would be compressed one by one if it were logged.
  wal_compression: 'off',
  max_wal_size: '256MB',
} as const

/**
 * Creates a database as a clone. Copied as files it takes 160 ms of PostgreSQL's processor time on ext4 and 20 ms in
 * memory. Logged page by page, which is the default, it takes 335 and 160 ms with compression, 195 and 26 ms without.
 */
export const cloneStatement = (database: string, template: string): string =>
  `create database ${database} template ${template} strategy file_copy`

const MEMORY = '/dev/shm'
/** A run uses a tenth of this. */
const MEMORY_BYTES_MIN = 2 * 1024 ** 3

/** A new folder in memory where there is plenty of it, else in the temporary folder. The caller removes it. */
export async function postgresFolder(): Promise<string> {
  const home = (await memoryBytes()) < MEMORY_BYTES_MIN ? tmpdir() : MEMORY
  await removeAbandoned(home)
  return mkdtemp(join(home, `malipo-tests-${process.pid}-`))
}

const memoryBytes = (): Promise<number> =>
  statfs(MEMORY).then(
    ({ bavail, bsize }) => Math.min(bavail * bsize, freemem()),
    () => 0,
  )

/** A killed run leaves its folder and its PostgreSQL. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const run = /^malipo-tests-(\d+)-/.exec(name)?.[1]
    if (run === undefined || (await isAlive(Number(run)))) continue
    const folder = join(home, name)
    const pid = await postmasterIn(join(folder, 'postgres'))
    if (pid !== undefined && (await isPostgresOf(pid, join(folder, 'postgres'), folder))) signal(pid, 'SIGQUIT')
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

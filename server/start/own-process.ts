import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DatabaseMode } from '../storage/database-mode.ts'
import { readMigrations } from '../storage/migration-files.ts'
import { migrate } from '../storage/migrate.ts'
import { NewerDatabase } from '../storage/newer-database.ts'
import { available, type Pool } from '../storage/pool.ts'
import type { Owner } from '../storage/runtime-rights.ts'
import { processText, removeProcess, renewProcess, type ProcessIdentity } from '../storage/processes.ts'
import type { Surroundings } from './surroundings.ts'

/** What other processes hear of this one, so that none of them changes the database under it. */
export interface OwnProcess {
  /** Says that it is there. @throws NewerDatabase when it must not go on: the database was changed under it */
  renew(pool: Pool): Promise<void>
  /** What it must not go on for, once it has heard of it: it stood still while others changed the database. */
  outlived(): NewerDatabase | undefined
  /** Says that it has ended. When the database is away, others find out by themselves. */
  leave(pool: Pool): Promise<void>
}

/**
 * Migrates, and makes this process known. What must wait for older processes is left to `malipo migrate`, or to the
 * next start, where this version works without it.
 */
export async function bringUpToDate(
  { connection, runtimeRole }: Owner,
  mode: DatabaseMode,
  { role, logger }: Surroundings,
): Promise<OwnProcess> {
  // Not of the chance that tests give: two gateways with one seed are two processes.
  const as: ProcessIdentity = { id: randomUUID(), role, host: hostname(), pid: process.pid }
  const migrations = await readMigrations()
  const knows = migrations.map(({ name }) => name)
  const applied = await migrate(connection, mode, {
    migrations,
    as,
    ...(runtimeRole !== undefined && { grantTo: runtimeRole }),
    onPutOff: ({ file, processes }) =>
      logger.info({ migration: file, olderProcesses: processes.map(processText) }, 'a migration waits until they end'),
  })
  if (applied.length > 0) logger.debug({ applied }, 'database migrated')
  let newer: NewerDatabase | undefined
  return {
    async renew(pool) {
      try {
        await available(() => renewProcess(pool, as, knows))
      } catch (error) {
        if (error instanceof NewerDatabase) newer = error
        throw error
      }
    },
    outlived: () => newer,
    leave: (pool) => removeProcess(pool, as).catch(() => undefined),
  }
}

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DatabaseMode } from '../storage/database-mode.ts'
import { readMigrations } from '../storage/migration-files.ts'
import { migrate } from '../storage/migrate.ts'
import { NewerDatabase } from '../storage/newer-database.ts'
import { available, type Pool } from '../storage/pool.ts'
import type { Owner } from '../storage/runtime-rights.ts'
import { noteQueueDelay, processText, removeProcess, renewProcess, type ProcessIdentity } from '../storage/processes.ts'
import type { StartEnvironment } from './surroundings.ts'

/** What other processes know about this one, so that none of them migrates the database while it runs. */
export interface OwnProcess {
  readonly id: string
  /**
   * Heartbeat of this process.
   * @throws NewerDatabase when it must not continue: the database was migrated meanwhile
   */
  renew(pool: Pool): Promise<void>
  /**
   * Why it must not continue, once `renew` has found out: others migrated the database while this process was
   * suspended.
   */
  outlived(): NewerDatabase | undefined
  /** Notes for other processes how long due jobs wait. When the database is down, they hear nothing. */
  noteQueueDelay(pool: Pool, delayMs: number): Promise<void>
  /** Reports that the process has ended. When the database is down, others find out by themselves. */
  deregister(pool: Pool): Promise<void>
}

/**
 * Migrates, and registers this process. A migration that must wait for older processes is left to `malipo migrate`, or
 * to the next start, if this version works without it.
 */
export async function bringUpToDate(
  { connection, runtimeRole }: Owner,
  mode: DatabaseMode,
  { role, logger }: StartEnvironment,
): Promise<OwnProcess> {
  // Not from the injected random source: two test gateways with one seed are two processes.
  const as: ProcessIdentity = { id: randomUUID(), role, host: hostname(), pid: process.pid }
  const migrations = await readMigrations()
  const knows = migrations.map(({ name }) => name)
  const applied = await migrate(connection, mode, {
    migrations,
    as,
    ...(runtimeRole !== undefined && { grantTo: runtimeRole }),
    onDelayed: ({ file, processes }) =>
      logger.info({ migration: file, olderProcesses: processes.map(processText) }, 'a migration waits until they end'),
  })
  if (applied.length > 0) logger.debug({ applied }, 'database migrated')
  let newer: NewerDatabase | undefined
  return {
    id: as.id,
    async renew(pool) {
      try {
        await available(() => renewProcess(pool, as, knows))
      } catch (error) {
        if (error instanceof NewerDatabase) newer = error
        throw error
      }
    },
    outlived: () => newer,
    noteQueueDelay: (pool, delayMs) => noteQueueDelay(pool, as, delayMs).catch(() => undefined),
    deregister: (pool) => removeProcess(pool, as).catch(() => undefined),
  }
}

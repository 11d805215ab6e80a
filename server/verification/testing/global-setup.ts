import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { TEMPLATE } from './database.ts'
import { ensureMonths, monthsAhead } from '../../storage/months.ts'
import { createPool } from '../../storage/pool.ts'
import { fixedClock, startTestGateway } from './gateway.ts'
import { postgresFolder, TEST_SETTINGS } from './test-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this test run, and the database that each test file clones. */
    postgres: { readonly host: string; readonly port: number; readonly user: string; readonly password: string }
    /** The role without DDL that the servers of the embedded PostgreSQL log in as. */
    postgresRuntime: { readonly user: string; readonly password: string }
    /** Its data folder: the gateway's role may not query it. */
    postgresFolder: string
    /** Removed at the end of the run: what one test file makes for others. */
    runFolder: string
  }
}

/** Shared between two projects of one run: each loads this file for itself. */
const SHARED = Symbol.for('malipo.tests.postgres')
const run = globalThis as { [SHARED]?: { readonly opened: Promise<SharedPostgres>; users: number } }

interface SharedPostgres {
  readonly folder: string
  readonly runFolder: string
  readonly connection: ProvidedContext['postgres']
  readonly runtime: ProvidedContext['postgresRuntime']
  close(): Promise<void>
}

/** One real PostgreSQL for the run, started by whichever project comes first and stopped by the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (run[SHARED] ??= { opened: open(), users: 0 })
  shared.users++
  const { folder, runFolder, connection, runtime, close } = await shared.opened
  project.provide('postgresFolder', folder)
  project.provide('runFolder', runFolder)
  project.provide('postgres', connection)
  project.provide('postgresRuntime', runtime)
  return async () => {
    if (--shared.users > 0) return
    delete run[SHARED]
    await close()
  }
}

/** The gateway itself migrates and seeds the template once; each test file clones it. */
async function open(): Promise<SharedPostgres> {
  // Hundreds of processes start from the same sources; those of a test run compile them once.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../dist/compile-cache/', import.meta.url))
  const runFolder = await mkdtemp(join(tmpdir(), 'malipo-test-run-'))
  const folder = await postgresFolder()
  // Tests that judge durability start a server of their own with fsync on; the others would lose nothing in a crash.
  const postgres = await openEmbeddedPostgres({
    dataDir: folder,
    role: 'owner',
    mayMakeDatabases: true,
    // Autovacuum reads pages at times of its own, which tests that count them would take for a query's.
    settings: { ...TEST_SETTINGS, max_connections: '300', autovacuum: 'off' },
  })
  const { host, port, user, password } = postgres.connection
  const admin = new pg.Client({ ...postgres.connection })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const runtime = { user: postgres.runtime.user, password: postgres.runtime.password }
  const gateway = await startTestGateway({ connection: { host, port, user, password, database: TEMPLATE, runtime } })
  // The partitions of the time that most tests use; the start has already made those of the current time.
  const now = fixedClock().now()
  await gateway.stop()
  const asOwner = createPool({
    connection: { host, port, user, password, database: TEMPLATE },
    connectionsMax: 1,
    onError: () => undefined,
  })
  await ensureMonths(asOwner, monthsAhead(now, 1), now)
  await asOwner.end()
  return {
    folder,
    runFolder,
    connection: { host, port, user, password },
    runtime,
    async close() {
      await postgres.stop()
      for (const each of [folder, runFolder]) await rm(each, { recursive: true, force: true })
    },
  }
}

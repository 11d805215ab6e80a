import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import type { TestDatabase } from './database.ts'
import { startTestGateway } from './gateway.ts'

export interface ScratchDatabases {
  /** An empty, migrated database of its own. */
  create(): Promise<TestDatabase['connection']>
  close(): Promise<void>
}

const TEMPLATE = 'contract_tests_template'
/** A crash loses nothing that matters here. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' }

/** A PostgreSQL of our own in a temporary folder, for as many gateways as there are parts. */
export async function startScratchDatabases(): Promise<ScratchDatabases> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-contract-tests-'))
  const postgres = await openEmbeddedPostgres({
    dataDir: folder,
    role: 'owner',
    mayMakeDatabases: true,
    settings: SETTINGS,
  })
  const { host, port, user, password } = postgres.connection
  let count = 0
  const asAdmin = async (statement: string): Promise<void> => {
    const admin = new pg.Client({ host, port, user, password, database: 'postgres' })
    await admin.connect()
    try {
      await admin.query(statement)
    } finally {
      await admin.end()
    }
  }
  const create = async (name: string, template: string) => {
    await asAdmin(`create database ${name} template ${template}`)
    return { host, port, user, password, database: name }
  }
  // The gateway itself migrates and seeds it once.
  await (await startTestGateway({ connection: await create(TEMPLATE, 'template0') })).stop()
  return {
    create: () => create(`contract_tests_${++count}`, TEMPLATE),
    close: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

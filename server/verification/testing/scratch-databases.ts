import { rm } from 'node:fs/promises'
import { openEmbeddedPostgres } from '../../local/embedded-postgres/embedded-postgres.ts'
import { asOwner, type TestDatabase } from './database.ts'
import { startTestGateway } from './gateway.ts'
import { cloneStatement, postgresFolder, TEST_SETTINGS } from './test-postgres.ts'

export interface ScratchDatabases {
  /** An empty, migrated database of its own. */
  create(): Promise<TestDatabase['connection']>
  close(): Promise<void>
}

const TEMPLATE = 'contract_tests_template'

/** A PostgreSQL of our own in a temporary folder, for as many gateways as there are parts. */
export async function startScratchDatabases(): Promise<ScratchDatabases> {
  const folder = await postgresFolder()
  const postgres = await openEmbeddedPostgres({
    dataDir: folder,
    role: 'owner',
    mayMakeDatabases: true,
    settings: TEST_SETTINGS,
  })
  const { host, port, user, password } = postgres.connection
  const server = { host, port, user, password }
  let count = 0
  const create = async (name: string, template: string) => {
    await asOwner({ ...server, database: 'postgres' }, cloneStatement(name, template))
    return { ...server, database: name }
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

import type { Command } from 'commander'
import { readProcessConfig } from '../config.ts'
import { openDatabase } from '../embedded-postgres/database.ts'
import { checkReachable } from '../storage/operators/database-state.ts'
import { migrate } from '../storage/migrate.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { print, printJson } from './output.ts'

export function define(command: Command): void {
  describeLeaf(command, `${MALIPO} migrate`).action(async ({ json }: { json?: true }) => {
    const applied = await applyMigrations()
    if (json) return printJson({ applied })
    if (applied.length === 0) return print('The database is up to date.')
    for (const name of applied) print(`applied ${name}`)
  })
}

async function applyMigrations(): Promise<string[]> {
  const config = readProcessConfig()
  if (config.databaseUrl !== undefined) await checkReachable({ connectionString: config.databaseUrl })
  const database = await openDatabase({ ...config, role: 'guest' })
  try {
    return await migrate(database.connection, config.mode)
  } finally {
    await database.stop()
  }
}

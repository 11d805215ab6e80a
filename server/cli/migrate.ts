import type { Command } from 'commander'
import { readProcessConfig, type Config } from '../config.ts'
import { openDatabase, type Database } from '../embedded-postgres/database.ts'
import { withProgress } from '../progress.ts'
import { readMigrations } from '../storage/migration-files.ts'
import { checkReachable, hasEmbeddedDatabase } from '../storage/operators/database-state.ts'
import { planForNew, planMigrations, type MigrationPlan } from '../storage/operators/migration-plan.ts'
import { connectionTo } from '../storage/database-hosts.ts'
import { migrate } from '../storage/migrate.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { FAILED } from './errors.ts'
import { planLines, planRecord } from './migration-text.ts'
import { print, printJson } from './output.ts'

export function define(command: Command): void {
  describeLeaf(
    command.option('--plan', 'say what would be done and what it locks, and do nothing'),
    `${MALIPO} migrate`,
    `${MALIPO} migrate --plan`,
  ).action(async ({ plan, json }: { plan?: true; json?: true }) => {
    if (plan) return tellPlan(await planned(), json)
    const applied = await applyMigrations()
    if (json) return printJson({ applied })
    if (applied.length === 0) return print('The database is up to date.')
    for (const name of applied) print(`applied ${name}`)
  })
}

const applyMigrations = (): Promise<string[]> =>
  withProgress('migrating', () =>
    withOpened(readProcessConfig(), ({ connection }, { mode }) => migrate(connection, mode)),
  )

async function planned(): Promise<MigrationPlan> {
  const config = readProcessConfig()
  const migrations = await readMigrations()
  // Not even a data folder is made.
  if (config.databaseUrl === undefined && !(await hasEmbeddedDatabase(config.dataDir))) return planForNew(migrations)
  return withOpened(config, ({ connection }, { mode }) => planMigrations(connection, mode, migrations))
}

/** Ends with 1 when `migrate` would be refused now: a script stops its servers first. */
function tellPlan(plan: MigrationPlan, json: true | undefined): void {
  if (json) printJson(planRecord(plan))
  else for (const line of planLines(plan)) print(line)
  if (plan.planned.some(({ waitsFor }) => waitsFor.length > 0)) process.exitCode = FAILED
}

async function withOpened<Result>(
  config: Config,
  run: (database: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl !== undefined) await checkReachable(connectionTo(config.databaseUrl))
  const database = await openDatabase({ ...config, role: 'guest' })
  try {
    return await run(database, config)
  } finally {
    await database.stop()
  }
}

import type { Command } from 'commander'
import { readProcessConfig, type Config } from '../../config.ts'
import { present } from '../../domain/present.ts'
import { openDatabase, type Database } from '../../local/embedded-postgres/database.ts'
import { withProgress } from '../../progress.ts'
import { readMigrations } from '../../storage/migration-files.ts'
import { checkReachable, hasEmbeddedDatabase } from '../queries/database-state.ts'
import { planForNew, planMigrations, type MigrationPlan } from '../queries/migration-plan.ts'
import { connectionTo, type DatabaseConnection } from '../../storage/database-hosts.ts'
import { migrate } from '../../storage/migrate.ts'
import { openClient } from '../../storage/open-client.ts'
import { makeComingMonths } from '../../storage/owned-months.ts'
import { ownerOf } from '../../storage/runtime-rights.ts'
import { MALIPO } from './called-as.ts'
import { describeLeaf } from './command.ts'
import { FAILED } from './errors.ts'
import { planLines, planRecord } from './migration-text.ts'
import { print, printJson } from './output.ts'

export function define(command: Command): void {
  describeLeaf(
    command.option('--plan', 'print what would be done and what it locks, and change nothing'),
    `${MALIPO} migrate`,
    `${MALIPO} migrate --plan`,
  ).action(async ({ plan, json }: { plan?: true; json?: true }) => {
    if (plan) return reportPlan(await planned(), json)
    const { applied, months } = await withProgress('migrating', () => withOpened(readProcessConfig(), applyMigrations))
    if (json) return printJson({ applied, months })
    if (applied.length === 0) print('The database is up to date.')
    for (const name of applied) print(`applied ${name}`)
    for (const month of months) print(`made ${month}`)
  })
}

interface MigrationResult {
  readonly applied: readonly string[]
  readonly months: readonly string[]
}

/** Migrates, grants the rights to the role of DATABASE_URL, and creates the partitions of the coming months. */
async function applyMigrations(database: Database, { mode }: Config): Promise<MigrationResult> {
  const owner = await ownerOf(database)
  const { connection, runtimeRole } = owner
  const applied = await migrate(connection, mode, runtimeRole === undefined ? {} : { grantTo: runtimeRole })
  return { applied, months: await makeComingMonths(owner, await timeOf(connection)) }
}

async function timeOf(connection: DatabaseConnection): Promise<Date> {
  const client = await openClient(connection)
  try {
    const { rows } = await client.query<{ now: Date }>('select now()')
    return present(rows[0], 'the time of the database').now
  } finally {
    await client.end()
  }
}

async function planned(): Promise<MigrationPlan> {
  const config = readProcessConfig()
  const migrations = await readMigrations()
  // A plan creates nothing, not even a data folder.
  if (config.databaseUrl === undefined && !(await hasEmbeddedDatabase(config.dataDir))) return planForNew(migrations)
  return withOpened(config, ({ connection, owner = connection }, { mode }) => planMigrations(owner, mode, migrations))
}

/** Ends with 1 when `migrate` would refuse now: a script stops its servers first. */
function reportPlan(plan: MigrationPlan, json: true | undefined): void {
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

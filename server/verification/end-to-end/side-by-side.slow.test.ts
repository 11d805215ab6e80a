import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { createPool, type Pool } from '../../storage/pool.ts'
import { readMigrations } from '../../storage/migration-files.ts'
import { testNightly } from '../testing/nightly.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../testing/database.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { startLoad, type PaymentLoad } from '../testing/payment-load.ts'
import { earlierStates, treeOfCommit, treeOfToday, type ReleaseTree } from '../testing/release-tree.ts'
import { runCli, until, type ServedGateway } from '../testing/served-gateway.ts'

// Two releases as two trees: real processes of each on one database, while merchants keep paying.

const FINISHED_MS_MAX = 60_000
/** Payments that one release handles before the next step. */
const STEP = 60
const CLIENTS = 3

const EXPANDS = `-- migration: expand
-- locks: jobs share, transactions access exclusive
-- rewrites: none
-- reads: jobs
alter table transactions add column made_up text not null default '-';
create index made_up_work on jobs (subject_id);
create table made_up (id bigint primary key);
`
const STOPS = `-- migration: stop
-- locks: none
-- rewrites: none
-- reads: none
drop table made_up;
`

let database: TestDatabase
let pool: Pool
const processes = gatewayProcesses()
const trees: ReleaseTree[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  pool = createPool({ connection: database.connection, connectionsMax: 2, onError: () => undefined })
})
afterEach(async () => {
  await processes.endAll()
  await pool.end()
  await database.drop()
  for (const tree of trees.splice(0)) await tree.remove()
})

const env = () => ({
  DATABASE_URL: databaseUrl(database.connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
  MALIPO_RATE_LIMIT: '1000000',
  MALIPO_RATE_LIMIT_ADDRESS: '1000000',
  MALIPO_SANDBOX_DELAY_MS: '50',
})

async function kept(opening: Promise<ReleaseTree>): Promise<ReleaseTree> {
  const tree = await opening
  trees.push(tree)
  return tree
}

/** One process of that release that does everything. */
const start = ({ cli }: ReleaseTree) => processes.start({ cli, env: env() })

const command = (tree: ReleaseTree, ...args: readonly string[]) =>
  runCli(args, join(processes.folder, 'operator'), env(), tree.cli)

/** Waits until the load has completed this many more payments. */
async function more(load: PaymentLoad): Promise<void> {
  const enough = load.acknowledged.size + STEP
  await until(() => load.acknowledged.size >= enough || load.faults.length > 0, FINISHED_MS_MAX, 'payments')
}

/** No request was rejected or left without a reply, and each payment has ended, once. */
async function nothingLost(loads: readonly PaymentLoad[]): Promise<void> {
  expect(loads.flatMap(({ faults }) => faults)).toEqual([])
  expect(loads.map(({ figures }) => figures.unavailable)).toEqual(loads.map(() => 0))
  const references = loads.flatMap(({ acknowledged }) => [...acknowledged.keys()])
  const completed = async () =>
    (
      await pool.query<{ count: number }>(
        `select count(*)::int from transactions where merchant_reference = any($1) and status = 'COMPLETED'`,
        [references],
      )
    ).rows[0]?.count === references.length
  await until(completed, FINISHED_MS_MAX, `all ${references.length} payments are completed`)
}

/**
 * The older release runs, the newer one starts and migrates, the older one stops, and starts again next to the newer
 * one.
 */
async function runBeside(older: ReleaseTree, newer: ReleaseTree): Promise<ServedGateway> {
  const before = await start(older)
  const first = startLoad({ url: before.url, clients: CLIENTS })
  await more(first)
  const after = await start(newer) // which migrates, while the load goes on
  const second = startLoad({ url: after.url, clients: CLIENTS })
  await Promise.all([more(first), more(second)])
  await first.stop()
  expect(await processes.end(before, 'SIGTERM')).toBe(0)
  const again = await start(older) // like an upgrade that is rolled back
  const third = startLoad({ url: again.url, clients: CLIENTS })
  await Promise.all([more(second), more(third)])
  await Promise.all([second.stop(), third.stop()])
  await nothingLost([first, second, third])
  expect(JSON.parse(await command(newer, 'doctor', '--json'))).toMatchObject({ clean: true })
  return again
}

testNightly(
  'this release and an expanding one share the load: nothing fails or is lost',
  async () => {
    const [older, newer] = [await kept(treeOfToday()), await kept(treeOfToday())]
    await newer.addMigration('0999_expands.sql', EXPANDS)
    const again = await runBeside(older, newer)
    const { rows } = await pool.query(`select kind from schema_migrations where name = '0999_expands.sql'`)
    expect(rows).toEqual([{ kind: 'expand' }])

    // A migration that is incompatible with the older release is rejected while that runs, and the older release keeps
    // working.
    await newer.addMigration('0999_stops.sql', STOPS)
    await expect(command(newer, 'migrate')).rejects.toThrow(
      new RegExp(
        `migration 0999_stops.sql waits for 2 older processes; it was not started[^]* process ${again.child.pid} on `,
      ),
    )
    const load = startLoad({ url: again.url, clients: 1 })
    await more(load)
    await load.stop()
    await nothingLost([load])
    await processes.endAll('SIGTERM')
    expect(await command(newer, 'migrate')).toBe('applied 0999_stops.sql\n')
    await expect(start(older)).rejects.toThrow('migrated by a newer version of Malipo (0999_stops.sql)')
  },
  240_000,
)

testNightly.for(await earlierStates())(
  '$name works beside this release',
  { timeout: 240_000 },
  async (state, context) => {
    const { commit, migrations } = state
    if (!migrations) return context.skip(`the history of this checkout does not have its commit ${commit}`)
    const stops = (await readMigrations()).filter(
      ({ name: each, kind }) => kind === 'stop' && !migrations.includes(each),
    )
    if (stops.length > 0)
      return context.skip(`its processes must have stopped for ${stops.map(({ name: each }) => each).join(', ')}`)
    await runBeside(await kept(treeOfCommit(commit)), await kept(treeOfToday()))
  },
)

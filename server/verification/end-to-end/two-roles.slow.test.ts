import { expect, test } from 'vitest'
import { json, malipo } from '../../admin/cli/testing/command-line.ts'
import { archiveMonth } from '../../admin/queries/archive/archive-month.ts'
import { monthsAhead } from '../../storage/months.ts'
import { makeComingMonths } from '../../storage/owned-months.ts'
import { archiving } from '../testing/book-by-staff.ts'
import { databaseUrl } from '../testing/database.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { collect, mobileMoneyCollection, send } from '../testing/requests.ts'
import { until, type ServedGateway } from '../testing/served-gateway.ts'
import { twoRoles } from '../testing/two-roles.ts'

// Servers and commands use DATABASE_URL, of a role without DDL that may only append to the ledger; migrate, months and
// archive also use MIGRATION_DATABASE_URL.

const { owner, runtime, poolOf } = await twoRoles('template0')
const { folder, start, end } = gatewayProcesses()
const [asOwner, asRuntime] = [poolOf('owner'), poolOf('runtime')]

const env = { DATABASE_URL: databaseUrl(runtime), MALIPO_DATA_DIR: folder, MALIPO_MASTER_KEY: MASTER_KEY }
const ownerEnv = { ...env, MIGRATION_DATABASE_URL: databaseUrl(owner) }

async function withGateway(run: (gateway: ServedGateway) => Promise<void>): Promise<void> {
  const gateway = await start({ dataDir: folder, env: { ...env, MALIPO_SANDBOX_DELAY_MS: '50' } })
  try {
    await run(gateway)
  } finally {
    await end(gateway, 'SIGTERM')
  }
}

const health = async (url: string) => (await send(url, 'GET', '/health/ready')).body as unknown

test('the runtime role creates no table, and the refusal names the setting', async () => {
  for (const command of ['migrate', 'serve']) {
    const { code, err } = await malipo([command], env)
    expect(code, command).toBe(1)
    expect(err).toMatch(/permission denied for schema public.*MIGRATION_DATABASE_URL/s)
  }
  expect((await asOwner.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
})

test('an owner that cannot log in is named by its own setting, without its password', async () => {
  const wrong = databaseUrl({ ...owner, password: 'not-it-9f3b' })
  const { code, err } = await malipo(['migrate'], { ...env, MIGRATION_DATABASE_URL: wrong })
  expect(code).toBe(1)
  expect(err).toMatch(/^malipo: MIGRATION_DATABASE_URL cannot be used: .*malipo_gateway.*\nCorrect it/)
  expect(err).not.toContain('9f3b')
})

test('migrate grants the runtime role its rights, and creates the coming months', async () => {
  const { months } = await json<{ months: string[] }>(['migrate'], ownerEnv)
  expect(months).toHaveLength(7)
  expect(await json(['migrate'], ownerEnv)).toEqual({ applied: [], months: [] })
  expect(await json(['months'], ownerEnv)).toEqual({ made: [] })
  expect(await json(['months'], env)).toEqual({ made: [] })
})

test('refuses a role without rights and says what grants them', async () => {
  await asOwner.query(`revoke all on all tables in schema public from ${runtime.user}`)
  for (const args of [['merchant', 'list'], ['serve'], ['doctor']]) {
    const { code, err } = await malipo(args, env)
    expect({ code, err }, args[0]).toEqual({
      code: 1,
      err: expect.stringMatching(/cannot read the tables.*migrate/s) as string,
    })
  }
  await json(['migrate'], ownerEnv)
  expect(await json(['merchant', 'list'], env)).toEqual([])
})

// More of it is what every other gateway under test does in this role.
test('serves as the runtime role', () =>
  withGateway(async ({ url }) => {
    expect(await health(url)).toEqual({ status: 'ready' })
    expect((await collect(url, mobileMoneyCollection())).status).toBe(202)
  }))

interface DoctorOutput {
  readonly checks: readonly { readonly name: string; readonly ok: boolean }[]
  readonly warnings: readonly { readonly name: string }[]
}

test('the doctor warns of a serving owner, and finds excess rights', async () => {
  const asOne = { ...env, DATABASE_URL: databaseUrl(owner) }
  const { warnings } = JSON.parse((await malipo(['doctor', '--json'], asOne)).out) as DoctorOutput
  expect(warnings.map(({ name }) => name)).toEqual(['two_roles'])
  expect((await malipo(['doctor'], asOne)).out).toMatch(
    /^warn {3}servers log in as malipo_gateway, who owns the ledger/m,
  )
  await asOwner.query('grant update on entries to public')
  const { checks } = JSON.parse((await malipo(['doctor', '--json'], env)).out) as DoctorOutput
  expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toContain('runtime_rights')
  await asOwner.query('revoke update on entries from public')
})

test('the archive needs the owner', async () => {
  const later = new Date('2028-02-01T00:00:00Z')
  // A future month has no open payments.
  const month = monthsAhead(new Date(), 1)[1]?.name ?? ''
  await makeComingMonths({ connection: owner, runtimeRole: runtime.user }, later)
  await expect(archiveMonth(asRuntime, month, folder, later, archiving(month))).rejects.toThrow('permission denied')
  expect(await archiveMonth(asOwner, month, folder, later, archiving(month))).toMatchObject({ result: 'archived' })
})

test('without this month payments get 503, and nothing is lost once it exists', async () => {
  await asOwner.query(`delete from history_months`)
  for (const table of ['entries', 'transfers', 'transaction_events', 'callback_attempts', 'callbacks', 'transactions'])
    await asOwner.query(`
      do $$ declare part regclass; begin
        for part in select inhrelid from pg_inherits where inhparent = '${table}'::regclass and inhrelid::regclass::text !~ 'before'
        loop execute format('drop table %s', part); end loop; end $$`)
  const payment = mobileMoneyCollection()
  await withGateway(async ({ url }) => {
    const degraded = 'the database has no partitions for this month: payments get 503 until malipo months has run'
    await until(async () => JSON.stringify(await health(url)).includes(degraded), 60_000, 'the health names the month')
    expect((await send(url, 'GET', '/health/ready')).status).toBe(200)
    const refused = await collect(url, payment)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBeTruthy()
    expect(await json(['months'], ownerEnv)).toMatchObject({
      made: expect.arrayContaining([expect.anything()]) as string[],
    })
    expect((await collect(url, payment)).status).toBe(202)
  })
})

import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { SIMULATORS, startSimulator } from '../../../openapi/operators/simulator/index.ts'
import { present } from '../../domain/present.ts'
import { childEnv } from '../../verification/testing/child-env.ts'
import { createTestDatabase, databaseEnv } from '../../verification/testing/database.ts'
import { forFile } from '../../verification/testing/for-file.ts'
import { gatewayProcesses } from '../../verification/testing/gateway-processes.ts'
import { MASTER_KEY } from '../../verification/testing/gateway.ts'
import { treeOfToday } from '../../verification/testing/release-tree.ts'
import { collect, payOut, uniqueReference, verify } from '../../verification/testing/requests.ts'
import { runCommand } from '../../verification/testing/run-command.ts'
import { runCli } from '../../verification/testing/served-gateway.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { until } from '../../verification/testing/until.ts'

// Airtel leaves the tree: its folder goes to its author, with the paths of its imports changed and nothing else, and
// one line goes from the list of kinds. What the author bundles is added to a gateway that has no Airtel any more.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLI = join(import.meta.dirname, 'cli.ts')
const AIRTEL = join(ROOT, 'server/rails/airtel')

const { path: author } = temporaryFolder()
const database = await forFile(createTestDatabase())
const simulated = present(SIMULATORS['airtel'], 'the simulator of Airtel')({})
const operator = await forFile(startSimulator(simulated, { malipoNumbersMs: 50 }))
const release = await treeOfToday()
await forFile(Promise.resolve({ close: () => release.remove() }))
const env = { ...databaseEnv(database.connection), MALIPO_MASTER_KEY: MASTER_KEY }
const gateways = gatewayProcesses(env)
const kit = (...args: readonly string[]) => runCommand(args, childEnv(), CLI)

/** Where an import of Airtel's folder leads once it is outside the tree. */
function outside(file: string, path: string): string {
  const target = resolve(dirname(file), path)
  if (target.startsWith(`${AIRTEL}/`)) return path
  if (target.endsWith('/generated/operators/airtel.d.ts')) return './contract.d.ts'
  return /\/rails\/(conformance|testing)\//.test(target) ? '@malipo/rail/kit' : '@malipo/rail'
}

async function moveOut(): Promise<void> {
  await cp(join(ROOT, 'generated/operators/airtel.json'), join(author, 'contract.json'))
  await cp(join(ROOT, 'generated/operators/airtel.d.ts'), join(author, 'contract.d.ts'))
  for (const file of globSync('**/*.ts', { cwd: AIRTEL }).map((name) => join(AIRTEL, name))) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(file, 'utf8')
    const moved = join(author, file.slice(AIRTEL.length))
    await mkdir(dirname(moved), { recursive: true })
    await writeFile(
      moved,
      text.replaceAll(/(?<=from ')\.[^']+(?=')/g, (path) => outside(file, path)),
    )
  }
  await mkdir(join(author, 'node_modules/@malipo'), { recursive: true })
  await symlink(import.meta.dirname, join(author, 'node_modules/@malipo/rail'))
  await symlink(join(ROOT, 'node_modules/openapi-fetch'), join(author, 'node_modules/openapi-fetch'))
  await writeFile(
    join(author, 'rail.ts'),
    `import { railPackage } from '@malipo/rail'
    import contract from './contract.json' with { type: 'json' }
    import { airtel as kind } from './airtel.ts'
    export default railPackage({ kind, contract })`,
  )
  const tree = dirname(release.cli)
  await rm(join(tree, 'rails/airtel'), { recursive: true })
  const registry = join(tree, 'rails/registry.ts')
  const lines = (await readFile(registry, 'utf8')).replace(/^import \{ airtel \}.*\n/m, '').replace(', airtel]', ']')
  expect(lines).not.toContain('airtel')
  await writeFile(registry, lines)
}

let packaged = ''
beforeAll(async () => {
  await moveOut()
  const { out, err } = await kit('bundle', join(author, 'rail.ts'), '--out', join(author, 'airtel.mjs'))
  const [line = ''] = /^MALIPO_RAIL_PACKAGES=.*$/m.exec(out) ?? [err]
  packaged = line.replace('MALIPO_RAIL_PACKAGES=', '')
  expect(out).toContain('It runs with all rights of the gateway')
})
const withAirtel = () => ({ MALIPO_RAIL_PACKAGES: packaged })
const malipo = (...args: readonly string[]) => runCli(args, author, { ...env, ...withAirtel() }, release.cli)

test('the kit holds Airtel outside the tree as it does inside', async () => {
  const { code, out, err } = await kit('test', join(author, 'rail.ts'), join(author, 'testing/counterparts.ts'))
  expect([code, out.split('\n').filter((line) => line.startsWith('✗')), err]).toEqual([0, [], ''])
})

test('a gateway without Airtel collects and pays out by its package', async () => {
  await writeFile(
    join(author, 'airtel.env'),
    Object.entries({
      ...operator.open.railSettings,
      country: 'UG',
      collection_ask_after_seconds: '1',
      payout_ask_after_seconds: '1',
    })
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  )
  expect(await malipo('rail', 'kinds')).toContain(`${join(author, 'airtel.mjs')}, SHA-256 `)
  const at = ['--currency', 'UGX', '--base-url', operator.url, '--from', join(author, 'airtel.env')]
  await malipo('rail', 'add', 'airtel-uganda', 'airtel', ...at)
  await malipo('provider', 'set', 'airtel_ug', '--rail', 'airtel-uganda')
  expect(await malipo('rail', 'check', 'airtel-uganda')).toContain('The rail airtel is a package: ')

  const reference = uniqueReference()
  const asked = { provider_code: 'airtel_ug', merchant_reference: reference, msisdn: '256752000123' }
  // Without the kind no payment of its providers is taken; a worker without it tries, and leaves it to one that has it.
  const other = await gateways.start({ role: 'api', cli: release.cli })
  expect(await collect(other.url, asked)).toMatchObject({ status: 400 })
  await gateways.end(other, 'SIGTERM')
  const api = await gateways.start({ role: 'api', cli: release.cli, env: withAirtel() })
  const without = await gateways.start({ role: 'worker', cli: release.cli })
  expect(await collect(api.url, asked)).toMatchObject({ status: 202 })
  const statusOf = async (of: string) => (await verify(api.url, of)).body.data as Readonly<Record<string, unknown>>
  const eventsOf = async () => malipo('transaction', 'events', reference)
  await until(async () => (await eventsOf()).includes('its connection to the operator is gone'), 60_000, 'a try')
  expect(await statusOf(reference)).toMatchObject({ transaction_status: expect.stringMatching(/PENDING|PROCESSING/) })
  expect(operator.world.orders.all()).toEqual([])
  await gateways.end(without, 'SIGTERM')

  await gateways.start({ role: 'worker', cli: release.cli, env: withAirtel() })
  const payout = uniqueReference()
  const paid = { provider_code: 'airtel_ug', merchant_reference: payout, account_number: '256752000124', amount: 5_000 }
  expect(await payOut(api.url, paid)).toMatchObject({ status: 202 })
  for (const each of [reference, payout])
    await until(async () => (await statusOf(each))['transaction_status'] === 'COMPLETED', 60_000, `${each} is paid`)
  expect(operator.world.orders.all().map(({ moved }) => moved)).toEqual([1, 1])
  expect(await malipo('doctor')).toMatch(/^rail {3}\S+airtel\.mjs, SHA-256 \w+: it has all rights of Malipo$/m)
})

test('a changed file starts nothing', async () => {
  const changed = join(author, 'changed-airtel.mjs')
  await writeFile(changed, `${await readFile(join(author, 'airtel.mjs'), 'utf8')} `)
  const [, hash = ''] = packaged.split('#')
  const { code, err } = await runCommand(
    ['serve'],
    { ...childEnv(), ...env, MALIPO_DATA_DIR: author, PORT: '0', MALIPO_RAIL_PACKAGES: `${changed}#${hash}` },
    release.cli,
  )
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/changed-airtel\.mjs has the SHA-256 \w+, not \w+: it is not run/),
  ])
})

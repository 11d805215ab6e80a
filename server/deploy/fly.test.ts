import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { expect } from 'vitest'
import { SETTINGS } from '../settings.ts'
import { run, testWith } from './testing/tools.ts'

// The template for Fly.io has known keys only, and says what the file of Compose says. Nothing of it was deployed.

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** https://fly.io/docs/reference/configuration/, as flyctl reads it (internal/appconfig/config.go). */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': ['app', 'primary_region', 'kill_signal', 'kill_timeout', 'build', 'deploy', 'processes', 'env', 'mounts'].concat([
    'http_service',
    'checks',
    'metrics',
    'vm',
  ]),
  build: ['image'],
  deploy: ['release_command', 'strategy'],
  mounts: ['source', 'destination', 'initial_size', 'processes'],
  http_service: ['internal_port', 'force_https', 'auto_stop_machines', 'processes', 'checks'],
  'http_service.checks': ['method', 'path', 'interval', 'timeout', 'grace_period'],
  'checks.*': ['type', 'port', 'path', 'interval', 'timeout', 'grace_period', 'processes'],
  metrics: ['port', 'path', 'processes'],
  vm: ['size', 'memory'],
}

interface Check {
  readonly path: string
  readonly port: number
}
type Table = Readonly<Record<string, unknown>>
interface FlyFile extends Table {
  readonly kill_timeout: string
  readonly deploy: { readonly release_command: string }
  readonly processes: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly mounts: readonly { readonly destination: string; readonly processes: readonly string[] }[]
  readonly http_service: { readonly internal_port: number; readonly checks: readonly Check[] }
  readonly checks: Readonly<Record<string, Check>>
  readonly metrics: readonly { readonly port: number }[]
}

/** Python's own parser, 3.11 or newer: npm's would be a package for one file. */
async function flyFile(): Promise<FlyFile> {
  const program = 'import json, sys, tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))))'
  const { code, out, text } = await run('python3', ['-c', program, path('fly/fly.toml')])
  expect(code, text).toBe(0)
  return JSON.parse(out) as FlyFile
}

const tables = (given: unknown): readonly Table[] => [given ?? []].flat() as Table[]

const testFly = testWith(['python3'], 'python3')

testFly("Fly's template has no unknown key", async () => {
  const file = await flyFile()
  for (const [name, known] of Object.entries(KEYS)) {
    const [table, inner] = name.split('.', 2)
    const found = table === '' ? [file] : tables(file[table!])
    const all =
      inner === undefined ? found : found.flatMap((each) => (inner === '*' ? Object.values(each) : each[inner]))
    expect(all.length, name).toBeGreaterThan(0)
    for (const each of all.flatMap(tables)) expect(Object.keys(each).filter((key) => !known.includes(key))).toEqual([])
  }
})

testFly("Fly's template runs what Compose runs, and asks where it listens", async () => {
  const file = await flyFile()
  const compose = load(readFileSync(path('compose/compose.yaml'), 'utf8'), {
    schema: CORE_SCHEMA.withTags(mergeTag),
  }) as { services: Record<string, { command?: readonly string[] }> }
  const commandOf = (service: string) => compose.services[service]?.command?.join(' ')
  expect(file.processes).toEqual({ api: commandOf('api'), worker: commandOf('worker') })
  expect(file.deploy.release_command).toBe(commandOf('migrate'))

  const { PORT, MALIPO_METRICS_PORT, MALIPO_SPOOL_DIR, MALIPO_DRAIN_MS } = file.env
  expect(file.http_service.internal_port).toBe(Number(PORT))
  expect(file.http_service.checks.map(({ path: asked }) => asked)).toEqual(['/health/live'])
  expect(file.checks).toMatchObject({
    api: { path: '/health/ready', port: Number(PORT) },
    worker: { path: '/health/ready', port: Number(MALIPO_METRICS_PORT) },
  })
  expect(file.metrics).toMatchObject([{ port: Number(MALIPO_METRICS_PORT) }])
  expect(file.mounts).toMatchObject([{ processes: ['api'] }])
  expect(MALIPO_SPOOL_DIR).toContain(`${file.mounts[0]!.destination}/`)
  expect(Number(MALIPO_DRAIN_MS)).toBeLessThan((Number.parseInt(file.kill_timeout, 10) * 1_000) / 2)
})

testFly("Fly's template has known settings only, and no secret", async () => {
  const names = Object.keys((await flyFile()).env)
  const known = Object.values(SETTINGS).map(({ name }) => name)
  expect(names.filter((name) => !known.includes(name) || /DATABASE_URL|KEY|SECRET/.test(name))).toEqual([])
})

import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from './verification/testing/free-port.ts'
import { collect, verify } from './verification/testing/requests.ts'
import { until } from './verification/testing/served-gateway.ts'
import { temporaryFolder } from './verification/testing/temporary-folder.ts'

// What `npm ci --omit=dev` leaves in a clone is all that a gateway needs. Offline: the packages come from this checkout,
// and the lock file says which of them are no tools.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What a server needs besides its packages; the rest of a clone is texts and tests. */
const PARTS = ['server', 'openapi', 'generated', 'client', 'contract-tests', 'package.json', 'package-lock.json']
const INSTALLED_MB_MAX = 250
const NPM_MS_MAX = 120_000

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly link?: boolean; readonly resolved?: string }>
  >
}

const { path: folder } = temporaryFolder()
let environment: NodeJS.ProcessEnv
beforeAll(async () => {
  await copyClone()
  await copyPackages()
  environment = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    MALIPO_DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
  }
  await npm('run', 'prepare')
}, 300_000)

async function copyClone(): Promise<void> {
  const filter = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path))
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true, filter })
}

/** A package without those inside it: the lock file has a row for each. */
async function copyPackages(): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  for (const [path, { dev, link, resolved = '' }] of Object.entries(packages)) {
    const from = join(ROOT, path)
    if (!path.startsWith('node_modules/') || dev === true || !existsSync(from)) continue
    const to = join(folder, path)
    await mkdir(dirname(to), { recursive: true })
    const filter = (each: string): boolean => !relative(from, each).split(/[\\/]/).includes('node_modules')
    await (link
      ? symlink(join(folder, resolved), to)
      : cp(from, to, { recursive: true, filter, verbatimSymlinks: true }))
  }
  const bin = join(folder, 'node_modules', '.bin')
  await mkdir(bin)
  // npm links each program of a package; of these only Node is called by its name.
  await symlink(process.execPath, join(bin, 'node'))
}

const npm = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('npm', args, { cwd: folder, env: environment, timeout: NPM_MS_MAX })).stdout

/** As `du` counts: whole blocks. */
async function diskMb(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.map(async (entry) => (await lstat(join(entry.parentPath, entry.name))).blocks),
  )
  return sizes.reduce((sum, blocks) => sum + blocks, 0) / 2048
}

const ended = (child: ChildProcess): Promise<number | NodeJS.Signals | null> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))

test('an installation is small, without headers and source maps', async () => {
  expect(await diskMb(join(folder, 'node_modules'))).toBeLessThan(INSTALLED_MB_MAX)
  const names = await readdir(join(folder, 'node_modules'), { recursive: true })
  expect(names.filter((name) => name.endsWith('.map') || /^node-[\w-]+.(include|share)$/.test(name))).toEqual([])
})

test('npm start serves a payment without the tools, and stops on SIGTERM to npm', async () => {
  const env = { ...environment, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const gateway = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const end = ended(gateway)
  const cached: string[] = []
  const compiled: string[] = []
  createInterface(gateway.stderr).on('line', (line) => {
    const [, how, path = ''] =
      /(retrieving|saving) \w+ cache for StrippedTypeScript \S+\/(server\/[\w/-]+\.ts)/.exec(line) ?? []
    if (how !== undefined) (how === 'saving' ? compiled : cached).push(path)
  })
  const url = `http://127.0.0.1:${environment['PORT']}`
  try {
    await until(
      () =>
        fetch(`${url}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      60_000,
      'the gateway is ready',
    )
    const order = { merchant_reference: 'INSTALLATION-1' }
    expect(await collect(url, order)).toMatchObject({ status: 202 })
    expect(await verify(url, order.merchant_reference)).toMatchObject({ status: 200 })
    expect((await fetch(`${url}/docs`)).status).toBe(503)
    // The sandbox's past is played first, and until then its payments are unfinished.
    const isClean = (): Promise<boolean> =>
      npm('run', 'malipo', '--', 'doctor').then(
        (out) => /^Clean: \d+ checks/m.test(out),
        () => false,
      )
    await until(isClean, 60_000, 'the doctor finds nothing')
  } finally {
    gateway.kill('SIGTERM')
  }
  expect(await end).toBe(0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  // The installation has compiled whatever a start loads: start/whole.ts.
  expect(cached).toEqual(expect.arrayContaining(['server/cli.ts', 'server/admin/console/admin-app.ts']))
  expect(compiled).toEqual([])
})

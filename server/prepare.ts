// Runs at the end of `npm ci`, in a shell of any kind. It prints nothing, unless a step fails.
// With the tools it builds the docs and prepares the first start. After `npm ci --omit=dev` there is nothing to build
// the docs with, PostgreSQL is usually another machine's, and the disk of a server matters more than its first start.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const packages = join(cwd, 'node_modules')
const hasTools = existsSync(join(packages, '@redocly', 'cli'))

/** Headers for native modules, which nobody compiles here, and manuals: a third of Node's package. */
const UNUSED = 'node-*/{include,share}'
/** No installation runs with `--enable-source-maps`, and none checks types. */
const FOR_TOOLS = '**/*.{map,d.ts,d.mts,d.cts}'
for (const path of globSync(hasTools ? [UNUSED] : [UNUSED, FOR_TOOLS], { cwd: packages }))
  rmSync(join(packages, path), { recursive: true, force: true })

// `npm start` begins with `exec`, so that signals to npm reach the gateway. cmd.exe, which has none, finds this one.
if (process.platform === 'win32') writeFileSync(join(packages, '.bin', 'exec.cmd'), '@%*\r\n')

const CACHED = ['-r', './server/compile-cache.cjs']
// As in the start script: V8 does not use what was compiled under other flags, and commands have none.
const STARTED = ['--heap-growing-percent=45', ...CACHED]
const WITHOUT_DATABASE = ['server/after-install.ts', '--without-database']
// The command line's own file is compiled when it runs.
const VERSION = ['server/cli.ts', '--version']
const steps = hasTools
  ? [
      ['openapi/docs/build.ts'],
      ['openapi/operators/docs/build.ts'],
      [...STARTED, 'server/after-install.ts'],
      [...STARTED, ...VERSION],
      [...CACHED, ...WITHOUT_DATABASE],
      [...CACHED, ...VERSION],
    ]
  : [
      [...STARTED, ...WITHOUT_DATABASE],
      [...STARTED, ...VERSION],
    ]
for (const step of steps) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, step, { cwd, encoding: 'utf8' })
  if (status === 0) continue
  console.error(`${step.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
  process.exit(1)
}

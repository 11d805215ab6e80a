import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LOCK = fileURLToPath(new URL('./requirements.lock', import.meta.url))
/** Newest first. The lock file is made for 3.11 and later. */
const PYTHONS = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python']
const PYTHON_CHECK = 'import sys, venv; assert sys.version_info >= (3, 11); print("%d.%d" % sys.version_info[:2])'
const PIP_INSTALL =
  'install --quiet --disable-pip-version-check --no-input --no-color --retries 1 --timeout 15 --only-binary :all: --require-hashes -r'
const INSTALL_MS_MAX = 5 * 60_000

/** Where Schemathesis is, or in one line why it is not. */
export type Installed = { readonly python: string } | { readonly unavailable: string }

export interface InstallOptions {
  readonly cacheDir?: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly log: (line: string) => void
}

/** The version that the lock file pins. */
export async function lockedVersion(): Promise<string> {
  const [, version] = /^schemathesis==(\S+)/m.exec(await readFile(LOCK, 'utf8')) ?? []
  if (version === undefined) throw new Error('the lock file pins no Schemathesis')
  return version
}

/** Finds Schemathesis in the cache folder, or installs exactly what requirements.lock names, running none of it. */
export async function installSchemathesis({ cacheDir, env, log }: InstallOptions): Promise<Installed> {
  const base = await findPython(env)
  if (!base) return { unavailable: 'no Python 3.11 or later was found' }
  const lockDigest = createHash('sha256')
    .update(await readFile(LOCK))
    .digest('hex')
    .slice(0, 12)
  const root = cacheDir ?? join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'schemathesis-runner')
  const folder = join(root, `${await lockedVersion()}-${lockDigest}-py${base.version}`)
  const python = join(folder, 'bin', 'python')
  if (await exists(python)) return { python }

  log(`Installing Schemathesis ${await lockedVersion()} into its own virtual environment (once)`)
  // Made beside its place and moved there in one step: no run, killed or not, leaves half an environment.
  const draft = `${folder}.${randomUUID()}`
  await mkdir(root, { recursive: true })
  const fault = await installInto(draft, base.command, env)
  if (fault === undefined && !(await exists(python))) {
    // What lies there is of a Python that has been removed since.
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(python))) throw error
    })
  }
  await rm(draft, { recursive: true, force: true })
  return fault === undefined ? { python } : { unavailable: fault }
}

async function installInto(folder: string, python: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const pip = [...PIP_INSTALL.split(' '), LOCK]
  const whole = await run(python, ['-m', 'venv', folder], env)
  if (whole.code === 0) return pipFault(await run(join(folder, 'bin', 'python'), ['-m', 'pip', ...pip], env))
  // Debian ships venv without ensurepip unless python3-venv is installed; the machine's own pip can fill the
  // environment as well.
  await rm(folder, { recursive: true, force: true })
  const bare = await run(python, ['-m', 'venv', '--without-pip', folder], env)
  const outerPip = await run(python, ['-m', 'pip', '--version'], env)
  if (bare.code !== 0 || outerPip.code !== 0)
    return 'Python has neither ensurepip nor pip (Debian: apt-get install python3-venv)'
  return pipFault(await run(python, ['-m', 'pip', '--python', join(folder, 'bin', 'python'), ...pip], env))
}

function pipFault({ code, output }: Ran): string | undefined {
  if (code === 0) return undefined
  const errors = output.split('\n').filter((line) => line.startsWith('ERROR:'))
  return `pip could not install it: ${(errors[0] ?? output.trim().split('\n').at(-1) ?? '').replace(/^ERROR: /, '') || `pip ended with ${code}`}`
}

async function findPython(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly command: string; readonly version: string } | undefined> {
  for (const command of PYTHONS) {
    const { code, output } = await run(command, ['-c', PYTHON_CHECK], env)
    if (code === 0) return { command, version: output.trim() }
  }
  return undefined
}

interface Ran {
  /** -1 when it could not be started at all. */
  readonly code: number
  readonly output: string
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    let output = ''
    // PYTHONPATH and an active environment would leak other packages into ours.
    const { PYTHONPATH: _path, PYTHONHOME: _home, VIRTUAL_ENV: _venv, ...rest } = env
    const child = spawn(command, args, { env: rest, stdio: ['ignore', 'pipe', 'pipe'] })
    const late = setTimeout(() => child.kill('SIGKILL'), INSTALL_MS_MAX)
    const end = (code: number | null) => {
      clearTimeout(late)
      resolve({ code: code ?? -1, output })
    }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', () => end(-1))
    child.on('close', end)
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

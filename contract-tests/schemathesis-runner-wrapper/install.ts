import { createHash, randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './options.ts'
import { packageFile } from './package-files.ts'
import { runToEnd, type ProcessResult } from './processes.ts'
import { findPython, pythonIn, PYTHONS, withoutPython } from './python.ts'

const LOCK = packageFile('requirements.lock')
const PIP_INSTALL =
  'install --quiet --disable-pip-version-check --no-input --no-color --retries 1 --timeout 15 --only-binary :all: --require-hashes -r'
const INSTALL_MS_MAX = 5 * 60_000

/** Path and version of Schemathesis, or one line that says why it is missing. */
export type Installation = { readonly python: string; readonly version: string } | { readonly unavailable: string }

interface InstallOptions {
  readonly cacheDir?: string | undefined
  readonly python?: string | undefined
  readonly env: Environment
  readonly signal?: AbortSignal | undefined
  readonly log: (line: string) => void
}

/** The version that the lock file pins: Python 3.10 has one of its own. */
export async function lockedVersion(pythonVersion = '3.14'): Promise<string> {
  const pins = [...(await readFile(LOCK, 'utf8')).matchAll(/^schemathesis==(\S+)(?: ; python_full_version (\S+))?/gm)]
  const isOld = pythonVersion === '3.10'
  const [, version] = pins.find(([, , bound]) => bound === undefined || (bound === '<') === isOld) ?? []
  if (version === undefined) throw new Error('the lock file pins no Schemathesis')
  return version
}

/**
 * Finds Schemathesis in the cache folder, or installs exactly what requirements.lock names, without running any of it.
 */
export async function installSchemathesis(options: InstallOptions): Promise<Installation> {
  const { cacheDir, env, log, signal } = options
  const base = await findPython(options.python, env, signal)
  if (!base) return { unavailable: options.python ? `${options.python} is not ${PYTHONS}` : `no ${PYTHONS} was found` }
  const lockDigest = createHash('sha256')
    .update(await readFile(LOCK))
    .digest('hex')
    .slice(0, 12)
  const version = await lockedVersion(base.version)
  const root = cacheDir ?? cacheFolder(env, process.platform)
  const folder = join(root, `${version}-${lockDigest}-py${base.version}`)
  const python = pythonIn(folder)
  if (await exists(python)) return { python, version }

  try {
    await mkdir(root, { recursive: true })
    await access(root, constants.W_OK)
  } catch (error) {
    return { unavailable: `${root} cannot be written (${(error as NodeJS.ErrnoException).code}): set XDG_CACHE_HOME` }
  }
  log(`Installing Schemathesis ${version} into its own virtual environment (once)`)
  // Built in a temporary folder and renamed in one step: no run, killed or not, leaves half an environment.
  const draft = `${folder}.${randomUUID()}`
  const fault = await installInto(draft, base.command, { env: withoutPython(env), signal })
  if (fault === undefined && !(await exists(python))) {
    // The environment's Python has been removed since.
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(python))) throw error
    })
  }
  await rm(draft, { recursive: true, force: true })
  return fault === undefined ? { python, version } : { unavailable: fault }
}

/** `schemathesis-runner` in the platform's cache folder. */
export function cacheFolder(env: Environment, platform: NodeJS.Platform): string {
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined
  return join(env.XDG_CACHE_HOME || local || join(env.HOME || homedir(), '.cache'), 'schemathesis-runner')
}

async function installInto(
  folder: string,
  python: readonly string[],
  given: Pick<InstallOptions, 'env' | 'signal'>,
): Promise<string | undefined> {
  const pip = [...PIP_INSTALL.split(' '), LOCK]
  const run = (command: readonly string[]) => runToEnd(command, { ...given, timeoutMs: INSTALL_MS_MAX })
  const whole = await run([...python, '-m', 'venv', folder])
  if (whole.code === 0) return pipFault(await run([pythonIn(folder), '-m', 'pip', ...pip]))
  // Debian ships venv without ensurepip unless python3-venv is installed; the machine's own pip can fill the
  // environment as well.
  await rm(folder, { recursive: true, force: true })
  const bare = await run([...python, '-m', 'venv', '--without-pip', folder])
  const outerPip = await run([...python, '-m', 'pip', '--version'])
  if (bare.code !== 0 || outerPip.code !== 0)
    return 'Python has neither ensurepip nor pip (Debian: apt-get install python3-venv)'
  return pipFault(await run([...python, '-m', 'pip', '--python', pythonIn(folder), ...pip]))
}

function pipFault({ code, output }: ProcessResult): string | undefined {
  if (code === 0) return undefined
  const errors = output.split('\n').filter((line) => line.startsWith('ERROR:'))
  return `pip could not install it: ${(errors[0] ?? output.trim().split('\n').at(-1) ?? '').replace(/^ERROR: /, '') || `pip ended with ${code}`}`
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

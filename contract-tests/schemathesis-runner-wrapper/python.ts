import { dirname, join } from 'node:path'
import type { Environment } from './options.ts'
import { runToEnd } from './processes.ts'

/** Newest first: 3.10 gets an older Schemathesis. */
const VERSIONS = ['3.14', '3.13', '3.12', '3.11', '3.10']
/** In words, for people. */
export const PYTHONS = 'Python 3.10 to 3.14'
const CHECK = 'import sys, venv; assert (3, 10) <= sys.version_info < (3, 15); print("%d.%d" % sys.version_info[:2])'
const CHECK_MS_MAX = 30_000

interface Python {
  readonly command: readonly string[]
  /** `3.12`. */
  readonly version: string
}

/** The commands under which a platform has its Pythons; the version of Windows' `python` is not known in advance. */
export const pythonCommands = (platform: NodeJS.Platform): readonly (readonly string[])[] => [
  ...VERSIONS.map((version) => (platform === 'win32' ? ['py', `-${version}`] : [`python${version}`])),
  ['python3'],
  ['python'],
]

/** The given Python, or the first that is found. */
export async function findPython(
  given: string | undefined,
  env: Environment,
  signal?: AbortSignal,
): Promise<Python | undefined> {
  const commands = given === undefined ? pythonCommands(process.platform) : [[given]]
  for (const command of commands) {
    const { code, output } = await runToEnd([...command, '-c', CHECK], {
      env: withoutPython(env),
      timeoutMs: CHECK_MS_MAX,
      signal,
    })
    if (code === 0) return { command, version: output.trim() }
  }
  return undefined
}

/** The Python of a virtual environment. */
export const pythonIn = (folder: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python')

/**
 * Where Hypothesis caches its character tables, beside that Python: they are the same for every run, and computing
 * them takes three seconds. Examples are not stored, so nothing of a run is left in it.
 */
export const tablesOf = (python: string): string => join(dirname(dirname(python)), 'hypothesis')

/** PYTHONPATH and an active environment would leak other packages into ours. */
export function withoutPython(env: Environment): Environment {
  const { PYTHONPATH: _path, PYTHONHOME: _home, VIRTUAL_ENV: _venv, ...rest } = env
  return rest
}

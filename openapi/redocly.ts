import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withCodeSamples } from './code-samples/code-samples.ts'
import { plainBundle } from './exports/plain-bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The lint rules and theme of our own contract. */
export const CONFIG: readonly string[] = ['--config', 'openapi/redocly.yaml']
/** Node runs this file: a program in `node_modules/.bin` has another name on Windows. */
const PROGRAM = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
/** Its slowest command takes a few seconds on its own, and minutes on a machine that is busy with other things. */
const TIME_MS_MAX = 600_000
const WITHOUT_TELEMETRY = { ...process.env, REDOCLY_TELEMETRY: 'off' }

/**
 * Runs the tool that lints, bundles and renders contracts, from the root of the project.
 *
 * @returns its output
 * @throws Error with all of its output, when it fails
 */
export function redocly(...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [PROGRAM, ...args], {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
      timeout: TIME_MS_MAX,
      env: WITHOUT_TELEMETRY,
    })
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error
    throw new Error(`redocly ${args[0]} failed:\n${String(error.stdout)}${String(error.stderr)}`, { cause: error })
  }
}

/** The same in the terminal of whoever called. Returns the exit code. */
export const redoclyInTerminal = (...args: readonly string[]): number =>
  spawnSync(process.execPath, [PROGRAM, ...args], { cwd: root, stdio: 'inherit', env: WITHOUT_TELEMETRY }).status ?? 1

/** Writes our contract as one JSON file, and returns its text. */
export function bundleInto(file: string): string {
  redocly('bundle', 'openapi/openapi.yaml', ...CONFIG, '-o', file)
  const text = withCodeSamples(plainBundle(readFileSync(file, 'utf8')))
  writeFileSync(file, text)
  return text
}

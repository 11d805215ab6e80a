import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainBundle } from './exports/plain-bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The lint rules and theme of our own contract. */
export const CONFIG: readonly string[] = ['--config', 'openapi/redocly.yaml']
/** Its slowest command takes a few seconds on its own. */
const TIME_MS_MAX = 120_000

/**
 * Runs the tool that lints, bundles and renders contracts, from the root of the project.
 *
 * @returns its output
 * @throws Error with all of its output, when it fails
 */
export function redocly(...args: readonly string[]): string {
  try {
    return execFileSync(join(root, 'node_modules', '.bin', 'redocly'), args, {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
      timeout: TIME_MS_MAX,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
  } catch (error) {
    if (!(error instanceof Error) || !('stdout' in error) || !('stderr' in error)) throw error
    throw new Error(`redocly ${args[0]} failed:\n${String(error.stdout)}${String(error.stderr)}`, { cause: error })
  }
}

/** Writes our contract as one JSON file, and returns its text. */
export function bundleInto(file: string): string {
  redocly('bundle', 'openapi/openapi.yaml', ...CONFIG, '-o', file)
  const text = plainBundle(readFileSync(file, 'utf8'))
  writeFileSync(file, text)
  return text
}

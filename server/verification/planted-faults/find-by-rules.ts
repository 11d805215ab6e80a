import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { childEnv } from '../testing/child-env.ts'
import type { SourceFault } from './planted-fault.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIMEOUT_MS = 60 * 60_000

interface TestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

/**
 * Holds faulty adapters against the rules that they break.
 * @returns the names of those that break them
 * @throws Error when the tests do not run
 */
export async function findByRules(names: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  // A fault that is not found fails its test.
  const results = await resultsOf('server/rails/conformance/planted.test.ts', { MALIPO_PLANTED: names.join() }, signal)
  return new Set(results.filter(({ status }) => status === 'passed').map(({ title }) => title))
}

/** Runs a test file on sources with the fault. @returns the title of a test that fails; undefined when none does */
export async function findByTests(
  { foundBy: [file], plant }: SourceFault,
  signal: AbortSignal,
): Promise<string | undefined> {
  const results = await resultsOf(file, { MALIPO_PLANTED_EDITS: JSON.stringify(plant.edits) }, signal)
  if (!results.some(({ status }) => status === 'passed')) throw new Error(`no test of ${file} passes`)
  return results.find(({ status }) => status === 'failed')?.title
}

async function resultsOf(file: string, env: Readonly<Record<string, string>>, signal: AbortSignal) {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-faults-'))
  try {
    const report = join(folder, 'report.json')
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`]
    const options = { cwd: ROOT, signal, timeout: TIMEOUT_MS, env: { ...childEnv(), ...env } }
    const run = promisify(execFile)(process.execPath, [...vitest, file], options)
    // A test that fails makes the run fail: the report says which.
    await run.catch((error: unknown) => signal.throwIfAborted() ?? error)
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as TestReport
    return testResults.flatMap(({ assertionResults }) => assertionResults)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

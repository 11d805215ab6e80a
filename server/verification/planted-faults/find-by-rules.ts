import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { childEnv } from '../testing/child-env.ts'

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
  const folder = await mkdtemp(join(tmpdir(), 'malipo-faults-'))
  try {
    const report = join(folder, 'report.json')
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`]
    const options = { cwd: ROOT, signal, timeout: TIMEOUT_MS, env: { ...childEnv(), MALIPO_PLANTED: names.join() } }
    const run = promisify(execFile)(process.execPath, [...vitest, 'server/rails/conformance/planted.test.ts'], options)
    // A fault that is not found fails its test, and the run with it: the report says which.
    await run.catch((error: unknown) => signal.throwIfAborted() ?? error)
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as TestReport
    const results = testResults.flatMap(({ assertionResults }) => assertionResults)
    return new Set(results.filter(({ status }) => status === 'passed').map(({ title }) => title))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

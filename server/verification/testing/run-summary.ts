import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { closingLines, wholeSummary, type FailedTest, type RunOutcome } from './closing-lines.ts'
import { NIGHTLY_ONLY, SKIPPED_PARTS_FILE, type SkippedPart } from './skipped-part.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SUMMARY = 'dist/test-summary.txt'

/**
 * Ends a run with a few lines: what ran, what was skipped and why, what failed and how to repeat it. It writes all of
 * it to a file.
 */
export default class RunSummary implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'malipo-test-run-'))
  readonly #parts = join(this.#folder, 'skipped.jsonl')
  #vitest: Vitest | undefined
  #startedAt = Date.now()
  #lines: readonly string[] = []

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    // Workers inherit it.
    process.env[SKIPPED_PARTS_FILE] = this.#parts
    // The teardown of the global set-up prints after the run has ended: only the exit of the process is later.
    process.once('exit', () => {
      rmSync(this.#folder, { recursive: true, force: true })
      if (this.#lines.length > 0) process.stdout.write(`\n${this.#lines.join('\n')}\n`)
    })
  }

  onTestRunStart(): void {
    this.#startedAt = Date.now()
    rmSync(this.#parts, { force: true })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length
    const run: RunOutcome = {
      passed: count('passed'),
      files: modules.length,
      seconds: Math.round((Date.now() - this.#startedAt) / 1000),
      skippedTests: count('skipped'),
      skipped: this.#skipped(tests),
      failed: failuresIn(modules, unhandled),
    }
    this.#lines = closingLines(run, SUMMARY)
    mkdirSync(join(ROOT, 'dist'), { recursive: true })
    writeFileSync(join(ROOT, SUMMARY), wholeSummary(run, SUMMARY))
  }

  /** What test files named, and the skipped tests that gave a reason of their own or none. */
  #skipped(tests: readonly TestCase[]): readonly SkippedPart[] {
    const named = existsSync(this.#parts)
      ? readFileSync(this.#parts, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as SkippedPart)
      : []
    const explained = new Set(named.flatMap(({ reason, file }) => (reason === NIGHTLY_ONLY ? [] : [file])))
    // `-t` skips whatever it does not select.
    const isFiltered = this.#vitest?.getGlobalTestNamePattern() !== undefined
    const own = tests.flatMap((test): SkippedPart[] => {
      const result = test.result()
      const file = test.module.moduleId
      if (result.state !== 'skipped') return []
      if (result.note !== undefined) return [{ reason: result.note, what: test.name, file }]
      if (isFiltered || explained.has(file)) return []
      const isOfNightly = /\b(testNightly|isNightly)\b/.test(readFileSync(file, 'utf8'))
      const reason = isOfNightly ? NIGHTLY_ONLY : 'no reason named'
      return [{ reason, what: `${relative(ROOT, file)}: ${test.name}`, file }]
    })
    const parts = new Map([...named, ...own].map((part) => [`${part.reason}\n${part.what}\n${part.file}`, part]))
    return [...parts.values()]
  }
}

function failuresIn(modules: readonly TestModule[], unhandled: readonly SerializedError[]): readonly FailedTest[] {
  const messageOf = (error: { readonly message?: string } | undefined): string => error?.message ?? 'no message'
  const inModules = modules.flatMap((module): FailedTest[] => {
    const file = module.relativeModuleId
    return [
      ...module.errors().map((error) => ({ file, message: messageOf(error) })),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ file, test: suite.name, message: messageOf(error) })),
      ),
      ...[...module.children.allTests('failed')].map((test) => ({
        file,
        test: test.name,
        message: messageOf(test.result().errors?.[0]),
      })),
    ]
  })
  return [
    ...inModules,
    ...unhandled.map((error) => ({ file: '', message: `outside of any test: ${messageOf(error)}` })),
  ]
}

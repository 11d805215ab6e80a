import type { SkippedPart } from './skipped-part.ts'

/** Logs are often read, or kept, from their end only. */
const LINES_MAX = 15
const REASONS_MAX = 6
const WIDTH_MAX = 160
/** Settings of the environment that decide what a test does: a failure is repeated with them. */
const DECIDING = ['MALIPO_NIGHTLY', 'MALIPO_TURN', 'MALIPO_SANDBOX_RAILS']

export interface FailedTest {
  readonly file: string
  /** Absent when the file itself fails, or a suite. */
  readonly test?: string
  readonly message: string
}

/** The outcome of a run, as it is summed up. */
export interface RunOutcome {
  readonly passed: number
  readonly files: number
  readonly seconds: number
  readonly skippedTests: number
  readonly skipped: readonly SkippedPart[]
  readonly failed: readonly FailedTest[]
}

const cut = (line: string): string => (line.length <= WIDTH_MAX ? line : `${line.slice(0, WIDTH_MAX - 1)}…`)

/** The command that runs a failed test again, in any shell: every character that one of them reads is a wildcard. */
export function repeatCommand({ file, test }: FailedTest, env: Readonly<NodeJS.ProcessEnv> = process.env): string {
  const settings = DECIDING.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]} `]))
  const pattern = test === undefined ? '' : ` -t "${test.replaceAll(/[^\w ,:-]/g, '.')}"`
  return `${settings.join('')}npx vitest run ${file}${pattern}`
}

/** The reason with most parts first. */
function byReason(parts: readonly SkippedPart[]): readonly (readonly [string, readonly string[]])[] {
  const whats = Map.groupBy(parts, ({ reason }) => reason)
  return [...whats]
    .map(([reason, group]) => [reason, group.map(({ what }) => what)] as const)
    .toSorted(([, one], [, other]) => other.length - one.length)
}

function firstOf(lines: readonly string[], max: number, rest: (count: number) => string): readonly string[] {
  return lines.length <= max ? lines : [...lines.slice(0, max - 1), rest(lines.length - max + 1)]
}

/**
 * The last lines of a run: what ran, what was skipped and why, what failed and how to repeat it.
 *
 * @param file has everything that is cut here
 */
export function closingLines(run: RunOutcome, file: string): readonly string[] {
  const reasons = firstOf(
    byReason(run.skipped).map(([reason, whats]) => cut(`skipped, ${reason} (${whats.length}): ${whats.join('; ')}`)),
    REASONS_MAX,
    (count) => `skipped for ${count} more reasons: ${file}`,
  )
  const failures = firstOf(
    run.failed.map((failed) => `failed: ${repeatCommand(failed)}`),
    LINES_MAX - 2 - reasons.length,
    (count) => `${count} more failed: ${file}`,
  )
  return [
    ...reasons,
    ...failures,
    `${run.files} test files in ${run.seconds} s; all that was skipped or failed: ${file}`,
    `tests: ${run.passed} passed, ${run.failed.length} failed, ${run.skippedTests} skipped`,
  ]
}

/** Everything that `closingLines` cuts. */
export function wholeSummary(run: RunOutcome, file: string): string {
  const skipped = byReason(run.skipped).flatMap(([reason, whats]) => [
    `skipped, ${reason}:`,
    ...whats.map((what) => `  ${what}`),
  ])
  const failed = run.failed.flatMap((each) => [
    `failed: ${repeatCommand(each)}`,
    ...each.message.split('\n').map((line) => `  ${line}`),
  ])
  return `${[...skipped, ...failed, ...closingLines(run, file).slice(-2)].join('\n')}\n`
}

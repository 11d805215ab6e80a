import { beginPart, type Finding, type Part, type PartResult, type RunOptions } from '../../harness/part.ts'
import {
  keyVariable,
  runSchemathesis,
  PHASES,
  type Failure,
  type Phase,
  type Profile,
  type Result,
} from '../../schemathesis-runner-wrapper/index.ts'
import { keepMoving } from '../../driver/clock.ts'
import { freshStart } from '../../driver/fresh-start.ts'
import { BARE, sandboxProfile } from './profiles.ts'

interface Size {
  readonly maxExamples: number
  readonly statefulExamplesMax: number
  readonly timeoutMs: number
}

export const SIZES: Readonly<Record<RunOptions['size'], Size>> = {
  'pull-request': { maxExamples: 20, statefulExamplesMax: 5, timeoutMs: 480_000 },
  // Together with the other parts at least 100,000 cases.
  nightly: { maxExamples: 6_000, statefulExamplesMax: 100, timeoutMs: 3 * 3_600_000 },
}

/**
 * What a pull request waits for. The coverage phase has most of the cases and of the seconds, and `declared` and
 * `inputs` send what it sends to the operations.
 */
const QUICK_PHASES = PHASES.filter((phase) => phase !== 'coverage')

/** A counter of eight digits: the length of references. */
const FRESH_VALUES = 1e8
/** Interval at which a stopped clock is advanced, while a program that does not know it sends requests. */
const TICK_MS = 200
const SCHEMES = { publicKey: 'PUBLIC_KEY', secretKey: 'SECRET_KEY' }

/**
 * Schemathesis on the contract as published. A copy with the business rules in its schemas is not needed: `inputs` asks
 * which combinations of fields must be accepted, and `declared` changes each key alone.
 */
export const schemathesisPart: Part = {
  name: 'schemathesis',
  what: 'fuzzing every operation from its schemas, all checks on',
  byOperation: true,
  runsBeside: true,
  async run(target, options) {
    const { seed, size, operations } = options
    const { done, skipped } = beginPart('schemathesis', seed)
    const stopClock = keepMoving(target.own, TICK_MS, TICK_MS)
    const run = (profile: Profile): Promise<Result> =>
      runSchemathesis({
        ...runOptions(target, options),
        keys: { publicKey: target.publicKey, secretKey: target.secretKey },
        profile,
        phases: phasesOf(target.sandbox && size === 'pull-request' ? QUICK_PHASES : PHASES, operations),
      })
    try {
      // Outside the sandbox nobody knows which payments a server accepts: the schemas alone have to do.
      const prepared = target.sandbox
        ? await run(sandboxProfile(target.contract, freshStart(target, seed, FRESH_VALUES)))
        : undefined
      const isPrepared = prepared !== undefined && !isUnprepared(prepared)
      const ran = isPrepared ? prepared : await run(BARE)
      const result = operations ? ofChosen(ran) : ran
      const reason = reasonOf(result, isPrepared ? undefined : prepared)
      const part = { ...figuresOf(result), findings: findingsOf(result) }
      if (result.status === 'unavailable') return skipped(result.reason ?? 'Schemathesis is not there', part)
      return done({ ...part, reason })
    } finally {
      await stopClock()
    }
  },
}

/** What a reader should know beside the findings. @param unprepared the run that needed more than the server has */
function reasonOf({ failures }: Result, unprepared: Result | undefined): string | undefined {
  const count = failures.filter(contradictsItself).length
  const reasons = [
    ...(unprepared ? [`the examples could not be made from the server's payments (${unprepared.reason ?? ''})`] : []),
    ...(count > 0
      ? [
          `${count} report${count === 1 ? '' : 's'} of Schemathesis dropped: by its own explanation the request was valid`,
        ]
      : []),
  ]
  return reasons.length > 0 ? reasons.join('; ') : undefined
}

/** What every run on a server has in common. */
export const runOptions = (
  { contract, url }: { readonly contract: string; readonly url: string },
  { seed, size, operations, signal, log }: RunOptions,
) => ({
  contract,
  server: { baseUrl: url },
  seed,
  ...SIZES[size],
  ...(operations && { include: { 'operation-id': operations } }),
  ...(signal && { signal }),
  log,
})

/** Sequences lead from one operation to another, so a run on some operations has none. */
export const phasesOf = (phases: readonly Phase[], operations: RunOptions['operations']): readonly Phase[] =>
  operations ? phases.filter((phase) => phase !== 'stateful') : phases

/** A result of a run on some operations: that it skips others, and checks that only others need, is no fault. */
export const ofChosen = (result: Result): Result => ({
  ...result,
  exclusions: { ...result.exclusions, operations: 0, checks: [] },
})

/** It ended before its first case: the server lacks what the profile needs. */
const isUnprepared = ({ status, cases }: Result): boolean => status === 'tool-error' && cases === 0

/** What was sent, and how often something was checked. */
export const figuresOf = ({ cases, checks }: Result): Pick<PartResult, 'cases' | 'checks'> => ({
  cases,
  checks: Object.values(checks).reduce((sum, { passed, failed }) => sum + passed + failed, 0),
})

export function findingsOf(result: Result): Finding[] {
  const { status, profile, reason, failures, exclusions } = result
  if (status === 'unavailable') return []
  const about = `profile ${profile}`
  const real = failures.filter((failure) => !contradictsItself(failure)).map((failure) => toFinding(failure))
  if (reason !== undefined) return [...real, { about, what: `Schemathesis came to no verdict (${status}): ${reason}` }]
  const others = [
    ...result.warnings.filter((warning) => !isOfOnePhase(warning, result)),
    ...exclusions.checks.map((check) => `the check ${check} never ran`),
    ...(exclusions.operations > 0 ? [`${exclusions.operations} operations were skipped`] : []),
    ...(exclusions.failures > 0 ? [`${exclusions.failures} failures were dropped`] : []),
  ]
  return [...real, ...others.map((what) => ({ about, what }))]
}

/**
 * Schemathesis warns of an operation when all requests of one phase were refused, which is chance with some seeds. An
 * operation that accepted a request of the same run does accept what its contract describes; one that answered 409 has
 * found what the request is about, in a state that cannot be chosen here.
 */
export function isOfOnePhase(warning: string, { perOperation }: Pick<Result, 'perOperation'>): boolean {
  const [, operation = ''] = /^(?:validation_mismatch|missing_test_data): (.+)$/.exec(warning) ?? []
  return Object.keys(perOperation[operation]?.statuses ?? {}).some((status) => /^2|^409$/.test(status))
}

/** Observed with 4.32: an unchanged request is reported as invalid, and its own explanation calls it valid. */
export const contradictsItself = ({ check, message }: Failure): boolean =>
  check === 'negative_data_rejection' && /^Invalid component: positive test case$/m.test(message)

/** @param variables of the security schemes: the wrapper has variables of its own */
export function toFinding(
  { operation, check, title, message, field, curl }: Failure,
  variables: Readonly<Record<string, string>> = SCHEMES,
): Finding {
  const reported = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 4)
    .join(' ')
  return {
    about: operation,
    what: `${check}: ${title}. ${reported}`,
    // One schema of the contract belongs to several operations.
    ...(field !== undefined && { cause: `${check} ${field}` }),
    curl: Object.entries(variables).reduce(
      (line, [scheme, variable]) => line.replaceAll(keyVariable(scheme), variable),
      curl,
    ),
  }
}

import {
  beginPart,
  type Finding,
  type Part,
  type PartResult,
  type RunOptions,
  type Target,
} from '../../harness/part.ts'
import {
  canonical,
  keys,
  keyVariable,
  runSchemathesis,
  PHASES,
  type Failure,
  type Phase,
  type Prepare,
  type Profile,
  type Result,
} from '../../schemathesis-runner-wrapper/index.ts'
import { freshStart } from '../../driver/fresh-start.ts'
import { admitEmptyFields } from './empty-fields.ts'
import { isRefusedByRule, profilesFor } from './profiles.ts'

interface Size {
  /** Providers of each method that the fuzz copy has branches for. */
  readonly providersMax: number
  readonly maxExamples: number
  readonly statefulExamplesMax: number
  readonly timeoutMs: number
}

export const SIZES: Readonly<Record<RunOptions['size'], Size>> = {
  'pull-request': { providersMax: 2, maxExamples: 20, statefulExamplesMax: 5, timeoutMs: 480_000 },
  // Together with the other parts at least 100,000 cases.
  nightly: { providersMax: Infinity, maxExamples: 5_100, statefulExamplesMax: 100, timeoutMs: 3 * 3_600_000 },
}

/**
 * What a pull request waits for. The coverage phase has most of the cases and of the seconds, and `declared` and
 * `inputs` send what it sends to the operations.
 */
const QUICK_PHASES: Readonly<Record<string, readonly Phase[]>> = {
  canonical: PHASES.filter((phase) => phase !== 'coverage'),
  fuzz: ['examples', 'fuzzing'],
}

/** Each profile has a range of its own for values that a server accepts only once. */
const SEEDS_APART = 7
/** A counter of eight digits: the length of references. */
const FRESH_VALUES = 1e8
/** Interval at which a stopped clock is advanced, while a program that does not know it sends requests. */
const TICK_MS = 200
const SCHEMES = { publicKey: 'PUBLIC_KEY', secretKey: 'SECRET_KEY' }

/** Schemathesis on the three copies of the contract. */
export const schemathesisPart: Part = {
  name: 'schemathesis',
  what: 'fuzzing every operation from its schemas, all checks on',
  byOperation: true,
  runsBeside: true,
  run: (target, options) =>
    // Without the sandbox's profiles there is less to spare.
    runProfiles(target, options, target.sandbox && options.size === 'pull-request' ? QUICK_PHASES : {}),
}

/** A pull request does without the profile that changes keys one by one: `declared` does that too. */
const chosenProfiles = (profiles: readonly Profile[], { size }: RunOptions): readonly Profile[] =>
  size === 'pull-request' ? profiles.filter(({ name }) => name !== 'keys') : profiles

/** Outside the sandbox nobody knows which payments a server accepts: the schemas alone have to do. */
const profilesOf = (target: Target, { size, seed }: RunOptions): readonly Profile[] =>
  target.sandbox ? profilesFor(SIZES[size].providersMax, freshStart(target, seed, FRESH_VALUES)) : bareProfiles

/** The unchanged contract: for servers that cannot be prepared. */
const bare: Prepare = async (contract) => admitEmptyFields(contract)
const bareProfiles: readonly Profile[] = [
  canonical({ prepare: bare, isBusinessRefusal: isRefusedByRule }),
  keys({ prepare: bare }),
]

/** Runs the profiles concurrently. A profile that cannot be prepared on this server runs unprepared. */
async function runProfiles(target: Target, options: RunOptions, phases: typeof QUICK_PHASES): Promise<PartResult> {
  const { seed, operations } = options
  const profiles = chosenProfiles(profilesOf(target, options), options)
  const results = beginPart('schemathesis', seed)
  const stopClock = moveClock(target)
  const reasons: string[] = []
  const run = (profile: Profile, index: number): Promise<Result> =>
    runSchemathesis({
      ...runOptions(target, { ...options, seed: seed + index * SEEDS_APART }),
      keys: { publicKey: target.publicKey, secretKey: target.secretKey },
      profile,
      phases: phasesOf(phases[profile.name] ?? PHASES, operations),
    })
  const runOrBare = async (profile: Profile, index: number): Promise<Result[]> => {
    const result = await run(profile, index)
    if (!isUnprepared(result) || profile.prepare === undefined || bareProfiles.includes(profile)) return [result]
    reasons.push(`profile ${profile.name} could not be made from the server's lookups (${result.reason ?? ''})`)
    const bare = bareProfiles.find(({ name }) => name === profile.name)
    return bare ? [await run(bare, index)] : []
  }
  try {
    const ran = (await Promise.all(profiles.map(runOrBare))).flat()
    return toPartResult(operations ? ran.map(ofChosen).filter(isAbout) : ran, reasons, results)
  } finally {
    await stopClock()
  }
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

/** Whether the profile's copy of the contract has one of the chosen operations: that of keys need not. */
export const isAbout = ({ status, cases, reason = '' }: Result): boolean =>
  !(status === 'config-error' && cases === 0 && NO_OPERATION.test(reason))

const NO_OPERATION = /no operation/i

/** It ended before its first case: the server lacks what the profile needs. */
const isUnprepared = ({ status, cases }: Result): boolean => status === 'tool-error' && cases === 0

function toPartResult(
  results: readonly Result[],
  reasons: readonly string[],
  { done, skipped }: ReturnType<typeof beginPart>,
): PartResult {
  const unavailable = results.find(({ status }) => status === 'unavailable')
  const ran = new Set(results.flatMap(({ checks }) => Object.keys(checks)))
  const findings = dropRepeated(results.flatMap((result) => findingsOf(result, ran)))
  const contradictions = results.flatMap(({ failures }) => failures).filter(contradictsItself).length
  const dropped = `${contradictions} report${contradictions === 1 ? '' : 's'} of Schemathesis dropped: by its own explanation the request was valid`
  const all = [unavailable?.reason, ...reasons, contradictions === 0 ? undefined : dropped]
  const reason = all.filter((each) => each !== undefined).join('; ')
  const figures = { findings, ...figuresOf(results) }
  if (unavailable && findings.length === 0) return skipped(reason, figures)
  return done({ ...figures, reason: reason === '' ? undefined : reason })
}

/** What was sent, and how often something was checked. */
export const figuresOf = (results: readonly Result[]): Pick<PartResult, 'cases' | 'checks'> => ({
  cases: results.reduce((sum, { cases }) => sum + cases, 0),
  checks: results
    .flatMap(({ checks }) => Object.values(checks))
    .reduce((sum, { passed, failed }) => sum + passed + failed, 0),
})

/** @param ran checks that ran in some profile: one that left out phases need not have all of them */
export function findingsOf(result: Result, ran: ReadonlySet<string>): Finding[] {
  const { status, profile, reason, failures, exclusions } = result
  const warnings = result.warnings.filter((warning) => !isOfOnePhase(warning, result))
  const excluded = [
    ...exclusions.checks
      .filter((check) => exclusions.phases.length === 0 || !ran.has(check))
      .map((check) => `the check ${check} never ran`),
    ...(exclusions.operations > 0 ? [`${exclusions.operations} operations were skipped`] : []),
    ...(exclusions.failures > 0 ? [`${exclusions.failures} failures were dropped`] : []),
  ]
  if (status === 'unavailable') return []
  const real = failures.filter((failure) => !contradictsItself(failure))
  if (reason !== undefined)
    return [
      ...real.map((failure) => toFinding(failure)),
      { about: `profile ${profile}`, what: `Schemathesis came to no verdict (${status}): ${reason}` },
    ]
  return [
    ...real.map((failure) => toFinding(failure)),
    ...[...warnings, ...excluded].map((what) => ({ about: `profile ${profile}`, what })),
  ]
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

/** Two profiles find the same defect. */
function dropRepeated(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ about, what }: Finding): string => `${about} ${what.split('. ', 1)[0]}`
  return [...new Map(findings.toReversed().map((finding) => [keyOf(finding), finding])).values()].toReversed()
}

/** Runs the gateway's jobs until it is stopped. */
function moveClock({ own }: Target): () => Promise<void> {
  if (!own) return async () => undefined
  let running = true
  const loop = (async () => {
    while (running) {
      await own.advance(TICK_MS)
      await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    }
  })()
  // It may fail before anybody awaits it; the error reaches whoever does.
  loop.catch(() => undefined)
  return async () => {
    running = false
    await loop
  }
}

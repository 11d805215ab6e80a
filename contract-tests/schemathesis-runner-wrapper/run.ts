import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readContract, schemesOf } from './contract.ts'
import { installSchemathesis, lockedVersion } from './install.ts'
import { junitXml } from './junit.ts'
import type { OpenApiDocument } from './openapi.ts'
import { createRedact, KEY_LENGTH_MIN, redactReport, type Redact } from './redact.ts'
import { readReport, type Findings } from './report.ts'
import { freePort, probe } from './server.ts'
import { keyVariable, settingsFile } from './settings.ts'
import { ConfigError, type Keys, type Result, type RunOptions, type Running, type Status } from './types.ts'

const DEFAULTS = { seed: 1, maxExamples: 20, statefulExamplesMax: 5, timeoutMs: 600_000, requestTimeoutMs: 10_000 }

/** Ends a run without a verdict. */
class NoVerdict extends Error {
  readonly status: Status
  constructor(status: Status, reason: string) {
    super(reason)
    this.status = status
  }
}

/** Tests a server with one profile. Never throws for what others may do: `status` tells, `reason` says why. */
export async function runSchemathesis(options: RunOptions): Promise<Result> {
  const startedAt = Date.now()
  const version = await lockedVersion()
  const { profile, seed = DEFAULTS.seed } = options
  const nothing = {
    profile: profile.name,
    seed,
    version,
    cases: 0,
    failures: [],
    perOperation: {},
    checks: {},
    warnings: [],
    exclusions: { checks: [], operations: 0, failures: 0 },
    businessRefusals: 0,
  }
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-runner-'))
  const keeper = new Keeper(options.reportDir, profile.name)
  let result: Result
  try {
    result = { ...nothing, ...(await tested(options, folder, keeper)), durationMs: Date.now() - startedAt }
  } catch (error) {
    const reason = keeper
      .redact(error instanceof Error ? error.message : String(error))
      .replaceAll(/\s*\n\s*/g, ' ')
      .slice(0, 500)
    result = { ...nothing, status: statusOf(error), reason, durationMs: Date.now() - startedAt }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return keeper.keepResult(result)
}

function statusOf(error: unknown): Result['status'] {
  if (error instanceof NoVerdict) return error.status
  return error instanceof ConfigError ? 'config-error' : 'tool-error'
}

type Tested = Findings & Pick<Result, 'status' | 'warnings'> & { readonly reason?: string }

async function tested(options: RunOptions, folder: string, keeper: Keeper): Promise<Tested> {
  const { profile, env = process.env, log = () => undefined, requestTimeoutMs = DEFAULTS.requestTimeoutMs } = options
  checkNumbers(options)
  const published = await readContract(options.contract)
  const thrownAway = throwAwayKeys(published)
  const unknown = Object.keys(options.keys ?? {}).find((name) => !(name in thrownAway))
  if (unknown !== undefined)
    throw new ConfigError(
      `the contract has no security scheme ${unknown} in use, only ${Object.keys(thrownAway).join(', ') || 'none'}`,
    )
  const given = { ...thrownAway, ...options.keys }
  keeper.hide(given)
  const installed = await installSchemathesis({ cacheDir: options.cacheDir, env, log })
  if ('unavailable' in installed) throw new NoVerdict('unavailable', installed.unavailable)

  const running: Running =
    'start' in options.server ? await options.server.start({ port: await freePort(), keys: given }) : options.server
  const baseUrl = running.baseUrl.replace(/\/+$/, '')
  try {
    const keys = { ...given, ...running.keys }
    keeper.hide(keys)
    const answer = await probe(baseUrl, requestTimeoutMs)
    if (answer === 'refuses') throw new NoVerdict('tool-error', `nothing answers at ${baseUrl}`)
    if (answer === 'hangs')
      throw new NoVerdict('timeout', `${baseUrl} took a connection and did not answer within ${requestTimeoutMs} ms`)
    const contract = (await profile.prepare?.(published, { baseUrl, keys })) ?? published
    const { report, summary, output, killed } = await runTool({
      options,
      python: installed.python,
      folder,
      contract,
      baseUrl,
      keys,
    })
    await keeper.keep({ report, summary, output, contract: JSON.stringify(contract, undefined, 2) })
    const findings = readReport(report, { baseUrl, keys, isBusinessRefusal: profile.isBusinessRefusal })
    return {
      ...redacted(findings, keeper.redact),
      warnings: warningsOf(summary),
      ...verdict(findings, { killed, output, ...options }),
    }
  } finally {
    await running.stop?.()
  }
}

const NUMBERS = [
  'seed',
  'maxExamples',
  'statefulExamplesMax',
  'failuresMax',
  'timeoutMs',
  'requestTimeoutMs',
] as const satisfies readonly (keyof RunOptions)[]

function checkNumbers(options: RunOptions): void {
  for (const name of NUMBERS) {
    const value = options[name]
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1))
      throw new ConfigError(`${name} must be a whole number above 0, not ${value}`)
  }
}

/** New ones at every run, so that a kept report could not be used even if one got into it. */
function throwAwayKeys(contract: OpenApiDocument): Keys {
  return Object.fromEntries(
    schemesOf(contract).map(({ name, kind }) => [
      name,
      `${kind === 'basic' ? 'throwaway:' : ''}throwaway_${randomBytes(12).toString('hex')}`,
    ]),
  )
}

function verdict(
  findings: Findings,
  {
    killed,
    output,
    timeoutMs = DEFAULTS.timeoutMs,
  }: Pick<RunOptions, 'timeoutMs'> & { killed: boolean; output: string },
): { status: Status; reason?: string } {
  const { errors, loaded, stopReason, cases, failures } = findings
  const [firstError] = errors
  const timeout = errors.find(({ type }) => /timeout/i.test(type))
  if (killed)
    return {
      status: 'timeout',
      reason: `the run was ended after ${timeoutMs} ms${cases > 0 ? `, ${cases} cases in` : ''}`,
    }
  if (!loaded) return { status: 'config-error', reason: firstError?.message ?? plainLines(output) }
  if (timeout) return { status: 'timeout', reason: timeout.message }
  if (firstError)
    return {
      status: /Schema|Hook|Configuration/.test(firstError.type) ? 'config-error' : 'tool-error',
      reason: firstError.message,
    }
  const enough = stopReason === 'failure_limit' && failures.length > 0
  if (stopReason !== 'completed' && !enough)
    return {
      status: 'tool-error',
      reason: stopReason ? `Schemathesis stopped early: ${stopReason}` : plainLines(output),
    }
  if (cases === 0) return { status: 'config-error', reason: 'nothing was tested: the contract has no operation' }
  return { status: failures.length > 0 ? 'findings' : 'passed' }
}

/** What the tool said, without its head and its drawings. */
const plainLines = (output: string): string =>
  output
    .split('\n')
    .slice(2)
    .join(' ')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim() || 'Schemathesis said nothing'

const redacted = (findings: Findings, redact: Redact): Findings => ({
  ...findings,
  failures: findings.failures.map((failure) => ({
    ...failure,
    title: redact(failure.title),
    message: redact(failure.message),
    curl: redact(failure.curl),
  })),
})

interface ToolSummary {
  readonly warnings?: Readonly<Record<string, readonly string[]>>
}

function warningsOf(summary: string): string[] {
  const { warnings = {} } = (summary === '' ? {} : JSON.parse(summary)) as ToolSummary
  return Object.entries(warnings).flatMap(([name, places]) =>
    (Array.isArray(places) ? places : Object.keys(places)).map((place) => `${name}: ${place}`),
  )
}

interface ToolRun {
  readonly options: RunOptions
  readonly python: string
  /** Private to this run, and removed with it: it holds unredacted reports. */
  readonly folder: string
  readonly contract: OpenApiDocument
  readonly baseUrl: string
  readonly keys: Keys
}

interface ToolOutput {
  readonly report: string
  readonly summary: string
  readonly output: string
  readonly killed: boolean
}

async function runTool(run: ToolRun): Promise<ToolOutput> {
  const { options, folder, contract, baseUrl } = run
  const { profile, log = () => undefined } = options
  const settings = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }
  const file = (name: string) => join(folder, name)
  await writeFile(file('contract.json'), JSON.stringify(contract))
  const judgesBadRequests = profile.isBusinessRefusal !== undefined
  await writeFile(
    file('schemathesis.toml'),
    settingsFile({
      ...settings,
      schemes: schemesOf(contract),
      judgesBadRequests,
      ...(profile.expectedStatuses && { expectedStatuses: profile.expectedStatuses }),
    }),
  )
  await copyFile(new URL('./hooks.py', import.meta.url), file('runner_hooks.py'))
  log(`Testing ${baseUrl} with Schemathesis, profile ${profile.name}, seed ${settings.seed}`)
  const { output, killed } = await ended(startTool(run, file), settings.timeoutMs)
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => '')
  return { report: await read('report.ndjson'), summary: killed ? '' : await read('report.json'), output, killed }
}

function startTool({ options, python, folder, baseUrl, keys }: ToolRun, file: (name: string) => string) {
  const { profile, seed = DEFAULTS.seed, env = process.env } = options
  const start = ['-m', 'schemathesis.cli', '--config-file', file('schemathesis.toml')]
  const run = ['run', file('contract.json'), '--url', baseUrl, '--no-color', '--report', 'ndjson,json']
  const reports = ['--report-ndjson-path', file('report.ndjson'), '--report-json-path', file('report.json')]
  return spawn(python, [...start, ...run, ...reports], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: env.PATH,
      LANG: 'C.UTF-8',
      PYTHONHASHSEED: '0',
      PYTHONDONTWRITEBYTECODE: '1',
      HYPOTHESIS_STORAGE_DIRECTORY: file('hypothesis'),
      SCHEMATHESIS_RUNNER_SEED: String(seed),
      SCHEMATHESIS_RUNNER_FRESH: JSON.stringify(profile.freshValues ?? []),
      ...Object.fromEntries(Object.entries(keys).flatMap(([name, key]) => variablesOf(keyVariable(name), key))),
    },
  })
}

/** A key, and both halves of one that is `user:password`. */
function variablesOf(variable: string, key: string): [string, string][] {
  const end = key.indexOf(':')
  const halves: [string, string][] = [
    [`${variable}_USER`, key.slice(0, end)],
    [`${variable}_PASSWORD`, key.slice(end + 1)],
  ]
  return [[variable, key], ...(end < 0 ? [] : halves)]
}

/** Waits for the end, with all that the tool has started. */
async function ended(
  child: ReturnType<typeof startTool>,
  timeoutMs: number,
): Promise<Pick<ToolOutput, 'output' | 'killed'>> {
  let [output, killed] = ['', false]
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', end)
  const late = setTimeout(() => {
    killed = true
    end()
  }, timeoutMs)
  await new Promise<void>((resolve) => void child.once('close', () => resolve()))
  clearTimeout(late)
  process.off('exit', end)
  return { output, killed }
}

/** Keeps reports, and never a key. */
class Keeper {
  redact: Redact = (text) => text
  readonly #folder: string | undefined

  constructor(reportDir: string | undefined, profile: string) {
    this.#folder = reportDir === undefined ? undefined : join(reportDir, profile)
  }

  /** @throws ConfigError for a key that could not be told from innocent text */
  hide(keys: Keys): void {
    for (const [name, key] of Object.entries(keys))
      if (key.length < KEY_LENGTH_MIN)
        throw new ConfigError(
          `the key of ${name} has fewer than ${KEY_LENGTH_MIN} characters: it could not be told from other text in the reports`,
        )
    this.redact = createRedact(keys)
  }

  async keep({ report, summary, output, contract }: Omit<ToolOutput, 'killed'> & { contract: string }): Promise<void> {
    if (this.#folder === undefined) return
    await mkdir(this.#folder, { recursive: true })
    const whole = report.slice(0, report.lastIndexOf('\n') + 1)
    const files = {
      'report.ndjson': redactReport(whole, this.redact),
      'report.json': this.redact(summary),
      'output.txt': this.redact(output),
      'contract.json': this.redact(contract),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(this.#folder, name), text)
  }

  async keepResult(result: Result): Promise<Result> {
    if (this.#folder === undefined) return result
    const kept = { ...result, reportDir: this.#folder }
    await mkdir(this.#folder, { recursive: true })
    await writeFile(join(this.#folder, 'junit.xml'), junitXml([kept]))
    await writeFile(join(this.#folder, 'result.json'), `${JSON.stringify(kept, undefined, 2)}\n`)
    return kept
  }
}

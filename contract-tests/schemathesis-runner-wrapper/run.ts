import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBridge } from './bridge.ts'
import { checkOptions, DEFAULTS } from './defaults.ts'
import { installSchemathesis, lockedVersion } from './install.ts'
import { ReportWriter } from './keeper.ts'
import { KeyRing } from './key-ring.ts'
import type { OpenApiDocument } from './openapi.ts'
import { ConfigError, type Keys, type RunOptions, type RunningServer } from './options.ts'
import { packageFile } from './package-files.ts'
import { runToEnd } from './processes.ts'
import { withoutPython } from './python.ts'
import { readContract, type ParseYaml } from './read-contract.ts'
import { redactValue } from './redact.ts'
import { readReport, type Findings } from './report.ts'
import { schemesOf, tokensAsBearer, type Scheme } from './schemes.ts'
import { excludedPhases, keyVariable } from './settings.ts'
import { freePort, probe } from './server.ts'
import { runTool, type ToolRun } from './tool.ts'
import { NoVerdict, type Result } from './types.ts'
import { verdict, warningsOf } from './verdict.ts'

/** Tests a server with one profile. Never throws for errors of others: see `status` and `reason`. */
export async function runSchemathesis(options: RunOptions): Promise<Result> {
  const startedAt = Date.now()
  const { profile, seed = DEFAULTS.seed } = options
  const nothing = {
    profile: profile.name,
    seed,
    version: await lockedVersion(),
    cases: 0,
    failures: [],
    perOperation: {},
    checks: {},
    warnings: [],
    exclusions: { phases: excludedPhases(options.phases), checks: [], operations: 0, failures: 0 },
    businessRefusals: 0,
  }
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-runner-'))
  const keeper = new ReportWriter(options)
  let result: Result
  try {
    result = { ...nothing, ...(await tested(options, folder, keeper)), durationMs: Date.now() - startedAt }
  } catch (error) {
    const reason = keeper
      .redact(error instanceof Error ? error.message : String(error))
      .replaceAll(/\s*\n\s*/g, ' ')
      .slice(0, 500)
    result = { ...nothing, status: statusOf(error, options), reason, durationMs: Date.now() - startedAt }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return keeper.keepResult(result)
}

function statusOf(error: unknown, { signal }: RunOptions): Result['status'] {
  if (signal?.aborted === true) return 'aborted'
  if (error instanceof NoVerdict) return error.status
  return error instanceof ConfigError ? 'config-error' : 'tool-error'
}

type RunOutcome = Findings & Pick<Result, 'status' | 'warnings' | 'version'> & { readonly reason?: string }

async function tested(options: RunOptions, folder: string, keeper: ReportWriter): Promise<RunOutcome> {
  const { env = process.env, log = () => undefined, signal } = options
  checkOptions(options)
  const installed = await installSchemathesis({ ...options, env, log })
  signal?.throwIfAborted()
  if ('unavailable' in installed) throw new NoVerdict('unavailable', installed.unavailable)
  const published = await readContract(options.contract, parseYaml(installed.python, options))
  const ring = await openKeys(published, options)
  keeper.hide(ring.issued)

  const running: RunningServer =
    'start' in options.server ? await options.server.start({ port: await freePort(), keys: ring.keys }) : options.server
  const baseUrl = running.baseUrl.replace(/\/+$/, '')
  try {
    signal?.throwIfAborted()
    ring.replace(running.keys ?? {})
    keeper.hide(ring.issued)
    await mustAnswer(baseUrl, options)
    const prepared = (await options.profile.prepare?.(published, { baseUrl, keys: ring.keys })) ?? published
    const contract = tokensAsBearer(prepared)
    const output = await runBridged({ options, python: installed.python, folder, contract, baseUrl }, ring)
    keeper.hide(ring.issued)
    await keeper.keep(output, JSON.stringify(contract, undefined, 2))
    const { isBusinessRefusal } = options.profile
    const findings = readReport(output.report, {
      baseUrl,
      keys: ring.issued,
      isBusinessRefusal,
      phases: options.phases,
      contract,
    })
    return {
      ...findings,
      failures: redactValue(findings.failures, keeper.redact),
      version: installed.version,
      warnings: warningsOf(output.summary),
      ...redactValue(verdict(findings, output, options), keeper.redact),
    }
  } finally {
    await running.stop?.()
  }
}

/**
 * The keys of a run: given ones, then those of the environment; for other schemes, throw-away keys.
 *
 * @throws ConfigError for a key that no operation of the contract needs
 */
async function openKeys(
  contract: OpenApiDocument,
  { keys = {}, env = process.env }: Pick<RunOptions, 'keys' | 'env'>,
): Promise<KeyRing> {
  const schemes = schemesOf(contract)
  const names = schemes.map(({ name }) => name)
  const unknown = Object.keys(keys).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ConfigError(`the contract has no security scheme ${unknown} in use, only ${names.join(', ') || 'none'}`)
  const inEnvironment = schemes.flatMap(({ name }): [string, string][] => {
    const key = env[keyVariable(name)]
    return key === undefined ? [] : [[name, key]]
  })
  return KeyRing.open({ ...throwAwayKeys(schemes), ...Object.fromEntries(inEnvironment), ...keys })
}

/** New at every run: a kept report could not be misused even if one leaked into it. */
const throwAwayKeys = (schemes: readonly Scheme[]): Keys =>
  Object.fromEntries(
    schemes.map(({ name, kind }) => [
      name,
      `${kind === 'basic' ? 'throwaway:' : ''}throwaway_${randomBytes(12).toString('hex')}`,
    ]),
  )

const YAML_MS_MAX = 60_000

const parseYaml =
  (python: string, { env = process.env, signal }: RunOptions): ParseYaml =>
  async (text) => {
    const command = [python, '-W', 'ignore', '-X', 'utf8', packageFile('parse-yaml.py')]
    const given = { env: withoutPython(env), timeoutMs: YAML_MS_MAX, input: text, signal }
    const { code, output } = await runToEnd(command, given)
    if (code !== 0) throw new Error(output)
    return JSON.parse(output) as unknown
  }

async function mustAnswer(baseUrl: string, { requestTimeoutMs = DEFAULTS.requestTimeoutMs }: RunOptions) {
  const answer = await probe(baseUrl, requestTimeoutMs)
  if (answer === 'refuses') throw new NoVerdict('tool-error', `nothing answers at ${baseUrl}`)
  if (answer === 'hangs')
    throw new NoVerdict('timeout', `${baseUrl} took a connection and did not answer within ${requestTimeoutMs} ms`)
}

/** With hooks for every request, where there are any. @throws whatever a hook throws */
async function runBridged(run: Omit<ToolRun, 'keys' | 'bridge' | 'signal'>, ring: KeyRing) {
  const { beforeRequest, signal: outer } = run.options
  const failed = new AbortController()
  const signal = outer ? AbortSignal.any([outer, failed.signal]) : failed.signal
  const bridge =
    beforeRequest || ring.hasEnds
      ? await openBridge({ ring, beforeRequest, onFault: (error) => failed.abort(error) })
      : undefined
  try {
    const output = await runTool({ ...run, keys: ring.keys, bridge: bridge?.address, signal })
    const fault: unknown = failed.signal.reason
    if (failed.signal.aborted) throw fault instanceof Error ? fault : new Error(String(fault))
    return output
  } finally {
    bridge?.close()
  }
}

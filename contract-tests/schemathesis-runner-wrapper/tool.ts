import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULTS } from './defaults.ts'
import { filterArguments } from './filters.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Environment, Keys, RunOptions } from './options.ts'
import { packageFile } from './package-files.ts'
import { runToEnd } from './processes.ts'
import { tablesOf } from './python.ts'
import { schemesOf } from './schemes.ts'
import { keyVariable, settingsFile } from './settings.ts'

export interface ToolRun {
  readonly options: RunOptions
  readonly python: string
  /** Private to this run, and removed with it: it holds unredacted reports. */
  readonly folder: string
  readonly contract: OpenApiDocument
  readonly baseUrl: string
  readonly keys: Keys
  /** Address of the hooks, if there are any. */
  readonly bridge: string | undefined
  readonly signal: AbortSignal
}

export interface ToolOutput {
  /** NDJSON: the events of Schemathesis, possibly incomplete. */
  readonly report: string
  /** JSON: its own summary. Empty when it was killed. */
  readonly summary: string
  /** HTTP archive of all requests. Empty when it is not kept, or the run was killed. */
  readonly har: string
  readonly output: string
  readonly isLate: boolean
}

/** Runs Schemathesis once, in a folder and an environment of its own. */
export async function runTool(run: ToolRun): Promise<ToolOutput> {
  const { options, folder, contract, baseUrl, python, signal } = run
  const { profile, log = () => undefined, reportDir, include, exclude } = options
  const settings = { ...DEFAULTS, ...given(options) }
  const file = (name: string) => join(folder, name)
  await writeFile(file('contract.json'), JSON.stringify(contract))
  await writeFile(
    file('schemathesis.toml'),
    settingsFile({
      ...settings,
      schemes: schemesOf(contract),
      judgesBadRequests: profile.isBusinessRefusal !== undefined,
      ...(profile.expectedStatuses && { expectedStatuses: profile.expectedStatuses }),
    }),
  )
  await copyFile(packageFile('hooks.py'), file('runner_hooks.py'))
  log(`Testing ${baseUrl} with Schemathesis, profile ${profile.name}, seed ${settings.seed}`)
  const kinds = ['ndjson', 'json', ...(reportDir === undefined ? [] : ['har'])]
  const reports = kinds.flatMap((kind) => [`--report-${kind}-path`, file(`report.${kind}`)])
  const start = [python, '-m', 'schemathesis.cli', '--config-file', file('schemathesis.toml'), 'run']
  const chosen = [...filterArguments('include', include), ...filterArguments('exclude', exclude)]
  const target = [file('contract.json'), '--url', baseUrl, '--no-color', '--report', kinds.join(',')]
  const { output, isLate } = await runToEnd([...start, ...target, ...reports, ...chosen], {
    cwd: folder,
    env: environment(run),
    timeoutMs: settings.timeoutMs,
    signal,
  })
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => '')
  const whole = (name: string) => (isLate || signal.aborted ? '' : read(name))
  return {
    report: await read('report.ndjson'),
    summary: await whole('report.json'),
    har: await whole('report.har'),
    output,
    isLate,
  }
}

const given = (options: RunOptions): Partial<RunOptions> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Variables that Python needs on Windows, and configured certificates; nothing else is passed on. */
const KEPT = ['PATH', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'LOCALAPPDATA', 'REQUESTS_CA_BUNDLE', 'SSL_CERT_FILE']

function environment({ options, python, keys, bridge }: ToolRun): Environment {
  const { profile, seed = DEFAULTS.seed, env = process.env } = options
  return {
    ...Object.fromEntries(KEPT.map((name) => [name, env[name]])),
    LANG: 'C.UTF-8',
    PYTHONUTF8: '1',
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    HYPOTHESIS_STORAGE_DIRECTORY: tablesOf(python),
    SCHEMATHESIS_RUNNER_SEED: String(seed),
    SCHEMATHESIS_RUNNER_FRESH: JSON.stringify(profile.freshValues ?? []),
    SCHEMATHESIS_RUNNER_BRIDGE: bridge,
    ...Object.fromEntries(Object.entries(keys).flatMap(([name, key]) => variablesOf(keyVariable(name), key))),
  }
}

/** A key, and both halves of `user:password`. */
function variablesOf(variable: string, key: string): [string, string][] {
  const end = key.indexOf(':')
  const halves: [string, string][] = [
    [`${variable}_USER`, key.slice(0, end)],
    [`${variable}_PASSWORD`, key.slice(end + 1)],
  ]
  return [[variable, key], ...(end < 0 ? [] : halves)]
}

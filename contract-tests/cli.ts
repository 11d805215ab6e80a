#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command, CommanderError } from 'commander'
import { note, print, quietOnBrokenPipe } from '../server/admin/cli/output.ts'
import { summaryText } from './report/print.ts'
import { annotations, unobeyed } from './report/annotations.ts'
import { progressHere } from './report/progress.ts'
import { REPORT_FILES, writeReports } from './report/report-files.ts'
import { openContract } from './foreign/contract-file.ts'
import { foreignSettings } from './foreign/settings.ts'
import { FOREIGN_PARTS, runForeignSuite, type ForeignSettings } from './foreign/suite.ts'
import { judgeRecorded } from './recorded/run.ts'
import { contractLines } from './schemathesis-runner-wrapper/contract-lines.ts'
import {
  CONTRACT,
  readSettings,
  recordedSettings,
  runSettings,
  type SuiteSettings,
  type RunSettings,
  type Settings,
} from './settings.ts'
import { choiceSince, nothingTested } from './since/choice-since.ts'
import { UsageError } from './usage-error.ts'
import { PARTS, runSuite } from './suite.ts'
import type { SuiteResult } from './suite-result.ts'
import type { ScratchDatabases } from '../server/verification/testing/scratch-databases.ts'
import { whyUnreachable, whyUntestable } from './driver/reach.ts'

/** What a person types: the sources are run in a clone only. */
const COMMAND = import.meta.url.endsWith('.ts') ? 'npm run test:contract --' : 'npx --no -- malipo-contract-tests'

const AFTER_HELP = `
Parts:
${PARTS.map(({ name, what }) => `  ${name.padEnd(14)}${what}`).join('\n')}
  arranged      settings of staff; 429, 500 and 503 of every operation (own gateways only)
With the contract of another API: ${FOREIGN_PARTS.map(({ name }) => name).join(', ')}; the others need Malipo's own operations.

Pass keys in the environment: PUBLIC_KEY, SECRET_KEY, SIGNING_KEY, WEBHOOK_SECRET, and the same
of a second account with OTHER_ before them. No key is printed or kept.
Those of another API: KEY_ and the name of the security scheme, accessToken is KEY_ACCESS_TOKEN; or --security accessToken=@file.
In GitHub Actions findings are annotations at the lines of the contract, summary.md is the summary of the step,
and findings (their number) and report-dir are its outputs. action.yml is all of it as one step.
REQUIRE_SCHEMATHESIS=1 makes a missing Python a failure. NODE_EXTRA_CA_CERTS names a PEM file with the authority of a server's own certificate.

Exit codes: 0 the contract is kept, 1 findings or too little coverage (see --fail-on), 2 wrong usage, or the server cannot
be reached or refuses the keys, 130 interrupted (SIGINT, SIGTERM): the report has what ran so far.

Example:
  $ ${COMMAND} --url http://127.0.0.1:8080 --only declared,schemathesis
  $ ${COMMAND} --contract library.yaml --url http://127.0.0.1:9101 --values library.values.json`

/** As a shell names a program that SIGINT has ended. */
const INTERRUPTED = 130

const joined = (value: string, before?: string): string => (before === undefined ? value : `${before},${value}`)
const several = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

const program = new Command(COMMAND)
  .description('Tests a server against the contract: ours, started for it, or any other by its address.')
  .option('--url <address>', 'a server that is running; absent: gateways of our own (in a clone of Malipo)')
  .option('--public-key <key>', 'absent: the demo merchant of the sandbox')
  .option('--secret-key <key>')
  .option('--sandbox', 'the server has the providers and test numbers of the sandbox (known for the demo keys)')
  .option('--test-account', 'the account moves no real money; needed for any other keys on another machine')
  .option(
    '--receiver-port <port>',
    'port of this machine that the callback and verification URLs of the account lead to',
  )
  .option('--signing-key <key>', 'what hmac-signature is made with')
  .option('--webhook-secret <secret>', 'what webhook-signature is made with: whsec_…')
  .option('--other-public-key <key>', 'of a second account on the same server: part apart')
  .option('--other-secret-key <key>')
  .option('--other-signing-key <key>', 'with --receiver-port: what callbacks of the second account are signed with')
  .option('--other-webhook-secret <secret>')
  .option(
    '--contract <file>',
    "OpenAPI 3.1 in JSON or YAML, of any API; with Malipo's operations all parts run; absent: generated/openapi.json",
  )
  .option('--security <scheme=value>', "a credential of another API's contract; =@file reads it from there", several)
  .option('--header <line>', "'Name: value' for every request to another API; @file has one a line", several)
  .option('--values <file>', "JSON: valid parameters and bodies of another API's server, by operationId")
  .option('--paths <prefix>', "only operations of another API's contract whose path begins so")
  .option('--only <parts>', 'names of parts, with commas; repeatable', joined)
  .option(
    '--only-operation <id>',
    'only requests to this operation, in the parts that test single operations; repeatable',
    several,
  )
  .option(
    '--since <git ref>',
    'only operations whose declaration differs from that of the contract in this commit; all, when a shared part differs',
  )
  .option(
    '--recorded <file>',
    'judge traffic in a HAR file, and send nothing; repeatable: that of the server, that of the receiver',
    several,
  )
  .option(
    '--only-user',
    'nobody else moves the money of the account, so balances are added up; absent: so for a sandbox on this machine',
  )
  .option('--no-only-user', 'somebody else may: balances are not added up')
  .option('--seed <number>', 'the same seed sends the same requests; absent: 1')
  .option('--nightly', 'at least 100,000 cases instead of a minute of work')
  .option(
    '--coverage-min <percent>',
    'fail below; absent: package.json for a whole run on our own gateway, otherwise none',
  )
  .option('--report-dir <folder>', 'where reports are written; absent: dist/contract-tests')
  .option('--fail-on <what>', 'findings, warnings (and findings), or nothing; absent: findings')
  .exitOverride()
  .showHelpAfterError('Add --help to see the options, with an example.')
  .addHelpText('after', AFTER_HELP)

/** Prints the progress of a run. */
function progressCallbacks() {
  const { begin, exchange, end } = progressHere()
  return { log: () => undefined, onPart: begin, onExchange: exchange, onResult: end }
}

/** @throws UsageError when there is a reason */
async function refuseFor(reason: Promise<string | undefined>): Promise<void> {
  const why = await reason
  if (why !== undefined) throw new UsageError(why)
}

/**
 * Aborted by the first SIGINT or SIGTERM: what ran so far is reported then. A second one ends at once.
 * Whatever the run has started ends with this process.
 */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      // Parts that are still at work meet a server that is gone.
      process.on('unhandledRejection', () => undefined)
      note(`${name}: the run ends; the report has what ran so far`)
      controller.abort()
    })
  return controller.signal
}

/** How a run is limited and ended. */
interface RunScope extends Pick<SuiteResult, 'scope'> {
  readonly signal: AbortSignal
}

async function run(settings: Settings, { signal, ...scope }: RunScope): Promise<0 | 1> {
  const { target, coverageMin: _min, reportDir: _dir, failOn: _on, ...options } = settings
  if (target) await refuseFor(whyUntestable(target))
  const databases = target ? undefined : await databasesOfOurOwn()
  try {
    const result = await runSuite({
      ...options,
      ...progressCallbacks(),
      signal,
      ...(target && { given: target }),
      ...(databases && { databases }),
    })
    return await report({ ...result, ...scope }, settings, settings.contract)
  } finally {
    await databases?.close().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}

/** The package has none of our gateway. @throws UsageError outside a clone */
async function databasesOfOurOwn(): Promise<ScratchDatabases> {
  const { startScratchDatabases } = await import('../server/verification/testing/scratch-databases.ts').catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new UsageError(
        "Without --url it starts Malipo's own gateway, which only a clone of Malipo has, after npm ci",
      )
    },
  )
  return startScratchDatabases()
}

/** Runs the general parts on a server of another API, with its contract. */
async function runForeign(settings: ForeignSettings, { signal, ...scope }: RunScope): Promise<0 | 1> {
  const { file, url, contract, coverageMin } = settings
  await refuseFor(whyUnreachable(url))
  const { title = 'without a title', version = '' } = contract.document.info ?? {}
  const count = contract.operations.filter(({ kind }) => kind === 'operation').length
  const wanted =
    coverageMin === undefined
      ? 'no minimum coverage (--coverage-min)'
      : `at least ${coverageMin} % of it must be covered`
  note(`${file}: ${title} ${version}, ${count} operations, at ${url}; ${wanted}`)
  const result = await runForeignSuite({ ...settings, ...progressCallbacks(), signal })
  return report({ ...result, ...scope }, settings, file)
}

/** Prints and writes the result. @returns the exit code */
async function report(result: SuiteResult, settings: RunSettings, contract: string): Promise<0 | 1> {
  const { coverageMin, reportDir, only, operations } = settings
  const { GITHUB_ACTIONS, GITHUB_WORKSPACE = process.cwd(), GITHUB_STEP_SUMMARY, GITHUB_OUTPUT } = process.env
  const summary = summaryText(result, coverageMin)
  const places = await contractLines(pathToFileURL(resolve(contract)), GITHUB_WORKSPACE)
  const isWhole = only === undefined && operations === undefined && result.scope === undefined
  await writeReports(reportDir, result, { summary, places, isWhole })
  print(GITHUB_ACTIONS === undefined ? summary : unobeyed(summary, randomUUID()))
  if (GITHUB_ACTIONS !== undefined) for (const line of annotations(result, places)) print(line)
  if (GITHUB_STEP_SUMMARY) await appendFile(GITHUB_STEP_SUMMARY, await readFile(join(reportDir, 'summary.md'), 'utf8'))
  if (GITHUB_OUTPUT)
    await appendFile(GITHUB_OUTPUT, `findings=${result.findings.length}\nreport-dir=${resolve(reportDir)}\n`)
  print(`Reports: ${REPORT_FILES.map((name) => join(reportDir, name)).join(', ')}`)
  return fails(result, settings) ? 1 : 0
}

function fails({ findings, warnings, results, coverage }: SuiteResult, { failOn, coverageMin }: RunSettings): boolean {
  if (failOn === 'nothing') return false
  const unavailable =
    process.env.REQUIRE_SCHEMATHESIS === '1' &&
    results.some(({ part, status }) => part === 'schemathesis' && status === 'skipped')
  const isBelow = coverageMin !== undefined && coverage.percent < coverageMin
  return findings.length > 0 || unavailable || isBelow || (failOn === 'warnings' && warnings.length > 0)
}

/** Holds the rules over traffic that was recorded; sends nothing. */
async function runRecorded(given: SuiteSettings): Promise<0 | 1> {
  const settings = recordedSettings(given, process.env)
  const { log } = progressCallbacks()
  return report(await judgeRecorded({ ...settings, log }), runSettings(given), settings.contract)
}

async function test(given: SuiteSettings, signal: AbortSignal): Promise<0 | 1> {
  if (given.recorded) return runRecorded(given)
  const opened = given.contract === undefined ? undefined : await openContract(given.contract)
  const choice = await choiceSince(given, opened?.contract)
  if (choice) note(choice.reason)
  const { since: _since, ...others } = given
  const chosen = { ...others, ...(choice?.operations && { onlyOperation: choice.operations }) }
  const scope = choice?.operations ? { scope: choice.reason } : {}
  if (choice?.operations?.length === 0)
    return report(
      { ...nothingTested(runSettings(chosen), choice), ...scope },
      runSettings(chosen),
      given.contract ?? CONTRACT,
    )
  return opened && !opened.isOurs
    ? runForeign(foreignSettings(chosen, opened.contract, process.env), { ...scope, signal })
    : run(readSettings(chosen, process.env), { ...scope, signal })
}

quietOnBrokenPipe()
try {
  const given: SuiteSettings = program.parse().opts()
  const signal = interruption()
  process.exitCode = await test(given, signal)
  // Requests that were under way would keep it alive.
  if (signal.aborted) process.exit(INTERRUPTED)
} catch (error) {
  // Commander has already printed the message. Help that was requested is a success.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof UsageError) {
    note(`${error.message}\nAdd --help to see the options, with an example.`)
    process.exitCode = 2
  } else throw error
}

#!/usr/bin/env node
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { note, print, quietOnBrokenPipe } from '../server/cli/output.ts'
import { summaryText } from './report/print.ts'
import { REPORT_FILES, writeReports } from './report/report-files.ts'
import { readSettings, UsageError, type Given, type Settings } from './settings.ts'
import { PARTS, runSuite } from './suite.ts'
import { startScratchDatabases } from '../server/testing/scratch-databases.ts'
import { whyUnreachable } from './harness/targets.ts'

const AFTER_HELP = `
Parts:
${PARTS.map(({ name, what }) => `  ${name.padEnd(14)}${what}`).join('\n')}
  arranged      settings of an operator; 429, 500 and 503 of every operation (own gateways only)

Keys are better given in the environment: PUBLIC_KEY, SECRET_KEY, SIGNING_KEY, WEBHOOK_SECRET. No key is printed or kept.
REQUIRE_SCHEMATHESIS=1 makes a missing Python a failure. NODE_EXTRA_CA_CERTS names a PEM file with the authority of a server's own certificate.

Exit codes: 0 the contract is kept, 1 findings or too little coverage, 2 used wrongly, or the server cannot be reached.

Example:
  $ npm run test:contract -- --url http://127.0.0.1:8080 --only declared,schemathesis`

const program = new Command('npm run test:contract --')
  .description('Tests a server against the contract: ours, started for it, or any other by its address.')
  .option('--url <address>', 'a server that is running; absent: gateways of our own')
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
  .option('--contract <file>', 'bundled contract in JSON; absent: generated/openapi.json')
  .option('--only <parts>', 'names of parts, with commas')
  .option('--seed <number>', 'the same seed asks the same; absent: 1')
  .option('--nightly', 'at least 100,000 cases instead of three minutes')
  .option(
    '--coverage-min <percent>',
    'fail below; absent: package.json for a whole run on our own gateway, otherwise none',
  )
  .option('--report-dir <folder>', 'where reports are written; absent: dist/contract-tests')
  .exitOverride()
  .showHelpAfterError('Add --help to see what it takes, with an example.')
  .addHelpText('after', AFTER_HELP)

async function run(settings: Settings): Promise<0 | 1> {
  const { target, coverageMin, reportDir, ...options } = settings
  const unreachable = target && (await whyUnreachable(target.url))
  if (unreachable !== undefined) throw new UsageError(unreachable)
  const databases = target ? undefined : await startScratchDatabases()
  try {
    const result = await runSuite({
      ...options,
      log: () => undefined,
      ...(target && { given: target }),
      ...(databases && { databases }),
      onResult: ({ part, status, durationMs }) => note(`${part}: ${status} after ${(durationMs / 1000).toFixed(1)} s`),
    })
    const summary = summaryText(result, coverageMin)
    await writeReports(reportDir, result, summary)
    print(summary)
    print(`Reports: ${REPORT_FILES.map((name) => join(reportDir, name)).join(', ')}`)
    const unavailable =
      process.env.REQUIRE_SCHEMATHESIS === '1' &&
      result.results.some(({ part, status }) => part === 'schemathesis' && status === 'skipped')
    return result.findings.length > 0 ||
      unavailable ||
      (coverageMin !== undefined && result.coverage.percent < coverageMin)
      ? 1
      : 0
  } finally {
    await databases?.close()
  }
}

quietOnBrokenPipe()
try {
  const given: Given = program.parse().opts()
  process.exitCode = await run(readSettings(given, process.env))
} catch (error) {
  // Commander has printed already; help that was asked for is a success.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof UsageError) {
    note(`${error.message}\nAdd --help to see what it takes, with an example.`)
    process.exitCode = 2
  } else throw error
}

import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_MERCHANT } from '../../server/verification/testing/gateway.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { serve, until } from '../../server/verification/testing/served-gateway.ts'
import { pointAccountAt } from './account.ts'
import { testNightly } from '../../server/verification/testing/nightly.ts'

// Runs the job of ci-example.yml line by line, in a fresh folder, against a gateway that the job starts itself. This
// test stands in for GitHub (it checks out both sides and passes the secrets) and for npm (it installs nothing). It
// runs two of the parts; CI_EXAMPLE=whole runs all of them.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = readFileSync(new URL('./ci-example.yml', import.meta.url), 'utf8')
const NEEDED = ['contract-tests', 'client', 'generated', 'openapi', 'server', 'package.json', 'CHANGELOG.md']
const ONLY = process.env.CI_EXAMPLE === 'whole' ? '' : '--only declared,receiver'
const RUN_MS_MAX = process.env.CI_EXAMPLE === 'whole' ? 15 * 60_000 : 120_000

interface Step {
  readonly name: string
  readonly folder: string
  readonly run: string
}

/** The steps that run shell lines. The file is ours, so only its own YAML style is parsed. */
const steps: readonly Step[] = FILE.split(/\n {6}- /)
  .slice(1)
  .flatMap((text) => {
    const [, block, line] = /\n {8}run: (?:\|\n((?: {10}.*\n?|\n)+)|(.+))/.exec(`${text}\n`) ?? []
    const run = block?.replaceAll(/^ {10}/gm, '') ?? line
    return run === undefined
      ? []
      : [
          {
            run,
            name: /^name: (.+)/.exec(text)?.[1] ?? '',
            folder: /\n {8}working-directory: (.+)/.exec(text)?.[1] ?? '.',
          },
        ]
  })
const jobEnv: Readonly<Record<string, string>> = Object.fromEntries(
  [...FILE.matchAll(/^ {6}([A-Z_]+): '?([^'\n]*)'?$/gm)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]),
)

const folder = mkdtempSync(join(tmpdir(), 'malipo-ci-example-'))
const dataDir = join(folder, 'data')
const log = join(folder, 'log.txt')
let port: number
let receiverPort: number

beforeAll(async () => {
  ;[port, receiverPort] = [await freePort(), await freePort()]
  // The account owner has configured this beforehand: the account's URLs point at the job.
  const gateway = await serve({ dataDir, port })
  await pointAccountAt(receiverPort, dataDir)
  gateway.child.kill('SIGTERM')
  await gateway.exited
  for (const name of NEEDED)
    cpSync(join(ROOT, name), join(folder, 'malipo', name), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'malipo/node_modules'))
  mkdirSync(join(folder, 'server'))
  program(
    'server/start-for-tests',
    `echo $$ > '${folder}/pid'\nMALIPO_DATA_DIR='${dataDir}' PORT=${port} exec '${process.execPath}' '${ROOT}server/cli.ts' serve`,
  )
  mkdirSync(join(folder, 'bin'))
  program(
    'bin/npm',
    `case "$1" in ci) exit 0;; esac\n[ "$1 $2 $3" = 'run test:contract --' ] || exit 9\nshift 3\nexec '${process.execPath}' contract-tests/cli.ts "$@" ${ONLY}`,
  )
})
afterAll(async () => {
  if (existsSync(join(folder, 'pid'))) {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    process.kill(pid, 'SIGTERM')
    await until(() => !isAlive(pid), 60_000, 'the gateway has ended')
  }
  rmSync(folder, { recursive: true, force: true })
})

function program(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, name), 0o755)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs a step as GitHub does: a file for `bash -e`. Background processes keep running. */
function runStep({ folder: where, run }: Step, env: Readonly<Record<string, string>>): Promise<number | null> {
  // Two things differ on every machine: the server's address and the port that its account points at.
  writeFileSync(join(folder, 'step.sh'), run.replaceAll('9000', String(receiverPort)))
  const output = openSync(log, 'a')
  return new Promise((resolve) => {
    const child = spawn('bash', ['-e', join(folder, 'step.sh')], {
      cwd: join(folder, where),
      env,
      stdio: ['ignore', output, output],
    })
    child.on('exit', (code) => {
      closeSync(output)
      resolve(code)
    })
  })
}

testNightly(
  'the job tests the server that it starts, and keeps its reports',
  { timeout: RUN_MS_MAX },
  async (context) => {
    if (
      !(await promisify(execFile)('curl', ['--version']).then(
        () => true,
        () => false,
      ))
    )
      return context.skip('without curl the job cannot wait for its server')
    const { keys } = DEMO_MERCHANT
    const secrets: Readonly<Record<string, string>> = {
      CONTRACT_PUBLIC_KEY: keys.publicKey,
      CONTRACT_SECRET_KEY: keys.secretKey,
      CONTRACT_SIGNING_KEY: keys.signingKey,
      CONTRACT_WEBHOOK_SECRET: keys.webhookSecret,
    }
    const given = Object.fromEntries(
      Object.entries(jobEnv).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ secrets\.(\w+) \}\}/, (_all, secret: string) => secrets[secret]!),
      ]),
    )
    const env = {
      ...given,
      SERVER_URL: `http://127.0.0.1:${port}`,
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'step.md'),
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: process.env.HOME ?? folder,
    }
    expect(Object.keys(given)).toEqual([
      'SERVER_URL',
      'PUBLIC_KEY',
      'SECRET_KEY',
      'SIGNING_KEY',
      'WEBHOOK_SECRET',
      'REQUIRE_SCHEMATHESIS',
    ])
    expect(steps.map(({ name }) => name)).toEqual([
      'Install the contract tests',
      'Start the server',
      'Test it against the contract',
    ])
    for (const step of steps) expect(await runStep(step, env), `${step.name}\n${readFileSync(log, 'utf8')}`).toBe(0)
    const printed = readFileSync(log, 'utf8')
    if (ONLY === '') console.log(printed)
    expect(printed).toMatch(/^declared +passed /m)
    expect(printed).toMatch(/^receiver +passed /m)
    expect(printed).toMatch(/^0 findings, /m)
    const kept = /path: (malipo\/\S+)/.exec(FILE.slice(FILE.indexOf('upload-artifact')))![1]!
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^## Contract tests: nothing found\n/)
    expect(printed).toMatch(/^::warning title=Contract tests::receiver: the clock cannot be moved/m)
    for (const name of ['junit.xml', 'results.json', 'results.sarif', 'coverage.html'])
      expect(existsSync(join(folder, kept, name))).toBe(true)
  },
)

test('runs the long form once in the nightly run and never for a pull request', () => {
  const [, , last] = steps
  expect(last!.run).toContain('if [ "$GITHUB_EVENT_NAME" = schedule ]; then options+=(--nightly); fi')
  expect(FILE).toMatch(/^ {2}schedule:$/m)
})

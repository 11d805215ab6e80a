import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { DEMO_MERCHANT } from '../../server/verification/testing/gateway.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { serve, until } from '../../server/verification/testing/served-gateway.ts'
import { openContract } from '../foreign/contract-file.ts'
import { FAULTS } from '../foreign/library/faults.ts'
import { CREDENTIALS, startLibrary } from '../foreign/library/library.ts'
import { runProgram } from '../harness/program.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { pointAccountAt } from './account.ts'
import { testNightly } from '../../server/verification/testing/nightly.ts'

// Runs the job of ci-example.yml and the action that it uses, step by step, in a fresh folder, against a gateway that
// the job starts itself. This test stands in for GitHub: it passes inputs and secrets, and a copy of this tree is the
// checkout of the action. It runs two of the parts; CI_EXAMPLE=whole runs all of them.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ONLY = process.env.CI_EXAMPLE === 'whole' ? '' : '--only declared,receiver'
/** Ends only what hangs, however busy the machine is. */
const RUN_MS_MAX = 15 * 60_000

type Texts = Readonly<Record<string, string>>
interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Texts
  readonly with?: Readonly<Record<string, unknown>>
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly jobs: { readonly contract: { readonly env: Texts; readonly steps: readonly Step[] } }
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}
const yaml = (path: string): unknown => load(readFileSync(new URL(path, import.meta.url), 'utf8'))
const workflow = yaml('./ci-example.yml') as Workflow
const action = yaml('../action.yml') as Action
const job = workflow.jobs.contract
const used = job.steps.find(({ uses = '' }) => /\/contract-tests@/.test(uses))!

/** A text with GitHub's expressions replaced by their values. */
const evaluated = (text: unknown, values: Texts): string =>
  String(text).replaceAll(/\$\{\{ (.+?) \}\}/g, (_all, expression: string) => {
    expect(Object.keys(values)).toContain(expression)
    return values[expression]!
  })

const folder = temporaryFolder().path
const dataDir = join(folder, 'data')
const log = join(folder, 'log.txt')
/** Where GitHub unpacks the action, with all of its repository. */
const CHECKOUT = join(folder, 'checkout')
let port: number
let receiverPort: number
for (const name of ['job', 'bin']) mkdirSync(join(folder, name))

/** A server that the job can start. */
async function prepareJob(): Promise<void> {
  ;[port, receiverPort] = [await freePort(), await freePort()]
  // The account owner has configured this beforehand: the account's URLs point at the job.
  const gateway = await serve({ dataDir, port })
  await pointAccountAt(receiverPort, dataDir)
  gateway.child.kill('SIGTERM')
  await gateway.exited
  program(
    'job/start-for-tests',
    `echo $$ > '${folder}/pid'\nMALIPO_DATA_DIR='${dataDir}' PORT=${port} exec '${process.execPath}' '${ROOT}server/cli.ts' serve`,
  )
  mkdirSync(CHECKOUT)
  execFileSync('bash', ['-c', `git ls-files -z | tar --null --files-from - -c | tar -x -C '${CHECKOUT}'`], {
    cwd: ROOT,
  })
  program('bin/node', `exec '${process.execPath}' "$@" ${ONLY}`)
}
afterAll(async () => {
  if (existsSync(join(folder, 'pid'))) {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    process.kill(pid, 'SIGTERM')
    await until(() => !isAlive(pid), 60_000, 'the gateway has ended')
  }
})

/** Writes a program for the shell. */
const program = (name: string, text: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs a step as GitHub does: a file for `bash -eo pipefail`. Background processes keep running. */
async function runStep({ run, env = {} }: Step, values: Texts, outer: Texts): Promise<number | null> {
  writeFileSync(join(folder, 'step.sh'), run!)
  const output = openSync(log, 'a')
  const child = spawn('bash', ['-eo', 'pipefail', join(folder, 'step.sh')], {
    cwd: join(folder, 'job'),
    env: { ...outer, ...evaluatedAll(env, values) },
    stdio: ['ignore', output, output],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  closeSync(output)
  return code
}

const evaluatedAll = (texts: Readonly<Record<string, unknown>>, values: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluated(text, values)]))

/** Inputs of the action as expressions name them, with their defaults. */
const inputsOf = (given: Texts): Texts =>
  Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: otherwise }]) => [`inputs.${name}`, given[name] ?? otherwise]),
  )

testNightly(
  'the job tests the server that it starts, and keeps its reports',
  { timeout: RUN_MS_MAX },
  async (context) => {
    if ((await runProgram('curl', ['--version'])).code !== 0)
      return context.skip('without curl the job cannot wait for its server')
    if ((await runProgram('npm', ['ping'])).code !== 0) return context.skip('no npm registry answers')
    await prepareJob()
    const { keys } = DEMO_MERCHANT
    const env = {
      ...job.env,
      // Two things differ on every machine: the server's address and the port that its account points at.
      SERVER_URL: `http://127.0.0.1:${port}`,
      GITHUB_ACTION_PATH: join(CHECKOUT, 'contract-tests'),
      GITHUB_WORKSPACE: join(folder, 'job'),
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'step.md'),
      GITHUB_OUTPUT: join(folder, 'outputs'),
      PATH: `${folder}/bin:${process.env.PATH}`,
      HOME: process.env.HOME ?? folder,
    }
    const inputs = evaluatedAll(used.with!, {
      'env.SERVER_URL': env.SERVER_URL,
      "github.event_name == 'schedule'": 'false',
      'secrets.CONTRACT_PUBLIC_KEY': keys.publicKey,
      'secrets.CONTRACT_SECRET_KEY': keys.secretKey,
      'secrets.CONTRACT_SIGNING_KEY': keys.signingKey,
      'secrets.CONTRACT_WEBHOOK_SECRET': keys.webhookSecret,
    })
    const values = inputsOf({ ...inputs, 'receiver-port': String(receiverPort) })
    const steps = [...job.steps, ...action.runs.steps].filter(({ run }) => run !== undefined)
    expect(steps.map(({ name }) => name)).toEqual([
      'Start the server',
      'Install the contract tests',
      'Test against the contract',
    ])
    for (const step of steps)
      expect(await runStep(step, values, env), `${step.name}\n${readFileSync(log, 'utf8')}`).toBe(0)
    const printed = readFileSync(log, 'utf8')
    if (ONLY === '') console.log(printed)
    expect(printed).toMatch(/^declared +passed /m)
    expect(printed).toMatch(/^receiver +passed /m)
    expect(printed).toMatch(/^0 findings, /m)
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^## Contract tests: nothing found\n/)
    expect(printed).toMatch(/^::warning title=Contract tests::receiver: the clock cannot be moved/m)
    const reports = join(folder, 'job/dist/contract-tests')
    expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe(`findings=0\nreport-dir=${reports}\n`)
    for (const name of ['junit.xml', 'results.json', 'results.sarif', 'coverage.html'])
      expect(existsSync(join(reports, name))).toBe(true)
  },
)

test('runs the long form once in the nightly run and never for a pull request', () => {
  expect(used.with!['nightly']).toBe("${{ github.event_name == 'schedule' }}")
  expect(Object.keys(workflow.on)).toContain('schedule')
})

test('the action has each input that the job gives it, and passes each of them on', () => {
  expect(Object.keys(used.with!).filter((name) => action.inputs[name] === undefined)).toEqual([])
  const passed = JSON.stringify(action.runs.steps)
  for (const name of Object.keys(action.inputs)) expect(passed).toContain(`\${{ inputs.${name} }}`)
  // An expression within a script would run the text of an input as commands.
  for (const { run = '' } of [...job.steps, ...action.runs.steps]) expect(run).not.toContain('${{')
  expect(action.runs.steps.filter(({ run, shell }) => run !== undefined && shell !== 'bash')).toEqual([])
  expect(Object.keys(action.outputs)).toEqual(['findings', 'report-dir'])
})

/** The command's arguments that the last step of the action makes of its inputs and of the job's environment. */
async function argumentsFor(
  given: Texts,
  env: Texts = {},
  command = 'node',
): Promise<{ code: number | null; lines: readonly string[] }> {
  const step = action.runs.steps.at(-1)!
  const bin = mkdtempSync(join(folder, 'arguments-'))
  program(`${basename(bin)}/${command}`, `printf '%s\\n' "$PUBLIC_KEY" "$@" > '${bin}/arguments'`)
  const outer = { ...env, PATH: `${bin}:${process.env.PATH}`, GITHUB_ACTION_PATH: '/action' }
  const code = await runStep(step, inputsOf(given), outer)
  return { code, lines: code === 0 ? readFileSync(join(bin, 'arguments'), 'utf8').trimEnd().split('\n') : [] }
}

test('the action makes options of its inputs, and runs no text of theirs', async () => {
  const common = ['/action/cli.ts', '--fail-on', 'findings', '--report-dir', 'dist/contract-tests']
  const url = 'http://127.0.0.1:1/$(touch x)'
  expect(
    await argumentsFor({ url, since: 'v1 v2', options: '--only\ndeclared, wire\n' }, { PUBLIC_KEY: 'pub' }),
  ).toEqual({
    code: 0,
    lines: ['pub', ...common, '--url', url, '--since', 'v1 v2', '--only', 'declared, wire'],
  })
  expect(existsSync(join(folder, 'job/x'))).toBe(false)
  const inputs = { recorded: 'a.har\n\nb c.har', 'public-key': 'other' }
  expect(await argumentsFor(inputs, { PUBLIC_KEY: 'pub' })).toEqual({
    code: 0,
    lines: ['other', ...common, '--recorded', 'a.har', '--recorded', 'b c.har'],
  })
  const all = { url, contract: 'api.yaml', 'test-account': 'true', 'receiver-port': '9000', nightly: 'true' }
  const { lines } = await argumentsFor(all)
  const options = '--contract api.yaml --test-account --receiver-port 9000 --nightly'
  expect(lines.slice(1 + common.length)).toEqual(['--url', url, ...options.split(' ')])
  expect(await argumentsFor({})).toEqual({ code: 2, lines: [] })
})

test('the action runs an image with the files, keys and outputs of the job', async () => {
  const [GITHUB_WORKSPACE, GITHUB_OUTPUT] = [join(folder, 'job'), join(folder, 'outputs')]
  const env = { GITHUB_WORKSPACE, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY: GITHUB_OUTPUT, KEY_TOKEN: 'x', OTHER: 'y' }
  const { code, lines } = await argumentsFor({ url: 'http://127.0.0.1:1', image: 'tests:1' }, env, 'docker')
  const printed = lines.join(' ')
  expect({ code, printed }).toEqual({ code: 0, printed: expect.stringMatching(/ run --rm --network host /) })
  expect(printed).toContain(` --workdir ${GITHUB_WORKSPACE} --volume ${GITHUB_WORKSPACE}:${GITHUB_WORKSPACE} `)
  expect(printed).toMatch(/ --env KEY_TOKEN .*tests:1 --fail-on findings .*--url http:\/\/127\.0\.0\.1:1$/)
  expect(printed).not.toMatch(/--env (OTHER|PATH|URL)\b/)
})

test("the README's six lines for GitLab come to a finding", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, block = ''] = /```yaml\n# \.gitlab-ci\.yml\n(contract:\n[^`]*)```/.exec(readme) ?? []
  const { contract: gitlab } = load(block) as { readonly contract: { readonly script: readonly string[] } }
  expect(block.slice(0, block.indexOf(gitlab.script.at(-1)!)).split('\n')).toHaveLength(6)
  const project = mkdtempSync(join(folder, 'gitlab-'))
  mkdirSync(join(project, 'bin'))
  const tool = (name: string, text: string): void => program(`${basename(project)}/bin/${name}`, text)
  // Stands in for the network: the clone is this tree, and everything is installed.
  tool('git', `[ "$1" = clone ] && exec ln -s '${ROOT}' .malipo; exit 9`)
  tool('npm', `[ "$*" = 'ci --prefix .malipo -w contract-tests --ignore-scripts' ]`)
  tool('node', `exec '${process.execPath}' "$@" --only declared`)
  cpSync(join(ROOT, 'contract-tests/foreign/library/library.yaml'), join(project, 'openapi.yaml'))
  const { contract } = await openContract(join(project, 'openapi.yaml'))
  const library = await startLibrary(contract.document, FAULTS.find(({ name }) => name === 'allow-missing')?.plant)
  onTestFinished(() => library.close())
  const { code, out } = await runProgram('bash', ['-ec', gitlab.script.join('\n')], {
    cwd: project,
    env: {
      PATH: `${project}/bin:${process.env.PATH}`,
      HOME: process.env.HOME ?? folder,
      SERVER_URL: library.url,
      KEY_ACCESS_TOKEN: CREDENTIALS.accessToken,
      KEY_READER_CARD: CREDENTIALS.readerCard,
    },
  })
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringMatching(/^1\. .*Allow/m) })
  expect(existsSync(join(project, 'dist/contract-tests/junit.xml'))).toBe(true)
})

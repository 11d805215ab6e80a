import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Gateway } from '../../server/main.ts'
import { createTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { startTestGateway } from '../../server/testing/gateway.ts'
import { collect, send } from '../../server/testing/requests.ts'
import { fencesIn, type Fence } from './fences.ts'
import { runShell, runTypeScript } from './run-sample.ts'

const SHOWN_URL = 'http://127.0.0.1:8080'
const MASTER_KEY = 'a master key for tests only, nothing real'

const page = (path: string): Fence[] => fencesIn(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
const readme = page('README.md')
const overview = page('openapi/pages/overview.md')
const blocks = (fences: readonly Fence[], language: string, heading: string): string[] =>
  fences.filter((fence) => fence.language === language && fence.heading === heading).map(({ text }) => text)

let database: TestDatabase
let gateway: Gateway
const environment = (): Record<string, string> => {
  const { host, port, user, password, database: name } = database.connection
  return {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    MALIPO_MASTER_KEY: MASTER_KEY,
  }
}
beforeAll(async () => {
  database = await createTestDatabase()
  // On the real clock, like the command line beside it; customers approve at once.
  gateway = await startTestGateway({ connection: database.connection, env: { MALIPO_SANDBOX_DELAY_MS: '0', MALIPO_MASTER_KEY: MASTER_KEY } })
})
afterAll(async () => {
  await gateway?.stop()
  await database?.drop()
})

const here = (text: string): string => text.replaceAll(SHOWN_URL, gateway.url)
/** Of a reply, what is the same for everybody. */
const comparable = (text: string): unknown => JSON.parse(text.replaceAll(/"MLP[0-9A-Z]{22}"/g, '"MLP…"'))

async function ask(command: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runShell(here(command))
  expect(exitCode, stderr).toBe(0)
  await gateway.runDue()
  await gateway.runDue()
  return stdout.slice(stdout.indexOf('{'))
}

test.each(['Collect money', 'Pay money out'])('README, "%s": each command gives the reply that is shown below it', async (heading) => {
  const commands = blocks(readme, 'sh', heading)
  const replies = blocks(readme, 'json', heading)
  expect(commands.length).toBeGreaterThan(0)
  expect(replies).toHaveLength(commands.length)
  for (const [index, command] of commands.entries()) expect(comparable(await ask(command))).toEqual(comparable(replies[index]!))
})

test('README: the client example compiles and prints the transaction', async () => {
  const [source = ''] = blocks(readme, 'ts', 'The four things')
  expect(typeErrors(source)).toEqual([])
  const { exitCode, stdout, stderr } = await runTypeScript(here(source))
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toMatch(/merchant_reference: 'MREF[0-9A-Z]{16}'/)
})

test('README, "Operate it": every command of the command line works on the database of the running gateway', async () => {
  // The last command resolves a collection that waits for its operator: test numbers that end in 006 stay so.
  await collect(gateway.url, { merchant_reference: 'ORDER-2026-0002', msisdn: '256772000006' })
  await gateway.runDue()
  const commands = blocks(readme, 'sh', 'Operate it').join('').trim().split('\n')
  expect(commands.length).toBeGreaterThanOrEqual(9)
  for (const command of commands) {
    // npm only finds the file that package.json names, and prints a banner.
    const { exitCode, stdout, stderr } = await runShell(command.replace('npm run malipo --', `'${process.execPath}' server/cli.ts`), environment())
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0)
  }
  await gateway.runDue()
  const { body } = await send(gateway.url, 'GET', '/data/transaction/verify/ORDER-2026-0002')
  expect(body.data.transaction_status).toBe('COMPLETED')
})

test('docs, "The first call": its commands work, and the reply has the fields that are shown', async () => {
  const [first = '', second = ''] = blocks(overview, 'sh', 'The first call')
  const [shown = ''] = blocks(overview, 'json', 'The first call')
  // The README has used the reference before: a reader of both gets a 409 too, and is told to take another.
  const fresh = (text: string): string => text.replaceAll('ORDER-2026-0001', 'ORDER-2026-0003')
  expect(comparable(await ask(fresh(first)))).toEqual(comparable(fresh(shown)))
  expect(comparable(await ask(fresh(second)))).toMatchObject({ data: { transaction_status: 'COMPLETED' } })
})

/** What the compiler says about a text that stands where the client can be found, under the settings of this project. */
function typeErrors(source: string): string[] {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const file = `${root}contract-tests/samples/readme-example.ts`
  const { options } = ts.parseJsonConfigFileContent(ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.readFile = (name) => (name === file ? source : readFile(name))
  host.getSourceFile = (name, version, ...rest) => (name === file ? ts.createSourceFile(name, source, version) : getSourceFile(name, version, ...rest))
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options, host)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

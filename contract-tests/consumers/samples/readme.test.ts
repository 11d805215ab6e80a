import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect, send } from '../../../server/testing/requests.ts'
import { fencesIn, type Fence } from './fences.ts'
import { asTyped, comparable, environmentOf, SHOWN_URL } from './reader.ts'
import { listenTypeScript, runShell, runTypeScript } from './run-sample.ts'
import { typeErrors } from './type-errors.ts'
import { gatewayTest } from '../../../server/testing/gateway-test.ts'

const page = (path: string): Fence[] => fencesIn(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'))
const readme = page('README.md')
const blocks = (fences: readonly Fence[], language: string, heading: string): string[] =>
  fences.filter((fence) => fence.language === language && fence.heading === heading).map(({ text }) => text)

// On the real clock, like the command line beside it; customers approve at once.
const { database, gateway } = await gatewayTest({
  clock: 'real',
  env: { MALIPO_SANDBOX_DELAY_MS: '0' },
})

const environment = environmentOf(database)

const here = (text: string): string => text.replaceAll(SHOWN_URL, gateway.url)
async function ask(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runShell(here(command), env)
  expect(exitCode, stderr).toBe(0)
  await gateway.runDue()
  await gateway.runDue()
  return stdout.slice(stdout.indexOf('{'))
}

test.each(['Collect money', 'Pay money out'])(
  'README, "%s": each command gives the reply that is shown below it',
  async (heading) => {
    const commands = blocks(readme, 'sh', heading)
    const replies = blocks(readme, 'json', heading)
    expect(commands.length).toBeGreaterThan(0)
    expect(replies).toHaveLength(commands.length)
    for (const [index, command] of commands.entries())
      expect(comparable(await ask(command))).toEqual(comparable(replies[index]!))
  },
)

test('README: the client example compiles and prints the transaction', async () => {
  const [source = ''] = blocks(readme, 'ts', 'The four things')
  expect(typeErrors(source)).toEqual([])
  const { exitCode, stdout, stderr } = await runTypeScript(here(source))
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toMatch(/merchant_reference: 'MREF[0-9A-Z]{16}'/)
})

test(
  'README, "A callback in your own code": the little shop believes the toolbox and the gateway, and check finds the one thing that it lacks',
  { timeout: 90_000 },
  async () => {
    const heading = 'A callback in your own code'
    const [source = ''] = blocks(readme, 'ts', heading)
    expect(typeErrors(source)).toEqual([])
    const shop = await listenTypeScript(source)
    try {
      const [trigger = '', collectMoney = '', check = ''] = blocks(readme, 'sh', heading)
      const [afterTrigger = '', afterCollection = ''] = blocks(readme, '', heading)
      // What `npm exec`, `npx` and `npm run` find, without their start-up; and the shop runs already.
      const terminal = (text: string) =>
        asTyped(here(text))
          .replaceAll(':3000', `:${shop.port}`)
          .replace(/^npm exec .*&$/m, '')

      const triggered = await runShell(terminal(trigger))
      expect([triggered.exitCode, shop.output()], triggered.stdout + triggered.stderr).toEqual([0, afterTrigger])

      const [setUrl = '', ...collection] = terminal(collectMoney).split('\n')
      await ask(setUrl, environment)
      await gateway.refresh() // which it does within a second by itself
      await ask(collection.join('\n'))
      await expect.poll(() => gateway.runDue().then(() => shop.output())).toContain(afterCollection)

      const checked = await runShell(`${terminal(check).trim()} --json`)
      const { rows } = JSON.parse(checked.stdout) as {
        readonly rows: readonly { readonly id: string; readonly verdict: string }[]
      }
      expect([checked.exitCode, rows.filter(({ verdict }) => verdict === 'wrong').map(({ id }) => id)]).toEqual([
        1,
        ['huge'],
      ])
    } finally {
      await shop.stop()
    }
  },
)

test('README: the shop of `new shop` is a folder that lies ready beside the clone', async () => {
  const [, , , write = ''] = blocks(readme, 'sh', 'A callback in your own code')
  const [, creates = ''] = write.split('\n')
  const folder = await mkdtemp(join(tmpdir(), 'malipo-readme-'))
  try {
    const { exitCode, stdout, stderr } = await runShell(
      asTyped(creates).replace('../coffee-shop', join(folder, 'coffee-shop')),
    )
    expect(exitCode, stdout + stderr).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'coffee-shop', 'package.json'), 'utf8'))).toHaveProperty('scripts.dev')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('README, "Operate it": every command of the command line works on the database of the running gateway', async () => {
  // The last command resolves a collection that waits for its operator: test numbers that end in 006 stay so.
  await collect(gateway.url, { merchant_reference: 'ORDER-2026-0002', msisdn: '256772000006' })
  await gateway.runDue()
  const commands = blocks(readme, 'sh', 'Operate it').join('').trim().split('\n')
  expect(commands.length).toBeGreaterThanOrEqual(9)
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await runShell(asTyped(command), environment)
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0)
  }
  await gateway.runDue()
  const { body } = await send(gateway.url, 'GET', '/data/transaction/verify/ORDER-2026-0002')
  expect(body.data.transaction_status).toBe('COMPLETED')
})

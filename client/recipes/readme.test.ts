import { freePort } from '../../server/verification/testing/free-port.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fencesIn } from '../../contract-tests/consumers/samples/fences.ts'
import { runTypeScript } from '../../contract-tests/consumers/samples/run-sample.ts'
import { typeErrors } from '../../contract-tests/consumers/samples/type-errors.ts'
import { verify } from '../../server/verification/testing/requests.ts'
import { type Receiver } from '../../server/verification/testing/receiver.ts'
import { until } from '../../server/verification/testing/served-gateway.ts'
import { createMalipo, webhooks } from '../index.ts'
import { runToolbox } from '../toolbox/run-toolbox.ts'
import { startFastifyShop } from '../toolbox/testing/shop.ts'
import { testTerminal } from '../toolbox/testing/terminal.ts'
import { gatewayTest } from '../../server/verification/testing/gateway-test.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'

// This file runs every code block in the README, or compares it with a file that is run elsewhere. No block can be
// added without one of the two. (Not next to it: npm packs every file whose name begins with "readme.".)

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const fences = fencesIn(readme)
const blocks = (heading: string): string[] =>
  fences.filter((fence) => fence.heading === heading).map(({ text }) => text)
const [[install = ''], [calls = ''], [adminCalls = ''], [ownTests = ''], [commands = '']] = [
  blocks('@malipo/client'),
  blocks('Calls'),
  blocks('The admin API'),
  blocks('Your own tests'),
  blocks('Toolbox'),
]
/** Run by recipes.test.ts with signed messages. */
const RECIPES = ['express', 'fastify', 'next', 'hono', 'node-http']

test.each(RECIPES)('the README shows the recipe for %s as it is run', (name) => {
  expect(fences.map(({ text }) => text)).toContain(
    `${readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8').trimEnd()}\n`,
  )
})

test('the README has no code block that is not run', () => {
  expect(fences).toHaveLength([install, calls, adminCalls, ownTests, commands].length + RECIPES.length)
  // packaging/package.slow.test.ts and packaging/runtimes.slow.test.ts run it.
  expect([`npm install ./malipo-client-${version}.tgz\n`, 'npm install @malipo/client\n']).toContain(install)
})

test('the README names every call', () => {
  const malipo = createMalipo({ baseUrl: 'http://127.0.0.1:8080', publicKey: 'pub_test' })
  const { http: _http, replyOf: _replyOf, ...groups } = malipo
  const names = Object.entries(groups).flatMap(([group, functions]) =>
    Object.keys(functions).map((name) => `\`${group}.${name}\``),
  )
  expect(names.length).toBe(20)
  for (const name of names) expect(readme).toContain(name)
  for (const name of Object.keys(webhooks)) expect(readme).toContain(`webhooks.${name}(`)
})

test('its TypeScript compiles unchanged, with the settings of this project', () => {
  expect(typeErrors(`${calls}\n${adminCalls}\n${ownTests}`)).toEqual([])
})

describe('with a sandbox', async () => {
  const { path: folder } = temporaryFolder()
  const { gateway, receiver } = await gatewayTest({
    clock: 'real',
    surroundings: { runJobs: true },
    env: { MALIPO_SANDBOX_DELAY_MS: '0' },
  })
  const shop = await forFile(startFastifyShop({ port: await freePort(), gatewayUrl: gateway.url }))

  test('the calls make a payment that becomes final', async () => {
    const { exitCode, stdout, stderr } = await runTypeScript(calls.replace('http://127.0.0.1:8080', gateway.url))
    expect([exitCode, stdout], stderr).toEqual([0, 'COMPLETED\n'])
    const { body } = await verify(gateway.url, 'ORDER-2026-0001')
    expect(body.data).toMatchObject({
      transaction_status: 'COMPLETED',
      request_amount: 1250.5,
      transaction_currency: 'KES',
    })
  })

  test("the callback for the reader's own tests arrives, and verifies", async () => {
    const secret = 'whsec_c2hvcC1vZi10aGUtcmVjaXBlcyE='
    const { exitCode, stdout, stderr } = await runTypeScript(
      ownTests
        .replace("process.env.MALIPO_WEBHOOK_SECRET ?? ''", `'${secret}'`)
        .replace('http://localhost:3000', new URL(receiver.url).origin),
    )
    expect([exitCode, stdout], stderr).toEqual([0, '200\n'])
    const [{ body, headers }] = receiver.received as [Receiver['received'][number]]
    expect((await webhooks.verify(body, headers, secret)).payload).toMatchObject({
      merchant_reference: 'ORDER-2026-0042',
      transaction_status: 'COMPLETED',
    })
  })

  describe('each command of the toolbox does what the README says, in the order shown', () => {
    const lines = commands.trim().split('\n')

    /** The arguments of `malipo-dev`, with the addresses of this test. */
    const argumentsOf = (name: string): string[] => {
      const [line = '', ...more] = lines.filter((text) => text.startsWith(`npx --no -- malipo-dev ${name} `))
      expect(more).toEqual([])
      return line.replaceAll('http://localhost:3000', shop.url).split(' ').slice(4)
    }
    const runLine = async (...args: readonly string[]) => {
      const terminal = testTerminal(folder)
      return {
        exitCode: await runToolbox(args, terminal),
        text: [...terminal.printed, ...terminal.complained].join('\n'),
      }
    }

    test('shows every command, and each is tried below', () => {
      expect(lines.map((line) => line.split(' ')[4])).toEqual([
        'new',
        'listen',
        'trigger',
        'clock',
        'resend',
        'check',
        'certify',
      ])
      for (const name of ['new shop', 'listen', 'trigger', 'clock', 'resend', 'check', 'certify'])
        expect(readme).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'))
    })

    test('new shop', async () => {
      expect(await runLine(...argumentsOf('new'))).toMatchObject({ exitCode: 0 })
      expect(readdirSync(join(folder, 'coffee-shop'))).toEqual(
        expect.arrayContaining(['README.md', 'package.json', 'shop', 'web']),
      )
    })

    test('listen', async () => {
      const terminal = testTerminal(folder)
      const ended = runToolbox([...argumentsOf('listen'), '--gateway', gateway.url], terminal)
      await until(() => terminal.printed.some((line) => line.startsWith('listening to')), 60_000, 'it listens')
      terminal.end()
      expect([await ended, terminal.complained]).toEqual([0, []])
    })

    test('trigger and resend', async () => {
      await fetch(`${shop.url}/dev/effects`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          merchant_reference: 'ORDER-2026-0001',
          transaction_type: 'COLLECTION',
          amount: 5000,
          currency: 'UGX',
        }),
      })
      const triggered = await runLine(...argumentsOf('trigger'))
      expect(triggered).toMatchObject({ exitCode: 0, text: expect.stringContaining('← 204') as string })
      const [webhookId = ''] = /cb_\w+/.exec(triggered.text) ?? []
      expect(await runLine(...argumentsOf('resend').with(-1, webhookId))).toMatchObject({
        exitCode: 0,
        text: expect.stringContaining(webhookId) as string,
      })
      const counts: unknown = await (await fetch(`${shop.url}/dev/effects`)).json()
      expect(counts).toMatchObject({ 'ORDER-2026-0001': 1 })
    })

    test('clock', async () => {
      const { exitCode, text } = await runLine(...argumentsOf('clock'), '--gateway', gateway.url)
      expect([exitCode, text]).toEqual([0, expect.stringContaining('1 d 0 h 0 min ahead')])
    })

    test('check', async () => {
      const { exitCode, text } = await runLine(...argumentsOf('check'))
      expect([exitCode, text]).toEqual([0, expect.stringMatching(/^29 right, 0 wrong$/m)])
      expect(readFileSync(join(folder, 'check.xml'), 'utf8')).toContain('<testsuite')
    })

    test('certify', async () => {
      const rest = ['--gateway', `http://127.0.0.1:${await freePort()}`, '--only', 'good', '--only', 'handshake_batch']
      const { text } = await runLine(...argumentsOf('certify'), ...rest)
      expect(text).toMatch(/^2 right, 0 wrong$/m)
      expect(readFileSync(join(folder, 'certificate.html'), 'utf8')).toContain('<h1>Not certified: 2/30 lives</h1>')
      expect(readFileSync(join(folder, 'certificate.svg'), 'utf8')).toContain('<title>malipo: 2/30 lives</title>')
    })
  })
})

import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signedRedirect } from '../../../client/testing.ts'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { DEMO_MERCHANT, startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import { collect, uniqueReference } from '../../../server/verification/testing/requests.ts'
import { startPrism } from '../../driver/prism.ts'
import { fencesIn, type CodeBlock } from './fences.ts'
import { asTyped, comparable, environmentOf, SHOWN_URL } from './reader.ts'
import { runShell, runTypeScript } from './run-sample.ts'
import { typeErrors } from './type-errors.ts'
import { gatewayTest } from '../../../server/verification/testing/gateway-test.ts'

// Runs every command of the docs pages, from top to bottom.

const folder = new URL('../../../openapi/pages/', import.meta.url)
const PAGES: Readonly<Record<string, readonly CodeBlock[]>> = Object.fromEntries(
  readdirSync(folder).map((file) => [file, fencesIn(readFileSync(new URL(file, folder), 'utf8'))]),
)
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}

// On the real clock, like the command line beside it; customers approve at once.
const { database, gateway } = await gatewayTest({
  clock: 'real',
  env: { MALIPO_SANDBOX_DELAY_MS: '0' },
})

async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await gateway.runDue()
}
const environment = { ...environmentOf(database), MALIPO_URL: gateway.url }

/** Output of a text whose commands of this project run as a reader runs them. */
async function type(text: string, given: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = asTyped(text.replaceAll(SHOWN_URL, gateway.url))
  const { exitCode, stdout, stderr } = await runShell(command, { ...environment, ...given })
  expect(exitCode, `${text}\n${stdout}${stderr}`).toBe(0)
  await gateway.refresh() // it does so within a second on its own
  await settle()
  return stdout
}

const isShell = ({ language }: CodeBlock): boolean => language === 'sh'
const fencesOf = (page: string, language: string): string[] =>
  PAGES[page]!.filter((fence) => fence.language === language).map(({ text }) => text)

/** Needs values that its own test below provides. */
const WITH_GIVEN_VALUES = 'callbacks-and-signatures.md'
const STARTS: readonly string[] = ['npm ci', 'npm start']
const isStart = (text: string): boolean =>
  text
    .trim()
    .split('\n')
    .every((line) => STARTS.includes(line))
const isToolbox = (text: string): boolean => text.startsWith('npx --no -- malipo-dev ')

test('every block of code is tested, JSON, plain text, a diagram or a sample', () => {
  const languages = new Set(Object.values(PAGES).flatMap((fences) => fences.map(({ language }) => language)))
  expect([...languages].toSorted()).toEqual(['', 'diagram', 'json', 'samples', 'sh', 'ts', 'yaml'])
})

/** Pages for people who run a gateway: tested with an operator beside it (`rehearsal.slow.test.ts`), or not testable. */
const FOR_OPERATORS = ['rehearsal.md', 'going-live.md', 'rails.md', 'own-rail.md', 'for-your-team.md'] as const

/** An option of every command. */
const OF_ALL = '--break-glass'

/** Every command of ours on a page, on one line. */
const commandsOn = (page: string): string[] =>
  fencesOf(page, 'sh').flatMap((text) =>
    [...text.replaceAll(/\\\n\s*/g, '').matchAll(/npx --no -- malipo (.+)$/gm)].map(([, command = '']) => command),
  )

test.each(FOR_OPERATORS.filter((page) => page !== 'rehearsal.md'))(
  '%s: the command line has every command and option',
  async (page) => {
    expect(commandsOn(page).length).toBeGreaterThan(4)
    for (const command of commandsOn(page)) {
      const [name = '', ...words] = command.split(' ')
      const group = new Command(name)
      const { define } = (await import(`../../../server/admin/cli/${name}.ts`)) as { define(to: Command): void }
      define(group)
      let found = group
      for (const word of words) found = found.commands.find((each) => each.name() === word) ?? found
      const given = [...command.replaceAll(/"[^"]*"|#.*$/g, '').matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option)
      expect([...found.options.map(({ long }) => long), OF_ALL], command).toEqual(expect.arrayContaining(given))
      expect(found.registeredArguments.length > 0 || words.length === 0 || found !== group, command).toBe(true)
    }
  },
)

/** Run in one terminal after the README, by `readme.test.ts`. */
const AFTER_README: readonly string[] = ['first-receiver.md', 'operating.md']

const guides = Object.entries(PAGES).filter(
  ([page, fences]) => ![WITH_GIVEN_VALUES, ...FOR_OPERATORS, ...AFTER_README].includes(page) && fences.some(isShell),
)
test('batches, expected payments, collections, payouts and the sandbox are guides', () =>
  expect(guides.map(([page]) => page)).toEqual([
    'bulk-payouts.md',
    'expected-payments.md',
    'first-collection.md',
    'payouts-and-handshake.md',
    'sandbox.md',
  ]))

/** A file that a guide shows, and its commands read. */
const SAVED_AS = 'my-scenario.yaml'

test.each(guides)('%s: each command works and returns the reply shown below it', async (_page, fences) => {
  const temporary = await mkdtemp(join(tmpdir(), 'malipo-pages-'))
  onTestFinished(() => rm(temporary, { recursive: true }))
  const savedAs = join(temporary, SAVED_AS)
  let printed = ''
  for (const { language, text } of fences) {
    if (language === 'yaml') await writeFile(savedAs, text)
    if (language === 'json') expect(comparable(printed)).toEqual(comparable(text))
    if (language !== 'sh') continue
    if (isStart(text)) {
      expect(scripts.start).toBeDefined()
      continue
    }
    printed = await type(text.replaceAll(SAVED_AS, savedAs))
    if (text.startsWith('curl'))
      expect(JSON.parse(printed)).toSatisfy(
        (reply: { code?: number; messages?: unknown[]; receipt?: string }) =>
          reply.code === 200 || reply.code === 202 || reply.messages?.length === 1 || reply.receipt !== undefined,
      )
  }
})

test('first-collection.md: payments end as the text says', async () => {
  const sendRequest = async (reference: string) => {
    const printed = await type(
      `curl ${SHOWN_URL}/data/transaction/verify/${reference} -H 'public-key: pub_sandbox_demo' -H 'x-api-version: 1'`,
    )
    return (JSON.parse(printed) as { readonly data: unknown }).data
  }
  expect(await sendRequest('ORDER-2026-0003')).toMatchObject({
    transaction_status: 'COMPLETED',
    total_credit: 4950,
    transaction_charge: 50,
  })
  expect(await sendRequest('ORDER-2026-0004')).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'Insufficient balance on the customer account',
  })
})

/** Fields of the sandbox inbox for a reference, as far as the test reads them. */
interface Inbox {
  readonly messages: readonly [
    { readonly body: string; readonly headers: { readonly 'rsa-key-id': string; readonly 'rsa-signature': string } },
  ]
}
interface Callback {
  readonly event: string
  readonly payload: {
    readonly merchant_reference: string
    readonly internal_reference: string
    readonly transaction_type: string
    readonly transaction_status: string
  }
}

describe('callbacks-and-signatures.md', () => {
  const commands = fencesOf(WITH_GIVEN_VALUES, 'sh').filter((text) => !isToolbox(text))

  test('the commands for the two HMAC signatures print what the page shows', async () => {
    const page = readFileSync(new URL(WITH_GIVEN_VALUES, folder), 'utf8')
    const [webhook = '', hmac = ''] = commands
    for (const command of [webhook, hmac])
      expect(page.replaceAll(command, '')).toContain(`\`${(await type(command)).trim().split(' ').at(-1)}\``)
  })

  test('the commands for the RSA signature verify a callback and name its key', async () => {
    await type(
      `npx --no -- malipo merchant set pub_sandbox_demo --collection-callback-url ${SHOWN_URL}/sandbox/inbox --reason 'A test'`,
    )
    const reference = uniqueReference()
    await collect(gateway.url, { merchant_reference: reference })
    await settle()
    const inbox = await type(`curl -H 'Accept: application/json' '${SHOWN_URL}/sandbox/inbox?reference=${reference}'`)
    const [message] = (JSON.parse(inbox) as Inbox).messages
    const { event, payload } = JSON.parse(message.body) as Callback
    const text = [
      event,
      payload.merchant_reference,
      payload.internal_reference,
      payload.transaction_type,
      payload.transaction_status,
    ].join(':')
    const [, , verify = '', fingerprint = ''] = commands
    const keyId = message.headers['rsa-key-id']
    const inTemporaryFolder = `cd "$(mktemp -d)"\n${verify}${fingerprint}`
    const printed = await type(inTemporaryFolder, { key_id: keyId, signature: message.headers['rsa-signature'], text })
    expect(printed).toContain('Verified OK')
    expect(printed).toMatch(new RegExp(`= ${keyId}[0-9a-f]{48}`))
    expect(commands).toHaveLength(4)
  })
})

describe('redirect.md', () => {
  const [source = '', ...others] = fencesOf('redirect.md', 'ts')
  const { signingKey } = DEMO_MERCHANT.keys
  const page = (url: string) =>
    runTypeScript(
      `${source.replaceAll(SHOWN_URL, gateway.url)}\nconsole.log(await thankYouPage(${JSON.stringify(url)}, ${JSON.stringify(signingKey)}))`,
    )

  // The compiler reads the whole client, which takes a while on a busy machine.
  test('the example compiles', () => {
    expect(others).toEqual([])
    expect(typeErrors(source)).toEqual([])
  })

  test('the example trusts only verify and refuses a changed redirect', async () => {
    const reference = uniqueReference()
    const { body } = await collect(gateway.url, { merchant_reference: reference })
    await settle()
    const outcome = { merchant_reference: reference, internal_reference: String(body.data.internal_reference) }
    const paid = await signedRedirect({ signingKey, kind: 'collection.completed', outcome })
    const failed = await signedRedirect({
      signingKey,
      kind: 'collection.failed',
      outcome: { ...outcome, status_message: 'The customer declined the request' },
    })
    expect(await page(paid)).toMatchObject({ exitCode: 0, stdout: 'Thank you for UGX 5000\n' })
    expect(await page(failed)).toMatchObject({ exitCode: 0, stdout: 'Not paid: The customer declined the request\n' })
    expect(await page(paid.replace(reference, uniqueReference()))).toMatchObject({ exitCode: 1, stdout: '' })
  })
})

describe('mock-or-sandbox.md: the test against', () => {
  const [mock = '', sandbox = '', receiver = '', ...others] = fencesOf('mock-or-sandbox.md', 'ts')
  const passes = async (source: string): Promise<void> => {
    const { exitCode, stdout, stderr } = await runTypeScript(source)
    expect(exitCode, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/pass 1$/m)
  }

  test('the mock passes', async () => {
    const prism = await startPrism(bundleUrl)
    onTestFinished(() => prism.stop())
    await passes(mock.replace('http://127.0.0.1:4010', prism.baseUrl))
  })

  test('the sandbox passes', async () => {
    const { connection } = database
    const env = { MALIPO_SANDBOX_DELAY_MS: '0' }
    const withJobs = await startTestGateway({ connection, surroundings: { runJobs: true }, env })
    onTestFinished(() => withJobs.stop())
    await passes(sandbox.replace(SHOWN_URL, withJobs.url))
  })

  test('a receiver passes without any server', () => passes(receiver))

  testNightly('each of them compiles', () => {
    expect(others).toEqual([])
    for (const source of [mock, sandbox, receiver]) expect(typeErrors(source)).toEqual([])
  })
})

const toolboxCommands = Object.entries(PAGES).flatMap(([page, fences]) =>
  fences
    .filter((fence) => isShell(fence) && !AFTER_README.includes(page) && !guides.some(([guide]) => guide === page))
    .filter(({ text }) => isToolbox(text))
    .map(({ text }) => [page, text.trim()] as const),
)
test.each(toolboxCommands)('%s: the toolbox has the command `%s`', async (_page, command) => {
  const [, name = ''] = /^npx --no -- malipo-dev (\w+) http:\/\/127\.0\.0\.1:3000\/callbacks$/.exec(command) ?? []
  expect(await type(`npx --no -- malipo-dev ${name} --help`)).toContain(`malipo-dev ${name}`)
})

import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { present } from '../../../server/domain/present.ts'
import { isNightly } from '../../../server/verification/testing/nightly.ts'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { send } from '../../../server/verification/testing/requests.ts'
import { listens } from '../../harness/listen.ts'
import { fencesIn, type CodeBlock } from './fences.ts'
import { comparable, environmentOf, SHOWN_URL } from './reader.ts'
import { runTypeScript, SHOWN_PORT } from './run-sample.ts'
import { openTerminal, writeShims, type TerminalSession } from './terminal-session.ts'
import { typeErrors } from './type-errors.ts'

// The README and the pages that follow it run in one terminal from top to bottom. The nightly run repeats them on the
// same machine: nothing that the first pass takes, changes or leaves running may break the second.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const fencesOf = (page: string): CodeBlock[] => fencesIn(readFileSync(join(ROOT, page), 'utf8'))
const readme = fencesOf('README.md')
const receiver = fencesOf('openapi/pages/first-receiver.md')
const TYPED = [
  ...readme.filter(({ heading }) => heading !== 'Start'),
  ...receiver,
  ...fencesOf('openapi/pages/operating.md'),
]
const WAIT_MS = 60_000
const RUNS = isNightly ? ['the first time', 'the second time'] : ['the first time']

// As `npm start` runs it: on the real clock, with jobs running and customers who take a second.
const database = await forFile(createTestDatabase())
const gateway = await startTestGateway({ connection: database.connection, surroundings: { runJobs: true } })
await forFile(Promise.resolve({ end: () => gateway.stop() }))

const typeScriptIn = (fences: readonly CodeBlock[]): string[] =>
  fences.filter(({ language }) => language === 'ts').map(({ text }) => text)
const [source = ''] = typeScriptIn(receiver)

/** Removes from replies and lines what differs from run to run. */
const anybodys = (text: string): string => text.replaceAll(/ORDER-\d{10}/g, 'ORDER-2026-0001')

/** The blocks for the terminal, each with the output shown below it. */
const steps = TYPED.filter(({ language }) => language !== 'ts').reduce<{ block: CodeBlock; shown?: CodeBlock }[]>(
  (all, fence) => {
    if (fence.language === 'sh') return [...all, { block: fence }]
    present(all.at(-1), 'a block above').shown = fence
    return all
  },
  [],
)

interface ReadmeFixture {
  readonly port: number
  readonly myShop: string
  readonly coffeeShop: string
}

/** Quotes a path for a shell: a home folder may contain spaces. */
const quoted = (path: string): string => `'${path}'`

/** A block with the paths of this test. */
const typed = (text: string, { port, myShop, coffeeShop }: ReadmeFixture): string =>
  text
    .replaceAll(SHOWN_URL, gateway.url)
    .replaceAll(`:${SHOWN_PORT}`, `:${port}`)
    .replaceAll('my-shop.ts', quoted(myShop))
    .replaceAll('../coffee-shop', quoted(coffeeShop))
    .replace(/^sleep \d+$/m, '')

async function status(reference: string): Promise<string> {
  const { body } = await send(gateway.url, 'GET', `/data/transaction/verify/${reference}`)
  return String(body.data.transaction_status)
}

/** The condition that the text above the next block makes the reader wait for. */
async function read(block: string, terminal: TerminalSession, printed: string): Promise<void> {
  const says = (text: string) => expect.poll(terminal.output, { timeout: WAIT_MS }).toContain(text)
  if (block.includes('my-shop.ts &')) await says('listening\n')
  if (block.includes('npm run dev) &')) await says('The shop is open')
  const reference = /"merchant_reference":"(ORDER-[^"]+)"/.exec(printed)?.[1]
  const end = block.includes('256772000006') ? 'PROCESSING' : 'COMPLETED'
  if (reference && block.includes('/collections/initialize'))
    await expect.poll(() => status(reference), { timeout: WAIT_MS }).toBe(end)
}

async function typeAll(terminal: TerminalSession, places: ReadmeFixture): Promise<readonly string[]> {
  const failed: string[] = []
  for (const { block, shown } of steps) {
    const before = terminal.output().length
    const result = await terminal.type(typed(block.text, places))
    await read(block.text, terminal, result.printed)
    failed.push(...result.failed)
    if (shown?.language === 'json') {
      const [reply = ''] = /\{"code".*\}/.exec(result.printed) ?? []
      expect(comparable(anybodys(reply)), block.text).toEqual(comparable(shown.text))
    } else if (shown) {
      const since = () => anybodys(terminal.output().slice(before))
      await expect.poll(since, { timeout: WAIT_MS }).toContain(shown.text)
    }
  }
  return failed
}

test('README, receiver and operating pages run in one terminal and leave no trace', { timeout: 240_000 }, async () => {
  expect(typeScriptIn(readme)).toEqual([source])
  expect(typeErrors(source)).toEqual([])
  expect(steps.length).toBeGreaterThan(10)
  const folder = await mkdtemp(join(ROOT, 'dist', 'readme-'))
  const port = await freePort()
  const places = { port, myShop: join(folder, 'my-shop.ts'), coffeeShop: join(folder, 'coffee-shop') }
  await writeFile(places.myShop, typed(source.replace(`(${SHOWN_PORT},`, `(${port},`), places))
  const shop = { PORT: String(port), SHOP_URL: `http://127.0.0.1:${port}`, MALIPO_URL: gateway.url }
  // In a test, npm puts the clone's programs first in the PATH, which no reader's terminal does.
  const machines = present(process.env.PATH, 'a PATH')
    .split(':')
    .filter((at) => !at.endsWith('node_modules/.bin'))
  const path = [writeShims(folder, shop), ...machines].join(':')
  try {
    for (const run of RUNS) {
      const terminal = openTerminal({ ...environmentOf(database), PATH: path })
      try {
        const failed = await typeAll(terminal, places)
        expect(failed, `${run}:\n${terminal.output()}`).toEqual([
          `npx --no -- malipo-dev check http://127.0.0.1:${port}/`,
        ])
        expect(terminal.output().match(/^✗ .*$/gm), run).toEqual(['✗ A body of 5 MB huge'])
        await expect.poll(() => listens(port), { timeout: WAIT_MS }).toBe(false)
      } finally {
        await terminal.close()
      }
    }
    const { rows } = await gateway.pool.query<{ url: string }>(
      "select collection_callback_url as url from merchants where public_key = 'pub_sandbox_demo'",
    )
    expect(rows).toEqual([{ url: `${gateway.url}/sandbox/inbox` }])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('first-collection.md: the client example compiles and prints the transaction', async () => {
  const [example = '', ...others] = typeScriptIn(fencesOf('openapi/pages/first-collection.md'))
  expect(others).toEqual([])
  expect(typeErrors(example)).toEqual([])
  const { exitCode, stdout, stderr } = await runTypeScript(example.replaceAll(SHOWN_URL, gateway.url))
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toMatch(/merchant_reference: 'MREF[0-9A-Z]{16}'/)
})

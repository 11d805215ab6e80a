import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testNightly } from '../../server/verification/testing/nightly.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { startReceiver } from '../../server/verification/testing/receiver.ts'
import { runToolbox } from './run-toolbox.ts'
import { nodeVersionOf } from './terminal.ts'
import { certify } from './testing/certify.ts'
import { startProgram } from './testing/shop.ts'
import { run, testTerminal } from './testing/terminal.ts'
import { skipReason } from '../../server/verification/testing/skip-reason.ts'
import { listening } from '../../server/verification/testing/listening.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'

// The shops in other languages run as their README says, and pass check and certify, like the TypeScript one.

let folder: string
let stop: (() => Promise<void>) | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malipo-shop-'))
})
afterEach(async () => {
  await stop?.()
  stop = undefined
  rmSync(folder, { recursive: true, force: true })
})

// The part of Malipo that a shop calls here: it has one provider, accepts every collection, and knows no transaction.
const malipo = createServer((request, response) => {
  const [status, data] = ANSWERS.find(([path]) => request.url?.startsWith(path))?.[1] ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: status, status: 'any', message: 'any', data }))
})
const { url: gatewayUrl } = await forFile(listening(malipo))

const PROVIDER = {
  provider_code: 'mtn_ug',
  provider_name: 'MTN <Uganda>',
  transaction_method: 'MOBILE_MONEY',
  is_active: true,
}

const ANSWERS: readonly (readonly [path: string, answer: readonly [number, object]])[] = [
  ['/collections/initialize', [202, { payment_url: 'http://pay.example/1' }]],
  ['/data/payment-providers', [200, { payment_providers: [PROVIDER] }]],
]

const answers = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasPhp = answers('php', '-r', 'exit(extension_loaded("curl") && PHP_VERSION_ID >= 80100 ? 0 : 1);')
const hasPython = answers('python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))')
if (!hasPhp) skipReason('no PHP 8.1 with curl is installed (php-cli, php-curl)', 'the PHP shop')
if (!hasPython) skipReason('no Python 3.10 with venv is installed', 'the Python shop')

/** Writes the shop, starts it, and waits until it replies. */
async function start(
  framework: string,
  command: (port: number) => readonly [program: string, ...args: string[]],
  prepare: (at: string) => void = () => {},
): Promise<string> {
  const at = join(folder, 'shop')
  expect((await run(['new', 'shop', at, '--framework', framework], folder)).exitCode).toBe(0)
  prepare(at)
  const port = await freePort()
  const shop = await startProgram(at, port, command(port), {
    PATH: process.env.PATH,
    MALIPO_URL: gatewayUrl,
    PHP_CLI_SERVER_WORKERS: '4',
  })
  stop = shop.stop
  return shop.url
}

/** The rows of the default run: some of each kind of message and of each fault. */
const ROWS_BY_DAY = ['good', 'bad_signature', 'duplicate', 'handshake_known', 'handshake_forged', 'redirect_forged']

async function passes(url: string, only: readonly string[]): Promise<number> {
  const urls = ['--handshake-url', `${url}/handshake`, '--redirect-url', `${url}/paid`]
  const rest = ['--effects-url', `${url}/dev/effects`, '--strict', '--json', ...only.flatMap((id) => ['--only', id])]
  const { exitCode, printed, complained } = await run(['check', `${url}/callbacks`, ...urls, ...rest], folder)
  expect(complained).toEqual([])
  const { rows } = JSON.parse(printed.join('\n')) as { rows: { id: string; verdict: string; did: string }[] }
  expect(rows.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect(exitCode).toBe(0)
  return rows.length
}
const passesEveryRow = async (url: string): Promise<void> => expect(await passes(url, [])).toBe(33)

async function sells(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  expect(page).toContain('MTN &lt;Uganda&gt;')
  expect(page).toContain('Pay UGX 20,000')
  const body = new URLSearchParams({ provider: 'mtn_ug', phone: '256772000123' })
  const { status, headers } = await fetch(`${url}/checkout`, { method: 'POST', body, redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([303, 'http://pay.example/1'])
}

/** The stand-in of `certify` takes the place of the other one. */
async function isCertified(url: string): Promise<void> {
  malipo.close().closeAllConnections()
  const { exitCode, lives } = await certify({ url, folder }, gatewayUrl)
  expect(lives.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect([lives.length, exitCode]).toEqual([30, 0])
  await new Promise<void>((resolve) => malipo.listen(Number(new URL(gatewayUrl).port), '127.0.0.1', resolve))
}

const startPhp = () => start('php', (port) => ['php', '-S', `127.0.0.1:${port}`, 'web/index.php'])

test.skipIf(!hasPhp)('the PHP shop accepts valid messages, refuses others, and opens the payment page', async () => {
  const url = await startPhp()
  expect(await passes(url, ROWS_BY_DAY)).toBe(ROWS_BY_DAY.length)
  await sells(url)
})

const phpByNight = hasPhp ? testNightly : test.skip
phpByNight(
  'the PHP shop passes every row of check, and is certified',
  async () => {
    const url = await startPhp()
    await passesEveryRow(url)
    await isCertified(url)
  },
  120_000,
)

// It installs its three packages from PyPI.
const pythonTest = hasPython ? testNightly : test.skip
pythonTest(
  'the Python shop passes check, is certified, and leads to the payment page',
  async () => {
    const url = await start(
      'fastapi',
      (port) => ['.venv/bin/uvicorn', 'web.web:app', '--env-file', '.env.development', '--port', String(port)],
      (at) => {
        execFileSync('python3', ['-m', 'venv', '.venv'], { cwd: at, stdio: 'pipe' })
        const install = ['-m', 'pip', 'install', '-q', '-r', 'requirements.txt']
        execFileSync('.venv/bin/python', install, { cwd: at, stdio: 'pipe' })
      },
    )
    await passesEveryRow(url)
    await isCertified(url)
    await sells(url)
  },
  300_000,
)

test.each(['v20.19.0', 'v22.17.1'])(
  'on Node %s new shop names its requirement, and writes nothing',
  async (nodeVersion) => {
    const terminal = { ...testTerminal(folder), nodeVersion }
    expect(await runToolbox(['new', 'shop', 'mine'], terminal)).toBe(2)
    expect(terminal.complained[0]).toContain(
      `runs on Node 22.18 or later, and yours is ${nodeVersion}: nothing was written`,
    )
    expect(readdirSync(folder)).toEqual([])
    expect(await runToolbox(['new', 'shop', 'mine', '--framework', 'php'], terminal)).toBe(0)
  },
)

test("a shop uses the Node of npm, also when the toolbox runs on a clone's", () => {
  expect(nodeVersionOf({ npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' })).toBe(
    'v20.20.2',
  )
  expect(nodeVersionOf({ npm_config_user_agent: 'yarn/1.22.22 npm/? node/v22.18.0 linux x64' })).toBe('v22.18.0')
  expect(nodeVersionOf({})).toBe(process.version)
})

test('listen polls the gateway of MALIPO_URL, unless another is given', async () => {
  const receiver = await startReceiver()
  try {
    receiver.answer({ status: 200, body: '{}' })
    const terminal = { ...testTerminal(folder), gatewayUrl: new URL(receiver.url).origin }
    expect(await runToolbox(['listen'], terminal)).toBe(2)
    expect(terminal.complained[0]).toContain(`${terminal.gatewayUrl}/ has no sandbox inbox`)
    expect(await runToolbox(['listen', '--gateway', 'nowhere'], terminal)).toBe(2)
    expect(terminal.complained[2]).toContain('"nowhere" is none')
  } finally {
    await receiver.close()
  }
})

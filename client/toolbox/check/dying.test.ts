import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { until } from '../../../server/verification/testing/served-gateway.ts'
import { runToolbox } from '../run-toolbox.ts'
import { run, testTerminal } from '../testing/terminal.ts'
import { temporaryFolder } from '../../../server/verification/testing/temporary-folder.ts'

// `check` exists to find a receiver that dies on a row: it must survive that, name the row, and judge the others.

const RECEIVER = fileURLToPath(new URL('../testing/dying-receiver.ts', import.meta.url))

const { path: folder } = temporaryFolder()
const servers: Server[] = []
const children: ChildProcess[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  for (const child of children.splice(0)) child.removeAllListeners('exit').kill('SIGKILL')
})

async function serve(listener: RequestListener, port = 0): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** A process that exits on a huge body. `restarts`: it is restarted, as by a supervisor. */
async function startReceiver(restarts: boolean): Promise<string> {
  const port = await freePort()
  const start = async () => {
    const child = spawn(process.execPath, [RECEIVER], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    if (restarts) child.once('exit', () => void start())
    await once(child.stdout, 'data')
  }
  await start()
  return `http://127.0.0.1:${port}/callbacks`
}

interface Report {
  readonly died: readonly { readonly row: string; readonly back_after_ms: number | null }[]
  readonly rows: readonly { readonly id: string; readonly verdict: string; readonly did: string }[]
}
const reportOf = (printed: readonly string[]): Report => JSON.parse(printed.join('\n')) as Report
const verdictsOf = ({ rows }: Report): string[] => rows.map(({ id, verdict }) => `${id} ${verdict}`)
const ROWS = ['good', 'no_signature', 'huge', 'media_type', 'get'].flatMap((id) => ['--only', id])

test('a receiver that dies fails that row, and later rows are judged when it is back', async () => {
  const url = await startReceiver(true)
  const { exitCode, printed } = await run(['check', url, ...ROWS, '--json', '--junit', 'check.xml'], folder)
  const report = reportOf(printed)
  expect(verdictsOf(report)).toEqual(['good ok', 'no_signature ok', 'huge wrong', 'media_type ok', 'get ok'])
  expect(report.rows[2]?.did).toMatch(/then it died: nothing listens there any more; back after \d+\.\d s$/)
  expect(report.died).toEqual([{ row: 'huge', back_after_ms: expect.any(Number) as number }])
  expect(exitCode).toBe(1)
  expect(readFileSync(join(folder, 'check.xml'), 'utf8')).toContain('tests="5" failures="1" skipped="0"')
})

test('reports the judged rows when the receiver does not come back, and skips the rest', async () => {
  const url = await startReceiver(false)
  const { exitCode, printed } = await run(['check', url, ...ROWS, '--json', '--return-ms', '200'], folder)
  const report = reportOf(printed)
  expect(verdictsOf(report)).toEqual([
    'good ok',
    'no_signature ok',
    'huge wrong',
    'media_type left_out',
    'get left_out',
  ])
  expect(report.rows[3]?.did).toBe('not tried: the receiver died on huge and did not come back')
  expect(report.died).toEqual([{ row: 'huge', back_after_ms: null }])
  expect(exitCode).toBe(1)
})

test('the text names the row on which it died, and Ctrl-C stops the wait', async () => {
  const terminal = testTerminal(folder)
  const ended = runToolbox(['check', await startReceiver(false), ...ROWS, '--return-ms', '600000'], terminal)
  const waiting = 'The receiver died on huge. Waiting up to 600 s for it to come back.'
  await until(() => terminal.printed.includes(waiting), 60_000, 'it waits')
  terminal.end()
  expect(await ended).toBe(1)
  expect(terminal.printed.slice(-2)).toEqual(['It died on huge.', '2 right, 1 wrong, 2 skipped'])
})

test('a death after a reply counts for that row, and the next row is retried', async () => {
  const port = await freePort()
  const answer: RequestListener = ({ method }, response) => void response.writeHead(method === 'GET' ? 405 : 204).end()
  let shop = await serve(answer, port)
  let announced = 0
  // The shop is gone when its second order is announced, and comes back after that row found no receiver.
  const effects = await serve((request, response) => {
    if (request.method === 'GET') return void response.writeHead(200).end('{}')
    if (++announced === 2) {
      shop.server.close().closeAllConnections()
      void until(() => terminal.printed.some((line) => line.startsWith('The receiver died')), 60_000, 'it waits').then(
        async () => (shop = await serve(answer, port)),
      )
    }
    response.writeHead(404).end()
  })
  const terminal = testTerminal(folder)
  const args = ['--only', 'good', '--only', 'raw_bytes', '--only', 'get', '--effects-url', effects.url]
  expect(await runToolbox(['check', shop.url, ...args], terminal)).toBe(1)
  const titles = terminal.printed.filter((line) => /^[✓✗]|^The receiver|^Corrected later|^It died/.test(line))
  expect(titles).toEqual([
    '✓ A good event good',
    'The receiver died on good. Waiting up to 30 s for it to come back.',
    'Corrected later, a row above:',
    '✗ A good event good',
    '✓ The same JSON, written in another way raw_bytes',
    '✓ GET in place of POST get',
    'It died on good.',
  ])
  expect(announced).toBe(4)
})

test('counts fulfilments that the receiver forgot when it died', async () => {
  const url = await startReceiver(true)
  const fulfilled = new Map<string, number>()
  // Each order is fulfilled once, and all are lost as soon as the receiver dies.
  const effects = await serve((request, response) => {
    if (request.method === 'GET') {
      if (children.length > 1) fulfilled.clear()
      return void response.writeHead(200).end(JSON.stringify(Object.fromEntries(fulfilled)))
    }
    void request.toArray().then((chunks: Buffer[]) => {
      const { merchant_reference: reference } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly merchant_reference: string
      }
      if (fulfilled.size === 0) fulfilled.set(reference, 1)
      response.writeHead(204).end()
    })
  })
  const args = ['--only', 'good', '--only', 'huge', '--only', 'get', '--effects-url', effects.url, '--json']
  const { printed } = await run(['check', url, ...args], folder)
  expect(verdictsOf(reportOf(printed))).toEqual(['good ok', 'huge wrong', 'get ok'])
})

test('prints a row as soon as it is judged', async () => {
  const terminal = testTerminal(folder)
  let reportedBefore: readonly string[] | undefined
  const { url } = await serve((request, response) => {
    if (request.method === 'GET') reportedBefore = [...terminal.printed]
    response.writeHead(request.method === 'GET' ? 405 : 204).end()
  })
  await runToolbox(['check', url, '--only', 'good', '--only', 'get'], terminal)
  expect(reportedBefore?.slice(0, 2)).toEqual(['Callbacks', '✓ A good event good'])
})

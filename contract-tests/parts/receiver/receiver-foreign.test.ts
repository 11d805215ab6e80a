import { freePort } from '../../../server/verification/testing/free-port.ts'
import { exec } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { listen } from '../../harness/listen.ts'
import type { RunOptions, Target } from '../../harness/part.ts'
import { receiverPart, runScenarios } from './receiver.ts'
import { OK, status } from '../../driver/merchant-replies.ts'
import { scenarios } from './scenarios.ts'
import { startOwnGateway } from '../../harness/own-gateway.ts'
import { testNightly } from '../../../server/verification/testing/nightly.ts'
import { databaseTest } from '../../../server/verification/testing/database-test.ts'
import { gatewayTest } from '../../../server/verification/testing/gateway-test.ts'

// A server that is not the suite's own: its clock is the real one, and its jobs run on their own.

const options: RunOptions = { seed: 1, size: 'pull-request', log: () => undefined }
const database = await databaseTest()
const {
  own: _own,
  close,
  ...settings
} = await startOwnGateway({ connection: database.connection, receiverPort: await freePort() })
await close()
const { gateway } = await gatewayTest({
  database,
  clock: 'real',
  surroundings: { runJobs: true },
  env: { MALIPO_SANDBOX_DELAY_MS: '100' },
})
const target: Target = { ...settings, url: gateway.url }

// By default other-server.slow.test.ts covers one.
testNightly('a server with a fixed clock is judged up to the first retry, and is reported so', async () => {
  const names = ['collection 004', 'collection 007', 'payout 001', 'bank collection 001', 'collection 005, authorized']
  const chosen = scenarios({ ...options, canWait: false, run: 1 }).filter(({ name }) => names.includes(name))
  const result = await runScenarios(target, options, () => [
    ...chosen,
    { ...chosen[0]!, name: 'retried', callbacks: [status(500), OK], body: { ...chosen[0]!.body } },
  ])
  expect(result).toMatchObject({
    status: 'passed',
    findings: [],
    reason: expect.stringContaining('the clock cannot be moved'),
  })
  expect(result.cases).toBe(6 + 9) // 007 sends two callbacks, the retried one two attempts, the payout a handshake
})

test('is skipped without a receiver or test numbers, and names what is missing', async () => {
  const { receiver: _receiver, ...deaf } = target
  expect(await receiverPart.run(deaf, options)).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('--receiver-port'),
    cases: 0,
  })
  expect(await receiverPart.run({ ...target, sandbox: false }, options)).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('test numbers'),
    cases: 0,
  })
})

async function withServer(listener: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const { url, close } = await listen(createServer(listener))
  await run(url).finally(() => void close())
}

test.each<[string, RequestListener]>([
  ['answers 500 to everything', (_request, response) => void response.writeHead(500).end('<html>Oops')],
  ['says 200 with what is not an envelope', (_request, response) => void response.writeHead(200).end('[null]')],
  ['cuts every connection', (request) => void request.socket.destroy()],
])('reports a server that %s once for each operation, with a shell line', async (_what, listener) => {
  await withServer(listener, async (url) => {
    const { findings, status: came } = await receiverPart.run({ ...target, url }, options)
    expect([came, findings.map(({ about }) => about)]).toEqual(['findings', ['initializeCollection', 'sendFunds']])
    const requested = new Promise<string>(
      (resolve) =>
        void withServer(
          (request, response) =>
            void text(request).then((body) => {
              response.end()
              const { 'public-key': publicKey, 'secret-key': secretKey } = request.headers
              resolve(`${String(publicKey)} ${String(secretKey)} ${body}`)
            }),
          async (recorder) =>
            void (await promisify(exec)(findings[1]!.curl!.replaceAll(url, recorder), {
              env: { ...process.env, PUBLIC_KEY: 'the-public-key', SECRET_KEY: 'the-secret-key' },
            })),
        ),
    )
    expect(await requested).toMatch(/^the-public-key the-secret-key \{.*"merchant_reference":"RECEIVER-1-\d+-\d+"\}$/)
  })
})

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { startGateway, type Gateway } from '../../main.ts'
import { sandboxMasterKey } from '../embedded-postgres/database.ts'
import { rotateRsaKey } from '../../admin/queries/key-rotation.ts'
import { withdrawRsaKey } from '../../admin/queries/withdraw-rsa-key.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { LIVE_ENV, MASTER_KEY } from '../../verification/testing/gateway.ts'
import { readSummary, type Checks } from './inbox-message.ts'
import { DEMO_MERCHANT } from './providers.ts'
import { PAGE_POLICY } from './sandbox-page.ts'
import { NOW, sign, verdicts, why } from './testing/signed-callback.ts'

interface WireMessage {
  readonly id: number
  readonly delivery: number
  readonly answered: number
  readonly merchant_reference: string
  readonly transaction_status: string
  readonly checks: Checks
  readonly headers: Record<string, string>
  readonly body: string
}

let gateway: Gateway
let folder: string
let requested = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
  gateway = await startGateway(
    readConfig({
      MALIPO_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      MALIPO_SANDBOX_DELAY_MS: '50',
    }),
  )
}, 60_000)
afterAll(async () => {
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const collect = async (msisdn: string): Promise<string> => {
  const merchantReference = `INBOX-TEST-${++requested}`
  const reply = await fetch(`${gateway.url}/collections/initialize`, {
    method: 'POST',
    headers: {
      'public-key': DEMO_MERCHANT.keys.publicKey,
      'secret-key': DEMO_MERCHANT.keys.secretKey,
      'x-api-version': '1',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: merchantReference,
      msisdn,
      currency: 'UGX',
      amount: 5000,
      description: 'Inbox test',
      charge_customer: false,
      allow_final_status_change: false,
    }),
  })
  expect(reply.status, await reply.text()).toBe(202)
  return merchantReference
}
const inbox = async (reference: string): Promise<WireMessage[]> => {
  const reply = await fetch(`${gateway.url}/sandbox/inbox?reference=${reference}`, {
    headers: { accept: 'application/json' },
  })
  return ((await reply.json()) as { messages: WireMessage[] }).messages
}
const arrived = async (reference: string): Promise<WireMessage> => {
  const deadline = Date.now() + 15_000
  for (;;) {
    const [message] = await inbox(reference)
    if (message) return message
    if (Date.now() > deadline) throw new Error(`no callback for ${reference} within 15 s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
/** Delivers a received message again, as a retry of the gateway would. */
const again = (
  { headers, body }: WireMessage,
  query = '',
  changedBody = body,
  changedHeaders: Record<string, string> = {},
) => {
  const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
  return fetch(`${gateway.url}/sandbox/inbox${query}`, {
    method: 'POST',
    headers: { ...sent, ...changedHeaders },
    body: changedBody,
  })
}

test.each([
  ['256772000123', 'COMPLETED'],
  ['256772000002', 'FAILED'],
])(
  'the callback of a collection from %s (%s) arrives with three good signatures',
  async (msisdn, status) => {
    const message = await arrived(await collect(msisdn))
    expect(message.transaction_status).toBe(status)
    expect(message.checks).toEqual({
      hmac: { verdict: 'good' },
      rsa: { verdict: 'good' },
      webhook: { verdict: 'good' },
    })
    const page = await fetch(`${gateway.url}/sandbox/inbox/${message.id}`)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, PAGE_POLICY])
    expect(await page.text()).toContain(message.merchant_reference)
  },
  30_000,
)

test('openssl alone verifies the RSA signature of a callback', async ({ skip }) => {
  try {
    execFileSync('openssl', ['version'])
  } catch {
    console.warn('skipped: there is no openssl on this machine')
    skip()
  }
  const { headers, body } = await arrived(await collect('256772000123'))
  const file = (name: string, content: string | Buffer) => (
    writeFileSync(join(folder, name), content),
    join(folder, name)
  )
  const pem = file(
    'key.pem',
    await (await fetch(`${gateway.url}/.well-known/malipo-rsa/${headers['rsa-key-id']}.pem`)).text(),
  )
  const signature = file('signature.bin', Buffer.from(headers['rsa-signature']!, 'base64'))
  const verified = execFileSync('openssl', [
    'dgst',
    '-sha256',
    '-verify',
    pem,
    '-signature',
    signature,
    file('signed.txt', readSummary(Buffer.from(body)).signedText!),
  ])
  expect(verified.toString()).toContain('Verified OK')
}, 30_000)

test('records a repeat as the second delivery, also from a server rehearsed as failing', async () => {
  const first = await arrived(await collect('256772000123'))
  expect((await again(first, '?answer=503')).status).toBe(503)
  expect((await inbox(first.merchant_reference)).map(({ delivery, answered }) => [delivery, answered])).toEqual([
    [2, 503],
    [1, 200],
  ])
}, 30_000)

test('an altered message is acknowledged and shown as bad', async () => {
  const first = await arrived(await collect('256772000123'))
  expect((await again(first, '', first.body.replace('5000', '9000'))).status).toBe(200)
  const [altered] = await inbox(first.merchant_reference)
  expect(verdicts(altered!.checks)).toEqual(['good', 'good', 'bad'])
}, 30_000)

test("an older RSA key's signature stays good, and an unknown key id is bad", async () => {
  const first = await arrived(await collect('256772000123'))
  const { id } = await rotateRsaKey(
    gateway.pool,
    createSecretBox(await sandboxMasterKey(join(folder, 'data')), { bytes: randomBytes }),
    NOW,
  )
  for (const keyId of [first.headers['rsa-key-id']!, id, '0123456789abcdef'])
    await again(first, '', first.body, { 'rsa-key-id': keyId })
  const [unknown, newer, repeated] = (await inbox(first.merchant_reference)).map(({ checks }) => why(checks.rsa))
  expect(repeated).toBe('good')
  expect(newer).toContain('not made with the private key that rsa-key-id names')
  expect(unknown).toBe('This gateway has no RSA key of that rsa-key-id')
}, 30_000)

test("a withdrawn RSA key's signature is bad, and says why", async () => {
  const first = await arrived(await collect('256772000123'))
  await rotateRsaKey(
    gateway.pool,
    createSecretBox(await sandboxMasterKey(join(folder, 'data')), { bytes: randomBytes }),
    NOW,
  )
  await withdrawRsaKey(gateway.pool, first.headers['rsa-key-id']!, NOW)
  await gateway.refresh()
  await again(first, '', first.body, {})
  const [repeated] = (await inbox(first.merchant_reference)).map(({ checks }) => why(checks.rsa))
  expect(repeated).toBe('The RSA key of that rsa-key-id was withdrawn: nothing that it signed is to be trusted')
}, 30_000)

test('a handshake is verified over the empty body and answered', async () => {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = await sign('', new Date())
  const reply = await fetch(`${gateway.url}/sandbox/inbox/handshake?reference=PAYOUT-INBOX-1`, {
    headers: { 'webhook-id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! },
  })
  expect(reply.status).toBe(200)
  expect((await inbox('PAYOUT-INBOX-1')).map(({ checks }) => verdicts(checks))).toEqual([
    ['not_expected', 'not_expected', 'good'],
  ])
})

test.each([
  ['DELETE', '', 405, 'GET, HEAD, POST'],
  ['POST', '/stream', 405, 'GET'],
  ['GET', '/1/resend', 405, 'POST'],
  ['POST', '/999999/resend', 404, null],
  ['POST', '/handshake', 405, 'GET'],
  ['GET', '/clear', 405, 'POST'],
  ['PUT', '/1', 405, 'GET, HEAD'],
  ['GET', '/999999', 404, null],
  ['GET', '/x', 404, null],
  ['POST', '?answer=99', 400, null],
  ['POST', '?delay=20001', 400, null],
  ['POST', '', 415, null],
])('%s /sandbox/inbox%s is refused in the envelope: %i', async (method, path, status, allow) => {
  const reply = await fetch(`${gateway.url}/sandbox/inbox${path}`, { method })
  expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow])
  expect(await reply.json()).toMatchObject({ code: status, status: 'error', data: {} })
})

test('a body of more than 256 kB is refused', async () => {
  const reply = await fetch(`${gateway.url}/sandbox/inbox`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: 'x'.repeat(262_145),
  })
  expect(reply.status).toBe(413)
})

test("another site's form cannot empty it, its own can", async () => {
  const { merchant_reference: reference } = await arrived(await collect('256772000123'))
  const clear = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/sandbox/inbox/clear`, { method: 'POST', headers, redirect: 'manual' })
  expect((await clear({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await clear({ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect(await inbox(reference)).toHaveLength(1)
  const cleared = await clear({ origin: gateway.url, 'sec-fetch-site': 'same-origin' })
  expect([cleared.status, cleared.headers.get('location')]).toEqual([303, '/sandbox/inbox'])
  expect(await inbox(reference)).toHaveLength(0)
}, 30_000)

test('keeps the newest 500 and lists the newest 100', async () => {
  const post = (number: number) =>
    fetch(`${gateway.url}/sandbox/inbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload: { merchant_reference: `KEPT-${number % 2}` } }),
    })
  for (let number = 0; number < 560; number += 40)
    await Promise.all(Array.from({ length: 40 }, (_, index) => post(number + index)))
  expect((await gateway.pool.query<{ count: bigint }>('select count(*) from sandbox.inbox')).rows[0]!.count).toBe(500n)
  expect(await inbox('KEPT-1')).toHaveLength(100)
}, 30_000)

test("a late reply or a reader of the stream does not delay the gateway's shutdown", async () => {
  const second = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
  const other = await startGateway(
    readConfig({ MALIPO_DATA_DIR: join(second, 'data'), PORT: '0', LOG_LEVEL: 'silent' }),
  )
  try {
    const late = fetch(`${other.url}/sandbox/inbox?delay=20000`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    while ((await other.pool.query('select from sandbox.inbox')).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const stream = await fetch(`${other.url}/sandbox/inbox/stream`)
    const startedAt = performance.now()
    await other.stop()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect((await late).status).toBe(200)
    expect(await stream.text()).toMatch(/^retry: 3000/)
  } finally {
    rmSync(second, { recursive: true, force: true })
  }
}, 60_000)

test('live mode has no inbox', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-inbox-'))
  const live = await startGateway(
    readConfig({
      MALIPO_DATA_DIR: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...LIVE_ENV,
      MALIPO_MASTER_KEY: MASTER_KEY,
    }),
  )
  try {
    for (const path of ['', '/handshake', '/1', '/clear', '/stream', '/1/resend'])
      expect((await fetch(`${live.listeningUrl}/sandbox/inbox${path}`)).status).toBe(404)
    expect(
      (
        await fetch(`${live.listeningUrl}/sandbox/inbox`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404)
  } finally {
    await live.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

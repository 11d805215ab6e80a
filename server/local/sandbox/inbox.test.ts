import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { rotateRsaKey } from '../../admin/queries/key-rotation.ts'
import { withdrawRsaKey } from '../../admin/queries/withdraw-rsa-key.ts'
import { present } from '../../domain/present.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { createTestDatabase } from '../../verification/testing/database.ts'
import { DEMO_KEYS, MASTER_KEY, seededRandom, startTestGateway } from '../../verification/testing/gateway.ts'
import { readSummary } from '../../domain/received/message.ts'
import { createInboxStore } from './inbox-store.ts'
import { LIVE_SCRIPT, LIVE_SCRIPT_PATH } from './live-script.ts'
import { mobileMoneyPayout, postJson } from '../../verification/testing/requests.ts'
import { inboxTest, type WireMessage } from './testing/inbox-test.ts'
import { sign, verdicts, why } from '../../domain/received/testing/signed-callback.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

const { gateway, clock, inbox, messages, paid, deliver, post, forge } = await inboxTest()

/** Delivers a received message again, as a retry of the gateway would. */
function again({ headers, body }: WireMessage, changed: { query?: string; body?: string; keyId?: string } = {}) {
  const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
  const keyId = changed.keyId === undefined ? {} : { 'rsa-key-id': changed.keyId }
  return post(changed.body ?? body, { ...sent, ...keyId }, changed.query)
}

test.each([
  ['256772000123', 'COMPLETED'],
  ['256772000002', 'FAILED'],
])('the callback of a collection from %s (%s) arrives with three good signatures', async (msisdn, status) => {
  const message = await paid(msisdn)
  expect(message.transaction_status).toBe(status)
  expect(verdicts(message.checks)).toEqual(['good', 'good', 'good'])
  const page = await fetch(`${inbox}/${message.id}`)
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringMatching(/^default-src 'none'; style-src 'self'; /),
  ])
  expect(await page.text()).toContain(message.merchant_reference)
})

const folder = temporaryFolder()

test('openssl alone verifies the RSA signature of a callback', async ({ skip }) => {
  try {
    execFileSync('openssl', ['version'])
  } catch {
    skip('no openssl is installed')
  }
  const { headers, body } = await paid()
  const key = await fetch(`${gateway.url}/.well-known/malipo-rsa/${headers['rsa-key-id']}.pem`)
  const pem = folder.written('key.pem', await key.text())
  const signature = folder.written('signature.bin', Buffer.from(headers['rsa-signature']!, 'base64'))
  const signed = folder.written('signed.txt', readSummary(Buffer.from(body)).signedText!)
  const verified = execFileSync('openssl', ['dgst', '-sha256', '-verify', pem, '-signature', signature, signed])
  expect(verified.toString()).toContain('Verified OK')
})

test('acknowledges repeated and altered messages, counts deliveries and shows bad ones', async () => {
  const first = await paid()
  expect((await again(first, { query: '?answer=503' })).status).toBe(503)
  expect((await again(first, { body: first.body.replace('5000', '9000') })).status).toBe(200)
  const received = await messages(`reference=${first.merchant_reference}`)
  expect(received.map(({ delivery, answered, checks }) => [delivery, answered, ...verdicts(checks)])).toEqual([
    [3, 200, 'good', 'good', 'bad'],
    [2, 503, 'good', 'good', 'good'],
    [1, 200, 'good', 'good', 'good'],
  ])
})

test('an older RSA key is good until it is withdrawn; an unknown key id is bad', async () => {
  const first = await paid()
  const older = first.headers['rsa-key-id']!
  const box = createSecretBox(MASTER_KEY, seededRandom('inbox'))
  const { id: newer } = await rotateRsaKey(gateway.pool, box, clock.now())
  for (const keyId of [older, newer, '0123456789abcdef']) await again(first, { keyId })
  await withdrawRsaKey(gateway.pool, older, clock.now())
  await gateway.refresh()
  await again(first)
  const received = await messages(`reference=${first.merchant_reference}`)
  expect(received.toReversed().map(({ checks }) => why(checks.rsa))).toEqual([
    'good',
    'good',
    'It was not made with the private key that rsa-key-id names, or it was damaged on the way',
    'This gateway has no RSA key of that rsa-key-id',
    'The RSA key of that rsa-key-id was withdrawn: nothing that it signed is to be trusted',
  ])
})

test('a handshake is verified over the empty body and answered', async () => {
  const signed = Object.entries(await sign('', clock.now())).filter(([name]) => name.startsWith('webhook-'))
  const reply = await fetch(`${inbox}/handshake?reference=PAYOUT-INBOX-1`, { headers: signed })
  expect(reply.status).toBe(200)
  expect((await messages('reference=PAYOUT-INBOX-1')).map(({ checks }) => verdicts(checks))).toEqual([
    ['not_expected', 'not_expected', 'good'],
  ])
})

test('shows the handshake and the end of a batch with sums and signatures', async () => {
  await gateway.pool.query('update merchants set batch_handshake = true')
  await gateway.refresh()
  const body = { batch_reference: 'BATCH-INBOX-1', payouts: [mobileMoneyPayout()] }
  await postJson(gateway.url, '/payout/batches', body, DEMO_KEYS)
  for (const ms of [60_000, 60_000, 0]) {
    await gateway.runDue()
    clock.advance(ms)
  }
  const both = await messages('reference=BATCH-INBOX-1')
  expect(both.map(({ kind, checks }) => [kind, verdicts(checks)])).toEqual([
    ['callback', ['not_expected', 'not_expected', 'good']],
    ['handshake', ['not_expected', 'not_expected', 'good']],
  ])
  const page = await (await fetch(`${inbox}?reference=BATCH-INBOX-1`)).text()
  for (const part of ['Batch handshake', 'Is this batch of payouts yours?', '20,000', 'COMPLETED'])
    expect(page).toContain(part)
  expect(page).not.toContain('/transactions/BATCH-INBOX-1')
})

test.each([
  ['DELETE', '', 405, 'GET, HEAD, POST'],
  ['POST', '/stream', 405, 'GET'],
  ['GET', '/1/resend', 405, 'POST'],
  ['POST', '/999999/resend', 404, null],
  ['PUT', '/handshake', 405, 'GET, POST'],
  ['GET', '/clear', 405, 'POST'],
  ['PUT', '/1', 405, 'GET, HEAD'],
  ['GET', '/999999', 404, null],
  ['GET', '/x', 404, null],
  ['POST', '?answer=99', 400, null],
  ['POST', '?delay=20001', 400, null],
  ['POST', '', 415, null],
])('%s /sandbox/inbox%s is refused in the envelope: %i', async (method, path, status, allow) => {
  const reply = await fetch(`${inbox}${path}`, { method })
  expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow])
  expect(await reply.json()).toMatchObject({ code: status, status: 'error', data: {} })
})

test("another site's form cannot empty it, its own can", async () => {
  await forge({})
  const clear = (headers: Record<string, string>) =>
    fetch(`${inbox}/clear`, { method: 'POST', headers, redirect: 'manual' })
  expect((await clear({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await clear({ origin: 'https://evil.example', 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect(await messages('')).toHaveLength(1)
  const cleared = await clear({ origin: gateway.url, 'sec-fetch-site': 'same-origin' })
  expect([cleared.status, cleared.headers.get('location')]).toEqual([303, '/sandbox/inbox'])
  expect(await messages('')).toEqual([])
})

test('keeps the newest 500 and lists the newest 100', async () => {
  await forge({ merchant_reference: 'KEPT-0' })
  const store = createInboxStore(gateway.pool)
  const message = present((await store.list({}))[0], 'the message')
  const added = Array.from({ length: 560 }, (_, n) => store.add({ ...message, merchantReference: `KEPT-${n % 2}` }))
  await Promise.all(added)
  expect((await gateway.pool.query<{ count: bigint }>('select count(*) from sandbox.inbox')).rows[0]!.count).toBe(500n)
  expect(await messages('reference=KEPT-1')).toHaveLength(100)
})

test("a late reply or a reader of the stream does not delay the gateway's shutdown", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const other = await startTestGateway(database)
  const late = fetch(`${other.url}/sandbox/inbox?delay=20000`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await expect.poll(async () => (await other.pool.query('select from sandbox.inbox')).rowCount).toBe(1)
  const stream = await fetch(`${other.url}/sandbox/inbox/stream`)
  await other.stop() // which cuts whatever it has not ended within three seconds
  expect((await late).status).toBe(200)
  expect(await stream.text()).toMatch(/^retry: 3000/)
})

test('a resend makes Malipo deliver a callback again, under its webhook-id', async () => {
  const first = await paid()
  const resend = (site: string) =>
    fetch(`${inbox}/${first.id}/resend?reference=${first.merchant_reference}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': site },
      redirect: 'manual',
    })
  expect((await resend('cross-site')).status).toBe(403)
  const reply = await resend('same-origin')
  expect([reply.status, reply.headers.get('location')]).toEqual([
    303,
    `/sandbox/inbox?reference=${first.merchant_reference}&sent=${first.id}`,
  ])
  await deliver()
  const second = present((await messages(''))[0], 'the second delivery')
  expect(second).toMatchObject({ delivery: 2, body: first.body })
  expect(verdicts(second.checks)).toEqual(['good', 'good', 'good'])
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
})

test('a message not sent by Malipo cannot be resent', async () => {
  await forge({ merchant_reference: 'OF-NOBODY-1' })
  const [message] = await messages('')
  const resend = (accept: string) => fetch(`${inbox}/${message?.id}/resend`, { method: 'POST', headers: { accept } })
  const reply = await resend('application/json')
  const why = expect.stringContaining('has no callback with this webhook-id') as string
  expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ message: why })])
  const page = await resend('text/html')
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<h1>This is no callback of Malipo</h1>')
})

test('selects messages by state and by either reference', async () => {
  const { merchant_reference: reference, internal_reference: ours } = await paid()
  const failed = await paid('256772000002')
  await forge({ merchant_reference: reference, transaction_status: 'COMPLETED' })
  await forge({ merchant_reference: failed.merchant_reference, transaction_status: 'CANCELLED' })
  expect((await messages(`reference=${ours}`)).map(({ merchant_reference }) => merchant_reference)).toEqual([reference])
  const of = async (one: string, state: string) => (await messages(`reference=${one}&state=${state}`)).length
  const states = ['completed', 'failed', 'cancelled', 'bad', 'handshakes']
  expect(await Promise.all(states.map((state) => of(reference, state)))).toEqual([2, 0, 0, 1, 0])
  expect(await Promise.all(states.map((state) => of(failed.merchant_reference, state)))).toEqual([0, 1, 1, 1, 0])
  const page = await (await fetch(`${inbox}?reference=${reference}&state=bad`)).text()
  const count = (state: string) => new RegExp(`id="count-${state}" data-live>(\\d+)<`).exec(page)?.[1]
  expect(['all', ...states].map(count)).toEqual(['2', '2', '0', '0', '1', '0'])
  expect(page).toContain(`<span class="anchor" id="of-${reference}"></span>`)
  expect((await fetch(`${inbox}?state=lost`)).status).toBe(400)
  const refused = await fetch(`${inbox}?state=lost`, { headers: { accept: 'text/html' } })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('There is no such state</h1>')])
})

test("shows a transaction's events by either reference, without the account", async () => {
  const { merchant_reference: merchants, internal_reference: ours } = await paid()
  const sendRequest = (reference: string, accept: string) =>
    fetch(`${gateway.url}/sandbox/transactions/${reference}`, { headers: { accept } })
  const reported = (await (await sendRequest(merchants, 'application/json')).json()) as {
    readonly transactions: readonly { readonly internal_reference: string; readonly events: { kind: string }[] }[]
  }
  expect(reported.transactions.map(({ internal_reference }) => internal_reference)).toEqual([ours])
  expect(reported.transactions.flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual(
    expect.arrayContaining(['accepted', 'submitted', 'settled', 'booked']),
  )
  const page = await (await sendRequest(ours, 'text/html')).text()
  expect(page).toContain('<b>settled</b>')
  expect(page).not.toContain('256772000123')
  expect((await sendRequest('NOBODYS-REFERENCE', 'text/html')).status).toBe(404)
})

test("the stream sends the inbox's content at once, and again when it changes", async () => {
  const stream = await fetch(`${inbox}/stream`)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = present(stream.body, 'a body').pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => {
    for (let text = ''; ;) {
      text += (await reader.read()).value ?? ''
      const version = /data: (\S+)\n\n/.exec(text)?.[1]
      if (version !== undefined) return version
    }
  }
  const before = await next()
  await forge({})
  expect(await next()).not.toBe(before)
  await reader.cancel()
  const script = await fetch(gateway.url + LIVE_SCRIPT_PATH)
  expect(await script.text()).toBe(LIVE_SCRIPT)
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('shows API requests, without pages, keys, queries and bodies', async () => {
  const requestAfter = async (after: number) => {
    const reply = await fetch(`${gateway.url}/sandbox/requests?after=${after}`)
    return ((await reply.json()) as { readonly requests: readonly { readonly id: number }[] }).requests
  }
  const last = (await requestAfter(0)).at(-1)?.id ?? 0
  const headers = { ...DEMO_KEYS, 'x-api-version': '1' }
  await (await fetch(`${gateway.url}/data/wallet-balances?currency=UGX`, { headers })).text()
  const [request, ...others] = await requestAfter(last)
  expect([request, others]).toEqual([
    {
      id: expect.any(Number) as number,
      at: expect.any(String) as string,
      method: 'GET',
      path: '/data/wallet-balances',
      status: 200,
      ms: expect.any(Number) as number,
    },
    [],
  ])
})

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { startReceiver, type ReceivedCallback } from '../../server/verification/testing/receiver.ts'
import { handshakes, webhooks, type CallbackEvent } from '../index.ts'
import { verifyMessage } from '../standard-webhook.ts'
import { EVENT_NAMES } from './events.ts'
import { findMessage, storeIn } from './stored-messages.ts'
import { run } from './testing/terminal.ts'

const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const SIGNING_KEY = 'SANDBOXDEMOSIGNKEY01'

let folder: string
const receiver = await forFile(startReceiver())
const { received } = receiver
const { origin } = new URL(receiver.url)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malipo-dev-'))
  receiver.forget()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const contract = readContract(bundleUrl)
const faultIn = (schema: string, value: unknown) => contract.faultIn({ $ref: `#/components/schemas/${schema}` }, value)

test.each(EVENT_NAMES)('trigger %s sends an event of the contract, with three valid signatures', async (name) => {
  const { exitCode } = await run(
    ['trigger', name, '--to', `${origin}/callbacks?shop=1`, '--amount', '7000', '--reference', 'ORDER-2026-0042'],
    folder,
  )
  expect(exitCode).toBe(0)
  const [{ method, path, headers, body }] = received as [ReceivedCallback]
  expect({ method, path, type: headers['content-type'] }).toEqual({
    method: 'POST',
    path: '/callbacks?shop=1',
    type: 'application/json; charset=utf-8',
  })
  const [kind = ''] = name.split('.')
  expect(faultIn(`${kind[0]!.toUpperCase()}${kind.slice(1)}Callback`, JSON.parse(body))).toBe(undefined)
  const { payload } = await webhooks.verify(body, headers, SECRET)
  expect(payload).toMatchObject({
    merchant_reference: 'ORDER-2026-0042',
    request_amount: 7000,
    transaction_amount: 7000,
    transaction_status: name.split('.')[1]!.toUpperCase(),
  })
  expect((await webhooks.verifyLegacy(body, headers, { signingKeys: SIGNING_KEY })).payload.id).toBe(payload.id)
  expect(faultIn('WebhookId', headers['webhook-id'])).toBe(undefined)
  expect(faultIn('HmacSignature', headers['hmac-signature'])).toBe(undefined)
  expect(faultIn('RsaSignature', headers['rsa-signature'])).toBe(undefined)
  expect(faultIn('RsaKeyId', headers['rsa-key-id'])).toBe(undefined)
})

test.each([
  ['payout_batch.completed', 'PayoutBatchCallback'],
  ['payout_batch.verification', 'PayoutBatchHandshake'],
])('trigger %s sends a message about a batch, without legacy signatures', async (name, schema) => {
  const args = ['trigger', name, '--to', origin, '--reference', 'SALARIES-2026-03']
  expect((await run(args, folder)).exitCode).toBe(0)
  const [{ headers, body }] = received as [ReceivedCallback]
  expect(faultIn(schema, JSON.parse(body))).toBe(undefined)
  expect(body).toContain('SALARIES-2026-03')
  expect(headers['hmac-signature']).toBe(undefined)
  const signed = await verifyMessage(Buffer.from(body), headers, SECRET, {})
  expect(signed.webhookId).toBe(headers['webhook-id'])
})

test('charge and totals follow the amount', async () => {
  await run(['trigger', 'collection.completed', '--to', origin, '--amount', '20000'], folder)
  await run(['trigger', 'payout.completed', '--to', origin, '--amount', '20000', '--currency', 'KES'], folder)
  await run(['trigger', 'collection.failed', '--to', origin, '--amount', '20000'], folder)
  const [collection, payout, failed] = received.map(({ body }) => (JSON.parse(body) as CallbackEvent).payload)
  expect(collection).toMatchObject({ transaction_charge: 200, total_credit: 19_800 })
  expect(payout).toMatchObject({ request_currency: 'KES', transaction_currency: 'KES' })
  expect(payout).toMatchObject({ total_debit: 20_000 + 100 })
  expect(failed).toMatchObject({ transaction_charge: 0, total_credit: 0 })
})

test('--set changes any field before signing: JSON as JSON, everything else as text', async () => {
  const { exitCode } = await run(
    [
      'trigger',
      'collection.completed',
      '--to',
      origin,
      '--set',
      'payload.customer_name=Amina = Nakato',
      '--set',
      'payload.total_credit=12.5',
      '--set',
      'note={"a":1}',
    ],
    folder,
  )
  expect(exitCode).toBe(0)
  expect(JSON.parse(received[0]!.body)).toMatchObject({
    payload: { customer_name: 'Amina = Nakato', total_credit: 12.5 },
    note: { a: 1 },
  })
  await expect(webhooks.verify(received[0]!.body, received[0]!.headers, SECRET)).resolves.toBeDefined()
})

test('trigger handshake sends the request that Malipo sends', async () => {
  const { exitCode } = await run(
    ['trigger', 'handshake', '--to', `${origin}/handshake?shop=1`, '--reference', 'PAYOUT-2026-0042'],
    folder,
  )
  expect(exitCode).toBe(0)
  const [{ method, path, headers, body }] = received as [ReceivedCallback]
  expect({ method, path, body }).toEqual({
    method: 'GET',
    path: '/handshake?shop=1&reference=PAYOUT-2026-0042',
    body: '',
  })
  expect(await handshakes.verify(path, headers, SECRET)).toMatchObject({ merchantReference: 'PAYOUT-2026-0042' })
})

test('another secret signs for another merchant', async () => {
  const secret = 'whsec_YW5vdGhlciBzZWNyZXQgYWx0b2dldGhlciwgMzIgYg=='
  await run(
    ['trigger', 'collection.completed', '--to', origin, '--secret', secret, '--signing-key', 'ABCDEFGHIJKLMNOPQRST'],
    folder,
  )
  const [{ headers, body }] = received as [ReceivedCallback]
  await expect(webhooks.verify(body, headers, secret)).resolves.toBeDefined()
  await expect(webhooks.verifyLegacy(body, headers, { signingKeys: 'ABCDEFGHIJKLMNOPQRST' })).resolves.toBeDefined()
  await expect(webhooks.verify(body, headers, SECRET)).rejects.toMatchObject({ reason: 'wrong_signature' })
})

test('prints both sides, and escapes control characters of the receiver', async () => {
  receiver.answer({ status: 500, body: 'noted \u001b[31mred\u001b[0m' })
  const { exitCode, printed } = await run(['trigger', 'collection.completed', '--to', origin], folder)
  expect(exitCode).toBe(1)
  const reported = printed.join('\n')
  expect(reported).toContain(`POST ${origin}/`)
  expect(reported).toContain('"event":"transaction.completed"')
  expect(reported).toMatch(/← 500 in \d+ ms/)
  expect(reported).toContain('noted �[31mred�[0m')
  expect(reported).not.toContain('\u001b')
})

test('names a receiver that does not listen, with exit code 1', async () => {
  const { exitCode, printed } = await run(
    ['trigger', 'collection.completed', '--to', 'http://127.0.0.1:1/callbacks'],
    folder,
  )
  expect({ exitCode, last: printed.at(-1) }).toMatchObject({
    exitCode: 1,
    last: expect.stringContaining('ECONNREFUSED') as string,
  })
})

test('resend sends the same id and body, signed with the current time', async () => {
  const first = new Date('2026-03-01T08:00:00Z')
  const later = new Date('2026-03-01T09:00:00Z')
  await run(['trigger', 'collection.completed', '--to', `${origin}/a`], folder, () => first)
  const id = String(received[0]!.headers['webhook-id'])
  expect((await run(['resend', id], folder, () => later)).exitCode).toBe(0)
  expect((await run(['resend', id, '--as-recorded', '--to', `${origin}/b`], folder, () => later)).exitCode).toBe(0)
  const [one, two, recorded] = received as [ReceivedCallback, ReceivedCallback, ReceivedCallback]
  expect([two.body, two.headers['webhook-id'], two.path]).toEqual([one.body, id, '/a'])
  await expect(webhooks.verify(two.body, two.headers, SECRET, { now: later })).resolves.toBeDefined()
  expect([recorded.body, recorded.headers['webhook-signature'], recorded.path]).toEqual([
    one.body,
    one.headers['webhook-signature'],
    '/b',
  ])
})

test('a handshake resent elsewhere has the same reference', async () => {
  await run(['trigger', 'handshake', '--to', `${origin}/a`, '--reference', 'PAYOUT-2026-0042'], folder)
  await run(['resend', String(received[0]!.headers['webhook-id']), '--to', `${origin}/b?shop=2`], folder)
  expect(received.map(({ path }) => path)).toEqual([
    '/a?reference=PAYOUT-2026-0042',
    '/b?shop=2&reference=PAYOUT-2026-0042',
  ])
})

test('stored messages contain no key, and git ignores them', async () => {
  await run(['trigger', 'collection.completed', '--to', origin], folder)
  const kept = readdirSync(join(folder, '.malipo-dev'))
  expect(kept).toEqual(['.gitignore', `${String(received[0]!.headers['webhook-id'])}.json`])
  expect(readFileSync(join(folder, '.malipo-dev', '.gitignore'), 'utf8')).toBe('*\n')
  for (const file of kept)
    expect(readFileSync(join(folder, '.malipo-dev', file), 'utf8')).not.toMatch(/whsec_|SANDBOXDEMO/)
})

test('stores 200 messages at most', () => {
  for (let sent = 0; sent < 205; sent++)
    storeIn(folder, `cb_${sent}`, { method: 'POST', url: new URL(origin), headers: {} })
  expect(readdirSync(join(folder, '.malipo-dev')).filter((name) => name.endsWith('.json'))).toHaveLength(200)
  expect(findMessage(folder, 'cb_204')).toMatchObject({ webhookId: 'cb_204' })
})

test.each([['../../etc/passwd'], ['..'], ['cb_UNKNOWN']])('resend of %s, which nobody sent, says so', async (id) => {
  const { exitCode, complained } = await run(['resend', id, '--gateway', 'http://127.0.0.1:1'], folder)
  expect({ exitCode, complained }).toMatchObject({
    exitCode: 2,
    complained: [expect.stringContaining('is not stored in this folder'), expect.stringContaining('--help')],
  })
})

test('check finds out before its first row that nothing listens at one of its URLs', async () => {
  const { exitCode, printed, complained } = await run(
    ['check', `${origin}/callbacks`, '--handshake-url', 'http://127.0.0.1:1/handshake'],
    folder,
  )
  expect([exitCode, printed, received]).toEqual([2, [], []])
  expect(complained[0]).toContain('http://127.0.0.1:1/handshake: nothing listens there')
})

test('sends where nothing can be stored, and says so', async () => {
  writeFileSync(join(folder, '.malipo-dev'), 'a file where the folder would be')
  const { exitCode, complained } = await run(['trigger', 'payout.failed', '--to', origin], folder)
  expect([exitCode, received.length]).toEqual([0, 1])
  expect(complained).toEqual([expect.stringMatching(/^not stored for resend: EEXIST/)])
})

test.each<[string, RegExp]>([
  ['trigger', /The event is missing/],
  ['trigger collection.completed', /--to is missing/],
  [
    'trigger collection.paid --to http://localhost:1',
    /there is no event "collection.paid"; choose from collection.completed/,
  ],
  ['trigger collection.completed --to localhost:3000', /--to must be an http or https URL.*"localhost:3000" is none/],
  ['trigger collection.completed --to http://localhost:1 --amount much', /--amount must be a number/],
  ['trigger collection.completed --to http://localhost:1 --set payload', /--set takes path=value/],
  ['trigger collection.completed --to http://localhost:1 --set nothing.here=1', /has no object "nothing"/],
  ['trigger collection.completed --to http://localhost:1 --set __proto__.polluted=1', /has no object "__proto__"/],
  ['trigger collection.completed twice --to http://localhost:1', /"twice" is one argument too many/],
  ['trigger collection.completed --to http://localhost:1 --secret abc', /A webhook secret is whsec_ and base64/],
  ['check http://localhost:1 --signing-key whsec_eA==', /A signing key is capital letters and digits/],
  ['trigger collection.completed --too http://localhost:1', /Unknown option '--too'/],
  ['trigger collection.completed --to', /--to/],
  ['listen --forward-to nowhere', /--forward-to must be an http or https URL/],
  ['listen --interval-ms 1', /--interval-ms must be a number from 50/],
  ['check', /The callback URL is missing/],
  ['check http://shop.example/callbacks', /leads to shop.example, which is not this machine.*--allow-remote/],
  ['check http://localhost:1 --redirect-url https://shop.example/', /--redirect-url leads to shop.example/],
  ['check http://127.0.0.1:1/callbacks', /nothing listens there/],
  ['check http://localhost:1 --only everything', /there is no row "everything"/],
  ['check http://localhost:1 --only handshake_known', /row "handshake_known" needs --handshake-url/],
  ['check http://localhost:1 --junit nowhere/check.xml', /--junit cannot be written: ENOENT/],
  ['check http://localhost:1 --junit', /: --junit needs a value$/],
  ['certify http://shop.example/', /leads to shop.example, which is not this machine.*--allow-remote/],
  ['certify http://localhost:1 --report report.pdf', /--report must end in .html or .md or .json; "report.pdf"/],
  ['certify http://localhost:1 --effects-path //shop.example/', /--effects-path leads to shop.example/],
  ['certify http://localhost:1 --gateway http://192.0.2.1:80', /cannot listen on 192.0.2.1.*stop the sandbox/],
  ['trigger handshake --to http://localhost:1 --amount 5', /has no --amount/],
  ['new shop kept.txt/shop', /kept.txt\/shop cannot be written: ENOTDIR/],
  ['new shop --framework rails', /--framework must be fastify or next or fastapi or php/],
])('refuses malipo-dev %s by name with exit code 2', async (line, reason) => {
  writeFileSync(join(folder, 'kept.txt'), 'a file')
  const { exitCode, complained } = await run(line.split(' '), folder)
  expect(exitCode).toBe(2)
  expect(complained[0]).toMatch(reason)
  expect(complained[1]).toMatch(/--help shows how$/)
})

test('each command has help with every option and an example', async () => {
  const { printed, exitCode } = await run([], folder)
  expect(exitCode).toBe(0)
  for (const name of ['listen', 'trigger', 'resend', 'check', 'certify', 'new shop']) {
    expect(printed.join('\n')).toContain(`  ${name} `)
    const help = await run([...name.split(' '), '--help'], folder)
    expect(help.exitCode).toBe(0)
    expect(help.printed.join('\n')).toMatch(
      new RegExp(`malipo-dev ${name} .*\n(.*\n)*Options\n(.*\n)*Example\n  malipo-dev ${name}`),
    )
  }
  expect((await run(['new', '--help'], folder)).printed[0]).toMatch(/malipo-dev new shop /)
  expect(await run(['pay'], folder)).toMatchObject({
    exitCode: 2,
    complained: ['malipo-dev has no command "pay".', expect.stringContaining('listen')],
  })
})

test('new shop never writes into a folder that is not empty', async () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine')
  const { exitCode, complained } = await run(['new', 'shop', '.'], folder)
  expect({ exitCode, files: readdirSync(folder) }).toEqual({ exitCode: 2, files: ['mine.txt'] })
  expect(complained[0]).toContain('is not empty (it holds mine.txt): nothing was written')
  expect((await run(['new', 'shop', 'mine.txt'], folder)).complained[0]).toContain('is a file')
})

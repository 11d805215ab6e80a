import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { bundleUrl, readContract } from '../openapi/reading/contract.ts'
import { webhooks, type CallbackEvent } from './index.ts'
import { sampleCallbacks, signedCallback, signedHeaders } from './testing.ts'
import { errorOf, reasonOf } from './testing/verdicts.ts'
import { listening } from '../server/verification/testing/listening.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const otherSecret = 'whsec_b3RoZXItc2VjcmV0LW9mLXNvbWVib2R5LWVsc2U='
const now = new Date('2026-11-20T12:00:00Z')
const seconds = (count: number) => new Date(now.getTime() + count * 1000)

test('the example of the contract verifies', async () => {
  for (const [id, example] of [
    ['collectionCallback', 'callback_collection_completed'],
    ['payoutCallback', 'callback_payout_completed'],
    ['refundCallback', 'callback_refund_completed'],
    ['payoutBatchCallback', 'batch_callback'],
  ]) {
    const { parameters, body } = readContract(bundleUrl).operations.find((each) => each.id === id)!
    const headers = Object.fromEntries(parameters.map((parameter) => [parameter.name, String(parameter.example)]))
    const callback = body!.examples.find(({ name }) => name === example)!.value
    const at = { now: new Date(Number(headers['webhook-timestamp']) * 1000) }
    // Whoever does not say so gets no callback without a transaction.
    const { verify, verifyEvent } = webhooks
    const verifying = id === 'payoutBatchCallback' ? verifyEvent : verify
    const verified = await verifying(JSON.stringify(callback), headers, secret, at)
    expect(verified).toEqual({
      ...Object(callback),
      webhookId: headers['webhook-id'],
      signedAt: new Date(Number(headers['webhook-timestamp']) * 1000),
    })
  }
})

test('accepts text, bytes, a part of a buffer and an ArrayBuffer, unchanged', async () => {
  const { headers, body } = await signedCallback({
    secret,
    now,
    webhookId: 'cb_1',
    payload: { customer_name: 'Zoë Ñandú', later_field: { a: [1] } },
  })
  const bytes = new TextEncoder().encode(body)
  const padded = new Uint8Array([1, 2, ...bytes, 3])
  for (const raw of [body, bytes, Buffer.from(body), padded.subarray(2, -1), bytes.buffer]) {
    const callback = await webhooks.verify(raw, headers, secret, { now })
    expect(callback).toMatchObject({
      event: 'transaction.completed',
      webhookId: 'cb_1',
      signedAt: now,
      payload: { customer_name: 'Zoë Ñandú', later_field: { a: [1] } },
    })
  }
})

test('reads headers from the standard object, from Node, and in any case', async () => {
  const { headers, body } = await signedCallback({ secret, now })
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  for (const form of [new Headers({ ...headers }), headers, upper, lists])
    await webhooks.verify(body, form, secret, { now })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks = (await request.toArray()) as Buffer[]
    const callback = await webhooks.verify(Buffer.concat(chunks), request.headers, secret, { now })
    response.end(callback.webhookId)
  }
  const { url, close } = await listening(createServer((request, response) => void answer(request, response)))
  onTestFinished(close)
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers },
    body,
  })
  expect(await reply.text()).toBe(headers['webhook-id'])
})

test('during rotation, accepts one of several secrets and one of several signatures', async () => {
  const two = await signedCallback({ secret: [otherSecret, secret], now })
  expect(two.headers['webhook-signature'].split(' ')).toHaveLength(2)
  await webhooks.verify(two.body, two.headers, secret, { now })
  const one = await signedCallback({ secret, now })
  await webhooks.verify(one.body, one.headers, [otherSecret, secret], { now })
  const later = { ...one.headers, 'webhook-signature': `v2,unknown ${one.headers['webhook-signature']}` }
  await webhooks.verify(one.body, later, secret, { now })
})

test.each<[string, (good: string) => string | string[]]>([
  ['before it', (good) => `v1,* ${good}`],
  ['behind it', (good) => `${good} v1,not/base64!`],
  ['without a value', (good) => `v1, ${good}`],
  ['without a comma', (good) => `v1 ${good}`],
  ['twice, and one of another version', (good) => `v1,* v1a,AAAA ${good} v1,==`],
  ['as often as one likes', (good) => `${'v1,* '.repeat(9)}${good}`],
  ['in a second header, joined by a comma and a blank', (good) => `${good}, v1,*`],
  ['in a first header, joined by a comma and a blank', (good) => `v1,*, ${good}`],
  ['in a first header, joined by a comma', (good) => `v1,*,${good}`],
  ['in a first header, as a list', (good) => ['v1,*', good]],
  ['in a second header, as a list', (good) => [good, 'v1,*']],
])('skips a malformed part beside a valid signature: %s', async (_where, header) => {
  const { headers, body } = await signedCallback({ secret, now })
  const given = { ...headers, 'webhook-signature': header(headers['webhook-signature']) }
  expect(await webhooks.verify(body, given, secret, { now })).toMatchObject({ webhookId: headers['webhook-id'] })
  const wrong = webhooks.verify(body, given, otherSecret, { now })
  expect(await reasonOf(wrong)).toBe('wrong_signature')
})

test('reports another secret, body, id or time as a wrong signature', async () => {
  const { headers, body } = await signedCallback({ secret, now })
  const timestamp = String(Number(headers['webhook-timestamp']) + 1)
  const forged = [
    webhooks.verify(body, headers, otherSecret, { now }),
    ...[body.replace('5000', '5001'), `${body} `, JSON.stringify(JSON.parse(body), null, 2), ''].map((changed) =>
      webhooks.verify(changed, headers, secret, { now }),
    ),
    webhooks.verify(body, { ...headers, 'webhook-id': 'cb_2' }, secret, { now }),
    webhooks.verify(body, { ...headers, 'webhook-timestamp': timestamp }, secret, { now }),
  ]
  expect(await Promise.all(forged.map(reasonOf))).toEqual(Array(7).fill('wrong_signature'))
})

test.each([
  [300, undefined, undefined],
  [301, undefined, 'too_old'],
  [-300, undefined, undefined],
  [-301, undefined, 'too_new'],
  [10, 10, undefined],
  [11, 10, 'too_old'],
  [-11, 10, 'too_new'],
  [0, 0, undefined],
  [86_400, Infinity, undefined],
  [Number.NaN, undefined, 'too_new'],
])(
  '%d seconds after it was signed, with a tolerance of %s, the result is %s',
  async (age, toleranceSeconds, reason) => {
    const { headers, body } = await signedCallback({ secret, now })
    const verified = webhooks.verify(body, headers, secret, { now: seconds(age), toleranceSeconds })
    if (reason === undefined) await verified
    else expect(await reasonOf(verified)).toBe(reason)
  },
)

test('reports a forged message as wrong, not old: only authentic ones are replays', async () => {
  const { headers, body } = await signedCallback({ secret: otherSecret, now: seconds(-9999) })
  expect(await reasonOf(webhooks.verify(body, headers, secret, { now }))).toBe('wrong_signature')
  await expect(webhooks.verify(body, headers, otherSecret, { now, toleranceSeconds: -1 })).rejects.toThrow(RangeError)
  await expect(webhooks.verify(body, headers, otherSecret, { now, toleranceSeconds: Number.NaN })).rejects.toThrow(
    RangeError,
  )
})

test('without a `now`, the clock decides', async () => {
  const fresh = await signedCallback({ secret })
  await webhooks.verify(fresh.body, fresh.headers, secret)
  const stale = await signedCallback({ secret, now: new Date(Date.now() - 301_000) })
  expect(await reasonOf(webhooks.verify(stale.body, stale.headers, secret))).toBe('too_old')
})

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'without %s there is no signature',
  async (name) => {
    const { headers, body } = await signedCallback({ secret, now })
    for (const value of [undefined, '']) {
      expect(await errorOf(webhooks.verify(body, { ...headers, [name]: value }, secret, { now }))).toMatchObject({
        reason: 'no_signature',
        message: `The header ${name} is missing (pass all headers of the request)`,
      })
    }
  },
)

test.each<[string, string | string[], string]>([
  ['webhook-id', 'cb.1', 'malformed'],
  ['webhook-id', 'x'.repeat(65), 'malformed'],
  ['webhook-id', ['cb_1', 'cb_2'], 'malformed'],
  ['webhook-timestamp', '1e9', 'malformed'],
  ['webhook-timestamp', '01795168648', 'malformed'],
  ['webhook-timestamp', '1795168648 ', 'malformed'],
  ['webhook-signature', 'v2,abcd', 'no_signature'],
  ['webhook-signature', 'v1,*', 'malformed'],
  ['webhook-signature', 'v1,', 'wrong_signature'],
  ['webhook-signature', Array(9).fill('v1,AAAA').join(' '), 'malformed'],
])('the header %s: %s is %3$s', async (name, value, reason) => {
  const { headers, body } = await signedCallback({ secret, now })
  expect(await reasonOf(webhooks.verify(body, { ...headers, [name]: value }, secret, { now }))).toBe(reason)
})

test.each<[unknown, string]>([
  [{ event: 'x' }, 'The body is of type Object. Pass'],
  [[1], 'The body is of type Array. Pass'],
  [undefined, 'The body is missing. Pass'],
  [null, 'The body is missing. Pass'],
  [7, 'The body is of type Number. Pass'],
  [Promise.resolve('{}'), 'The body is of type Promise. Pass'],
  [new Request('http://localhost'), 'The body is of type Request. Pass'],
])('names a body that is not raw (%s), with what to do in each framework', async (body, named) => {
  const { headers } = await signedCallback({ secret, now })
  // @ts-expect-error the type says so too
  const error = await errorOf(webhooks.verify(body, headers, secret, { now }))
  expect(error).toMatchObject({ reason: 'body_not_raw', message: expect.stringContaining(named) as string })
  for (const framework of [
    'express.raw(',
    'addContentTypeParser(',
    'request.text()',
    'context.req.text()',
    'node:http',
  ])
    expect(error.message).toContain(framework)
})

test.each([undefined, null, {}, new Request('http://localhost')])(
  'reports headers that are none (%s) as missing',
  async (headers) => {
    const { body } = await signedCallback({ secret, now })
    // @ts-expect-error a program without types can pass anything
    expect(await errorOf(webhooks.verify(body, headers, secret, { now }))).toMatchObject({
      reason: 'no_signature',
      message: 'The header webhook-id is missing (pass all headers of the request)',
    })
  },
)

test.each([
  '',
  'whsec_',
  'whsec_***',
  'c2FuZGJveA==',
  'whkey_c2FuZGJveA==',
  'SANDBOXDEMOSIGNKEY01',
  `"${secret}"`,
  `${secret}\n`,
  [],
  ['', secret],
  undefined,
  Array(9).fill(secret),
])('refuses the secret %j without repeating it', async (wrong) => {
  const { headers, body } = await signedCallback({ secret, now })
  const error = await errorOf(webhooks.verify(body, headers, wrong!, { now }))
  expect(error.reason).toBe('wrong_secret_format')
  expect(error.message).not.toMatch(/\*\*\*|c2Fu|SANDBOX/)
})

const callback = sampleCallbacks['collection.completed']
const { total_credit: _, ...withoutTotal } = callback.payload

test.each<[string, unknown]>([
  ['not JSON', '{'],
  ['not UTF-8', Uint8Array.from(Buffer.from(JSON.stringify(callback).replace('Amina', '\xff'), 'latin1'))],
  ['null', null],
  ['a list', [callback]],
  ['without payload', { event: 'transaction.completed' }],
  ['an unknown type', { ...callback, payload: { ...callback.payload, transaction_type: 'REFUND' } }],
  ['an event that contradicts the status', { ...callback, event: 'transaction.failed' }],
  ['a status that is not final', { ...callback, payload: { ...callback.payload, transaction_status: 'PENDING' } }],
  ['without a required field', { ...callback, payload: withoutTotal }],
  ['an amount as text', { ...callback, payload: { ...callback.payload, transaction_amount: '5000' } }],
])('a signed body that is no callback is malformed: %s', async (_name, value) => {
  const body = typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value)
  const headers = await signedHeaders({ secret, body, now })
  expect(await reasonOf(webhooks.verify(body, { ...headers }, secret, { now }))).toBe('malformed')
})

test.each([
  ['transaction.refunded', {}],
  ['toString', {}],
  ['transaction.completed', { transaction_type: 'TRANSFER' }],
])('a signed event that this version does not know is named so: %s %j', async (event, changes) => {
  const body = JSON.stringify({ event, payload: { ...callback.payload, ...changes } })
  const headers = { ...(await signedHeaders({ secret, body, now })) }
  expect(await reasonOf(webhooks.verify(body, headers, secret, { now }))).toBe('unknown_event')
  const unsigned = webhooks.verifyLegacy(body, headers, { signingKeys: 'SANDBOXDEMOSIGNKEY01' })
  expect(await reasonOf(unsigned)).toBe('malformed')
})

test('the signature equals an independent computation by the specification', async () => {
  const { headers, body } = await signedCallback({ secret, now, webhookId: 'cb_1' })
  const expected = createHmac('sha256', 'sandbox-demo-webhook-secret!')
    .update(`cb_1.${now.getTime() / 1000}.${body}`)
    .digest('base64')
  expect(headers).toMatchObject({
    'webhook-id': 'cb_1',
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': `v1,${expected}`,
  })
})

// Read by `tsc`, never run.
export function narrowing({ event, payload }: CallbackEvent) {
  if (event === 'transaction.completed') expectTypeOf(payload.transaction_status).toEqualTypeOf<'COMPLETED'>()
  if (payload.transaction_type === 'COLLECTION') {
    expectTypeOf(payload.transaction_status).toEqualTypeOf<'COMPLETED' | 'FAILED' | 'CANCELLED'>()
    expectTypeOf(payload.total_credit).toEqualTypeOf<number>()
  } else {
    expectTypeOf(payload.total_debit).toEqualTypeOf<number>()
    // @ts-expect-error payouts and refunds are never cancelled
    void (payload.transaction_status === 'CANCELLED')
  }
  // @ts-expect-error no status of a callback is open
  void (payload.transaction_status === 'PENDING')
}

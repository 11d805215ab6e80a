import { expect, test } from 'vitest'
import { createMalipo, type BankPayoutRequest, type Malipo } from './index.ts'
import { json, recordingServer, refusal, success, type AnswerRequest } from './testing/recording-server.ts'
import { collection, references } from './testing/requests.ts'

const payout: BankPayoutRequest = {
  transaction_method: 'BANK',
  provider_code: 'bank_ng',
  merchant_reference: 'PAYOUT-2026-0001',
  account_number: '0123456789',
  customer_name: 'Chinedu Okafor',
  currency: 'NGN',
  amount: 5000.25,
  description: 'Salary 2026-01',
  extra_params: { bank_code: 'access_bank_ng' },
}

async function gateway(answer: AnswerRequest) {
  const { baseUrl, requests } = await recordingServer(answer)
  return { requests, malipo: createMalipo({ baseUrl, publicKey: 'pub_test', secretKey: 'sec_test' }) }
}

interface Call {
  readonly name: string
  readonly call: (malipo: Malipo) => Promise<unknown>
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly secretKey?: string
  /** Of the reply; `result` is what the call resolves to. */
  readonly data: unknown
  readonly result?: unknown
}

const calls: readonly Call[] = [
  {
    name: 'providers.list',
    call: (malipo) => malipo.providers.list({ currency: 'UGX', transaction_type: 'COLLECTION' }),
    method: 'GET',
    url: '/data/payment-providers?currency=UGX&transaction_type=COLLECTION',
    data: { payment_providers: [{ provider_code: 'mtn_ug' }] },
    result: [{ provider_code: 'mtn_ug' }],
  },
  {
    name: 'banks.list',
    call: (malipo) => malipo.banks.list({ provider_code: 'bank_ng' }),
    method: 'GET',
    url: '/data/payout-bank-codes?provider_code=bank_ng',
    data: { payout_banks: [{ bank_code: 'access_bank_ng' }] },
    result: [{ bank_code: 'access_bank_ng' }],
  },
  {
    name: 'wallets.list of one currency',
    call: (malipo) => malipo.wallets.list({ currency: 'UGX' }),
    method: 'GET',
    url: '/data/wallet-balances?currency=UGX',
    secretKey: 'sec_test',
    data: { merchant_wallets: [{ currency: 'UGX' }] },
    result: [{ currency: 'UGX' }],
  },
  {
    name: 'wallets.list of all',
    call: (malipo) => malipo.wallets.list(),
    method: 'GET',
    url: '/data/wallet-balances',
    secretKey: 'sec_test',
    data: { merchant_wallets: [] },
    result: [],
  },
  {
    name: 'transactions.verify',
    call: (malipo) => malipo.transactions.verify('ORDER/2026?0001'),
    method: 'GET',
    url: '/data/transaction/verify/ORDER%2F2026%3F0001',
    data: { id: 1002, transaction_type: 'COLLECTION' },
  },
  {
    name: 'collections.initialize',
    call: (malipo) => malipo.collections.initialize(collection),
    method: 'POST',
    url: '/collections/initialize',
    body: collection,
    data: references,
  },
  {
    name: 'collections.authorize',
    call: (malipo) => malipo.collections.authorize({ internal_reference: references.internal_reference, otp: 123456 }),
    method: 'POST',
    url: '/collections/authorize',
    body: { internal_reference: references.internal_reference, otp: 123456 },
    data: { ...references, payment_url: 'https://pay.example/pay/collection/MLP5Z6JER35TNMSJ3MSQFT7X6' },
  },
  {
    name: 'payouts.send',
    call: (malipo) => malipo.payouts.send(payout),
    method: 'POST',
    url: '/payout/send-funds',
    body: payout,
    secretKey: 'sec_test',
    data: references,
  },
]

test.each(calls)(
  '$name sends what the contract says, once, and resolves to the data',
  async ({ call, method, url, body, secretKey, data, result }) => {
    const { malipo, requests } = await gateway(success(method === 'GET' ? 200 : 202, data))
    expect(await call(malipo)).toEqual(result ?? data)
    expect(requests).toEqual([{ method, url, body, headers: expect.anything() as object }])
    const { headers } = requests[0]!
    expect(headers).toMatchObject({
      'public-key': 'pub_test',
      'x-api-version': '1',
      'accept-language': 'en',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^malipo-client\/\d/) as string,
    })
    // Not one operation more than needs it ever sees the secret key.
    expect(headers['secret-key']).toBe(secretKey)
    expect(headers['content-type']).toBe(body ? 'application/json' : undefined)
    // Made by the client, for its own retries of what must not happen twice.
    expect(headers['idempotency-key']).toEqual(method === 'POST' ? expect.stringMatching(/^[0-9a-f]{32}$/) : undefined)
  },
)

test.each<[string, (malipo: Malipo, idempotencyKey: string) => Promise<unknown>]>([
  ['collections.initialize', (malipo, idempotencyKey) => malipo.collections.initialize(collection, { idempotencyKey })],
  [
    'collections.authorize',
    (malipo, idempotencyKey) =>
      malipo.collections.authorize({ internal_reference: 'MLP1', otp: 123456 }, { idempotencyKey }),
  ],
  ['payouts.send', (malipo, idempotencyKey) => malipo.payouts.send(payout, { idempotencyKey })],
])('%s carries the idempotency key, and refuses one that cannot travel', async (_name, call) => {
  const { malipo, requests } = await gateway(success(202, references))
  await call(malipo, '6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11')
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['6f1c2f5e-3a57-4d5c-9a53-5d8f1f0f2b11'])
  for (const wrong of ['', 'k'.repeat(256), 'line\nbreak', 'schlüssel']) {
    await expect(call(malipo, wrong), wrong).rejects.toMatchObject({
      name: 'MalipoError',
      kind: 'validation',
      status: undefined,
    })
  }
  expect(requests).toHaveLength(1)
})

test('the language is the one given to createMalipo', async () => {
  const { baseUrl, requests } = await recordingServer(success(200, { payout_banks: [] }))
  await createMalipo({ baseUrl, publicKey: 'pub_test', language: 'sw' }).banks.list({ provider_code: 'bank_ng' })
  expect(requests[0]!.headers['accept-language']).toBe('sw')
})

test('a path in the base URL is kept, with and without a slash at its end', async () => {
  const { baseUrl, requests } = await recordingServer(success(200, { payout_banks: [] }))
  for (const path of ['/malipo/v1', '/malipo/v1/'])
    await createMalipo({ baseUrl: baseUrl + path, publicKey: 'pub_test' }).banks.list({ provider_code: 'bank_ng' })
  expect(requests.map(({ url }) => url)).toEqual(
    Array(2).fill('/malipo/v1/data/payout-bank-codes?provider_code=bank_ng'),
  )
})

test('without a secret key, wallets and payouts are refused before anything is sent', async () => {
  const { baseUrl, requests } = await recordingServer(success(200, {}))
  const malipo = createMalipo({ baseUrl, publicKey: 'pub_test' })
  const reason = {
    name: 'MalipoError',
    kind: 'authentication',
    retryable: false,
    status: undefined,
    message: expect.stringContaining('secretKey is required') as string,
  }
  await expect(malipo.wallets.list()).rejects.toMatchObject(reason)
  await expect(malipo.payouts.send(payout)).rejects.toMatchObject(reason)
  expect(requests).toEqual([])
})

test.each(['', '.', '..', undefined, { merchant_reference: 'ORDER-2026-0001' }])(
  'verify refuses the reference %j, which would name another path',
  async (reference) => {
    const { malipo, requests } = await gateway(success(200, {}))
    // @ts-expect-error a program without types can pass anything
    await expect(malipo.transactions.verify(reference)).rejects.toMatchObject({
      kind: 'validation',
      message: 'merchant_reference is required',
    })
    expect(requests).toEqual([])
  },
)

test('an injected fetch gets a text URL and plain options, which any implementation understands', async () => {
  const seen: [string, RequestInit][] = []
  const malipo = createMalipo({
    baseUrl: 'https://malipo.example',
    publicKey: 'pub_test',
    maxRetries: 0,
    fetch: async (url, init) => {
      seen.push([url, init])
      return Response.json({ code: 202, status: 'accepted', message: 'done', data: references }, { status: 202 })
    },
  })
  expect(await malipo.collections.initialize(collection)).toEqual(references)
  expect(seen).toEqual([
    [
      'https://malipo.example/collections/initialize',
      {
        method: 'POST',
        body: JSON.stringify(collection),
        signal: expect.any(AbortSignal) as AbortSignal,
        redirect: 'manual',
        headers: {
          'public-key': 'pub_test',
          'x-api-version': '1',
          'accept-language': 'en',
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': expect.stringMatching(/^malipo-client\/\d/) as string,
        },
      },
    ],
  ])
})

test('a success tells its request id, and whether it is a replay', async () => {
  const answers = [{ 'x-request-id': 'req-1' }, { 'x-request-id': 'req-2', 'idempotency-replayed': 'true' }]
  const { malipo } = await gateway((response, request) =>
    json(202, { code: 202, status: 'accepted', message: 'done', data: references }, answers.shift())(response, request),
  )
  const first = await malipo.collections.initialize(collection, { idempotencyKey: 'order-17' })
  const again = await malipo.collections.initialize(collection, { idempotencyKey: 'order-17' })
  expect(malipo.replyOf(first)).toEqual({ status: 202, requestId: 'req-1', isReplay: false })
  expect(malipo.replyOf(again)).toEqual({ status: 202, requestId: 'req-2', isReplay: true })
  expect(() => malipo.replyOf({ ...again })).toThrow(TypeError)
})

test('a list tells of its reply too', async () => {
  const { malipo } = await gateway(success(200, { payout_banks: [] }))
  const banks = await malipo.banks.list({ provider_code: 'bank_ng' })
  expect(malipo.replyOf(banks)).toEqual({ status: 200, requestId: undefined, isReplay: false })
})

test('the bare client sends the same keys and headers, and gives the whole reply', async () => {
  const { malipo, requests } = await gateway(success(200, { merchant_wallets: [] }))
  const { data, response } = await malipo.http.GET('/data/wallet-balances', { params: { query: { currency: 'UGX' } } })
  expect(data).toEqual({ code: 200, status: 'success', message: 'done', data: { merchant_wallets: [] } })
  expect(response.status).toBe(200)
  expect(requests).toMatchObject([
    {
      method: 'GET',
      url: '/data/wallet-balances?currency=UGX',
      headers: { 'public-key': 'pub_test', 'secret-key': 'sec_test', 'x-api-version': '1', 'accept-language': 'en' },
    },
  ])
})

test('the bare client makes an idempotency key for its retries, or keeps the one that it is given', async () => {
  const { malipo, requests } = await gateway(success(202, references))
  await malipo.http.POST('/collections/initialize', { body: collection })
  const header = { 'Idempotency-Key': 'order-17' }
  await malipo.http.POST('/collections/initialize', { params: { header }, body: collection })
  expect(requests.map(({ body, headers }) => [body, headers['idempotency-key'], headers['secret-key']])).toEqual([
    [collection, expect.stringMatching(/^[0-9a-f]{32}$/), undefined],
    [collection, 'order-17', undefined],
  ])
})

test('the bare client rejects with the same errors, and ends when its caller says so', async () => {
  const { malipo, requests } = await gateway(refusal(409, 'used'))
  await expect(malipo.http.POST('/payout/send-funds', { body: payout })).rejects.toMatchObject({
    name: 'MalipoError',
    kind: 'duplicate',
    message: 'used',
  })
  await expect(malipo.http.POST('/payout/send-funds', { body: { ...payout, amount: 0.125 } })).rejects.toMatchObject({
    kind: 'validation',
  })
  const reason = new Error('the user left')
  await expect(malipo.http.GET('/data/wallet-balances', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(requests).toHaveLength(1)
})

test("the bare client's callers may have middleware of their own, also one that puts another request in the place", async () => {
  const { malipo, requests } = await gateway(success(200, { merchant_wallets: [] }))
  malipo.http.use({
    onRequest: ({ request }) =>
      new Request(request, { headers: { ...Object.fromEntries(request.headers), traceparent: '00-1' } }),
  })
  expect(await malipo.wallets.list()).toEqual([])
  expect(requests[0]!.headers).toMatchObject({ traceparent: '00-1', 'secret-key': 'sec_test' })
  malipo.http.use({ onRequest: () => Response.json({}, { status: 418 }) })
  await expect(malipo.wallets.list()).rejects.toMatchObject({ kind: 'unexpected_reply' })
})

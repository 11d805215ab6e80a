import { expect, test } from 'vitest'
import { KEPT_CHARACTERS_MAX, maskMessage, maskPath, secretsIn } from './mask-exchange.ts'

const ACCOUNT = '256772000123'
const MASKED = '*********123'
const body = (given: unknown, secrets: readonly string[] = []): string =>
  maskMessage(
    { headers: [], body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)) },
    secrets,
  ).slice(1)

test('keeps headers except for their secrets', () => {
  const headers = {
    authorization: 'Bearer eyJ0',
    'ocp-apim-subscription-key': '0123456789abcdef0123456789abcdef',
    'x-reference-id': '3fd0c5b2-7a1e-4c0d-9b77-256772000123',
    'x-callback-url': 'https://pay.example/operators/mtn/unguessable/c',
    'x-target-environment': 'sandbox',
    'set-cookie': 'session=1',
    'content-length': '123456789',
  }
  expect(maskMessage({ headers: Object.entries(headers), body: Buffer.from('{}') }, [])).toBe(
    [
      'authorization: ***',
      'ocp-apim-subscription-key: ***',
      'x-reference-id: 3fd0c5b2-7a1e-4c0d-9b77-256772000123',
      'x-callback-url: https://pay.example/***',
      'x-target-environment: sandbox',
      'set-cookie: ***',
      'content-length: 123456789',
      '',
      '{}',
    ].join('\n'),
  )
})

test.each<[string, unknown, unknown]>([
  [
    'a token',
    { access_token: 'eyJ0', token_type: 'access_token', expires_in: 3600 },
    { access_token: '***', token_type: 'access_token', expires_in: 3600 },
  ],
  ['an API key', { apiKey: 'f1db798c98df4bcf83b538175893bbf0' }, { apiKey: '***' }],
  [
    'what Daraja is paid with',
    { Password: 'MTc0', Timestamp: '20260301080000', SecurityCredential: 'abc', Amount: 5000, PartyA: 254708374149 },
    { Password: '***', Timestamp: '20260301080000', SecurityCredential: '***', Amount: 5000, PartyA: '*********149' },
  ],
  [
    'an account at a bank',
    { AccountReference: '0123456789012', ReferenceItem: [{ Key: 'BillReferenceNumber', Value: '0123456789012' }] },
    { AccountReference: '**********012', ReferenceItem: [{ Key: 'BillReferenceNumber', Value: '**********012' }] },
  ],
  [
    'addresses of ours',
    { CallBackURL: 'https://pay.example/operators/x/unguessable/c', QueueTimeOutURL: 'no address' },
    { CallBackURL: 'https://pay.example/***', QueueTimeOutURL: '***' },
  ],
  [
    'a payer',
    { amount: '5000000000', externalId: '1234567890', payer: { partyIdType: 'MSISDN', partyId: ACCOUNT } },
    { amount: '5000000000', externalId: '1234567890', payer: { partyIdType: 'MSISDN', partyId: MASKED } },
  ],
  [
    'a list of names and values',
    {
      Item: [
        { Name: 'Amount', Value: 5000 },
        { Name: 'TransactionDate', Value: 20260301080000 },
        { Name: 'PhoneNumber', Value: 254708374149 },
      ],
      ResultParameter: [{ Key: 'ReceiverPartyPublicName', Value: '254708374149 - A Person' }],
    },
    {
      Item: [
        { Name: 'Amount', Value: 5000 },
        { Name: 'TransactionDate', Value: 20260301080000 },
        { Name: 'PhoneNumber', Value: '*********149' },
      ],
      ResultParameter: [{ Key: 'ReceiverPartyPublicName', Value: '***' }],
    },
  ],
  [
    "a prompt's id that ends with the customer's number",
    { CheckoutRequestID: 'ws_CO_02032026103000123254712345678', ResultDesc: 'no ws_CO_03082022114712385708374149' },
    { CheckoutRequestID: 'ws_CO_02032026103000123*********678', ResultDesc: 'no ws_CO_03082022114712385******149' },
  ],
  [
    "a prompt's id without one",
    { CheckoutRequestID: 'ws_CO_191220191020363925' },
    { CheckoutRequestID: 'ws_CO_191220191020363925' },
  ],
  ['a number in a sentence', { message: `no ${ACCOUNT}, sorry` }, { message: `no ${MASKED}, sorry` }],
  ['a number as a name', { [ACCOUNT]: { [ACCOUNT]: 1 } }, { [MASKED]: { [MASKED]: 1 } }],
  [
    'a person',
    { given_name: 'A', family_name: 'B', status: 'ACTIVE' },
    { given_name: '***', family_name: '***', status: 'ACTIVE' },
  ],
  ['a list of numbers', [[ACCOUNT]], [[MASKED]]],
])('masks %s in JSON, and keeps its neighbours', (_what, given, expected) =>
  expect(JSON.parse(body(given))).toEqual(expected),
)

test('keeps the digits of an id that is a long number', () =>
  expect(body('{"financialTransactionId":12345678901234567891,"status":"PAID"}')).toBe(
    '{"financialTransactionId":"12345678901234567891","status":"PAID"}',
  ))

test('masks an account that occurs twice under one name', () =>
  expect(body(`{"partyId":"${ACCOUNT}","partyId":"${ACCOUNT}"}`)).not.toContain(ACCOUNT))

test('masks text that is no JSON by its appearance', () => {
  expect(body(`{"access_token":"abc","msisdn":"${ACCOUNT}","cut`)).toBe(
    `{"access_token":"***","msisdn":"${MASKED}","cut`,
  )
  expect(body(`<p>api_key=f1db798c98 Authorization: Bearer abcdef for ${ACCOUNT}</p>`)).toBe(
    `<p>api_key=*** Authorization: Bearer *** for ${MASKED}</p>`,
  )
  expect(body(`x ${'a1'.repeat(30)} y`)).toBe('x *** y')
})

test('masks a secret of the rail account everywhere, in each of its spellings', () => {
  const secret = 'pa/ss"key'
  const written = body({ status: `no ${secret}`, form: encodeURIComponent(secret), short: 'abc' }, [secret, 'abc'])
  expect(written).toBe('{"status":"no ***","form":"***","short":"abc"}')
})

test.each([
  'pa\\/ss+key==',
  'pa\\u002Fss\\u002bkey==',
  'pa/ss+key\\u003D\\u003d',
  'pa%2fss%2bkey%3d%3d',
  'pa&#x2F;ss+key==',
])('masks a secret that is written as %s, in JSON and in half of it', (written) => {
  for (const text of [`{"sent":"${written}"}`, `error {"key":7,"sent":"${written}"`])
    expect(body(text, ['pa/ss+key=='])).toBe(text.replace(written, '***'))
})

test('a path keeps its ids and loses account numbers and secrets', () => {
  expect(maskPath(`/v1_0/accountholder/msisdn/${ACCOUNT}/active`, [])).toBe(
    `/v1_0/accountholder/msisdn/${MASKED}/active`,
  )
  const path = '/collection/v1_0/requesttopay/3fd0c5b2-7a1e-4c0d-9b77-256772000123'
  expect(maskPath(path, [])).toBe(path)
  expect(maskPath('/a?key=s3cr3t-value', ['s3cr3t-value'])).toBe('/a?key=***')
})

test('cuts it after masking', () => {
  const start = 'x'.repeat(30).concat(' ').repeat(132)
  const kept = body(`${start}${ACCOUNT} and more`)
  expect(kept).toBe(`${start}***`)
  expect(kept).toHaveLength(KEPT_CHARACTERS_MAX - 1)
})

test.each(['', '\0', '[', '['.repeat(200_000), '"\\u0000"'])('makes a text that can be stored of any input', (text) => {
  expect(body(text)).not.toContain('\0')
})

test('finds the secrets in a request, so that a reply that echoes them is masked too', () => {
  const headers = Object.entries({ authorization: 'Bearer c9SQxWWhmdVRlyh0', accept: 'application/json' })
  const credential = `${'A'.repeat(50)}/${'B'.repeat(20)}==`
  const sent = { Password: 'MTc0Mzc5cGFz', Amount: 5, Deep: { SecurityCredential: credential } }
  const secrets = secretsIn({ headers, body: Buffer.from(JSON.stringify(sent)) })
  expect(secrets).toEqual(['c9SQxWWhmdVRlyh0', 'MTc0Mzc5cGFz', credential])
  expect(body({ errorMessage: `Invalid Access Token - c9SQxWWhmdVRlyh0 ${credential}` }, secrets)).toBe(
    '{"errorMessage":"Invalid Access Token - *** ***"}',
  )
  expect(secretsIn({ headers: [], body: Buffer.from('no JSON') })).toEqual([])
})

test("finds the token in an order's address, wherever a request has the address", () => {
  const [token, orderId] = ['0badcafe'.repeat(5), '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11']
  const address = `https://pay.example/operators/mtn-uganda/${token}/${orderId}/collection`
  expect(secretsIn({ headers: [['x-callback-url', address]], body: Buffer.alloc(0) })).toEqual([token])
  const body = Buffer.from(JSON.stringify({ CallBackURL: address, ResultURL: address }))
  const secrets = secretsIn({ headers: [], body })
  expect(secrets).toEqual([token, token])
  const repeated = Buffer.from(JSON.stringify({ requestReference: `no answer at ${address}` }))
  expect(maskMessage({ headers: [], body: repeated }, secrets)).not.toContain(token)
})

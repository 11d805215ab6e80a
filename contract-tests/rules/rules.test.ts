import { describe, expect, test } from 'vitest'
import type { Direction } from '../harness/coverage/exchange.ts'
import type { Exchange } from '../harness/proxy.ts'
import {
  judgeOfTest,
  JSON_TYPE,
  REFERENCE,
  PAGE,
  json,
  sendRequests,
  verifies,
  collects,
  accepted,
  HOSTED,
  leads,
  comes,
  providers,
  received,
  findingsOf,
} from './testing/exchanges.ts'
import { refusal } from '../../server/verification/testing/refusal.ts'

test.each<[string, ...Exchange[]]>([
  [
    'an example with the values of the request',
    verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' }))),
  ],
  ['the name that is missing', sendRequests('GET', providers, json(400, 'currency is required'))],
  [
    'the limits of another provider',
    collects(json(400, refusal('amount_range', { '500': '20.5', '3000000': '900', UGX: 'KES' }))),
  ],
  [
    'a number without its plus',
    collects(json(400, refusal('phone_invalid', { '256752000123': '256752000999', MTN: 'Nice', Uganda: 'Name' })), {
      msisdn: '+256752000999',
    }),
  ],
  [
    'what belongs to no operation',
    sendRequests('GET', '/nothing/here', json(404, 'There is nothing at /nothing/here')),
  ],
  [
    'a wrong method',
    sendRequests('PUT', providers, json(405, 'PUT is not allowed here: use GET', {}, { allow: 'GET' })),
  ],
  [
    'seconds as in Retry-After',
    sendRequests(
      'GET',
      providers,
      json(429, refusal('too_many_requests', { '1': '7', second: 'seconds' }), {}, { 'retry-after': '7' }),
    ),
  ],
  [
    'a page and the redirect from it',
    collects(accepted({ payment_url: PAGE }), HOSTED),
    leads('https://shop.example/done?order=7&id=7&event=transaction.failed'),
  ],
  [
    'a key that the client wrote into the path',
    sendRequests('GET', '/pub_of_the_tested', json(404, 'There is nothing at /pub_of_the_tested')),
  ],
])('finds nothing wrong with %s', (_name, ...exchanges) => expect(findingsOf(...exchanges)).toEqual([]))

const WRONG: readonly [string, readonly (Exchange | readonly [Exchange, Direction])[], string][] = [
  [
    'another sentence',
    [verifies(json(404, 'No such payment'))],
    'verifyTransaction: the message of a reply 404, "No such payment", is none',
  ],
  [
    'a message of success that no example has',
    [verifies(json(200, 'Here you are', { transaction_status: 'PENDING', status_message: 'Transaction Pending' }))],
    'verifyTransaction: the message of a reply 200, "Here you are", is none',
  ],
  [
    'another reference than the requested one',
    [verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0002' })))],
    'names "WATCH-0002", which is no value of the request',
  ],
  [
    'a later field that is missing',
    [sendRequests('GET', providers, json(400, 'transaction_type is required'))],
    'the first thing wrong with the request is "currency is required"',
  ],
  [
    'a later field that is wrong',
    [collects(json(400, 'description must have 10 to 30 characters'), { currency: 'ugx', description: 'no' })],
    'is "currency must be a 3-letter ISO 4217 code"',
  ],
  [
    'a wrong field before a missing one',
    [collects(json(400, 'currency must be a 3-letter ISO 4217 code'), { currency: 'ugx', msisdn: '' })],
    'is "msisdn is required"',
  ],
  [
    'a bank before the recipient',
    [
      sendRequests('POST', '/payout/send-funds', json(400, 'extra_params.bank_code is required'), {
        transaction_method: 'BANK',
        merchant_reference: 'WATCH-0001',
        currency: 'NGN',
        amount: 2000,
        extra_params: {},
      }),
    ],
    'is "provider_code is required"',
  ],
  [
    'a field that is there',
    [collects(json(400, 'amount is required'))],
    'the message of a reply 400, "amount is required", is not so: the request has amount',
  ],
  [
    'the wrong key',
    [
      sendRequests(
        'POST',
        '/payout/send-funds',
        json(401, 'public-key is required', {}, { 'www-authenticate': 'ApiKey realm="malipo"' }),
        {},
      ),
    ],
    'with no secret-key is "public-key is required", not "secret-key is required"',
  ],
  [
    'other words for a wrong path',
    [sendRequests('GET', '/nothing', json(404, 'Route GET:/nothing not found'))],
    'for a wrong path or method',
  ],
  [
    'another path',
    [sendRequests('GET', '/nothing', json(404, 'There is nothing at /else'))],
    'names "/else", and the path is "/nothing"',
  ],
  [
    'other seconds',
    [
      sendRequests(
        'GET',
        providers,
        json(429, refusal('too_many_requests', { '1': '7', second: 'seconds' }), {}, { 'retry-after': '8' }),
      ),
    ],
    'says to wait 7 seconds, its Retry-After 8',
  ],
  [
    'words of a status that the docs do not have',
    [
      verifies(
        json(200, 'Transaction retrieved successfully', {
          transaction_status: 'FAILED',
          status_message: 'It did not work',
        }),
      ),
    ],
    'status_message of a transaction that is FAILED is "It did not work"',
  ],
  [
    'another failure code',
    [
      verifies(
        json(200, 'Transaction retrieved successfully', {
          transaction_status: 'FAILED',
          status_message: 'Payment page expired',
          failure_code: 'declined',
        }),
      ),
    ],
    'is "declined", not expired',
  ],
  [
    'an undeclared header',
    [verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' }), {}, { 'x-node': '7' }))],
    'has a header x-node, which the contract does not declare for it',
  ],
  [
    'a header of another status',
    [
      verifies(
        json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' }), {}, { 'retry-after': '7' }),
      ),
    ],
    'has a header retry-after',
  ],
  [
    'a program that names itself on a page',
    [sendRequests('GET', '/docs', { status: 200, headers: { server: ['nginx/1.2'] }, body: Buffer.alloc(0) })],
    'has a header server, which names the program',
  ],
  [
    'one request id twice',
    [
      verifies(
        json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' }), {}, { 'x-request-id': 'same' }),
      ),
      verifies(
        json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': 'WATCH-0001' }), {}, { 'x-request-id': 'same' }),
      ),
    ],
    'two replies have one X-Request-Id (same)',
  ],
  [
    'the secret key',
    [verifies(json(200, 'Transaction retrieved successfully', { customer_name: 'sec_of_the_tested' }))],
    'a reply 200 contains the secret key (in its body)',
  ],
  [
    'the secret of the signatures, decoded',
    [verifies(json(200, 'Transaction retrieved successfully', { customer_name: 'secret-of-the-tested!' }))],
    'contains the webhook secret',
  ],
  [
    'a key of another merchant in hexadecimal',
    [
      verifies(
        json(
          200,
          'Transaction retrieved successfully',
          {},
          { 'x-request-id': Buffer.from('sec_of_another').toString('hex') },
        ),
      ),
    ],
    'contains the secret key of another merchant (in its headers)',
  ],
  [
    'the signing key in a callback',
    [received(comes('POST', '/callbacks/collections', JSON_TYPE, { event: 'SIGNINGKEYOFTHETEST1' }))],
    'a message to the merchant contains the signing key',
  ],
  [
    'a one-time password',
    [
      sendRequests('POST', '/collections/authorize', json(400, refusal('otp_wrong')), {
        internal_reference: REFERENCE,
        otp: 482_913,
      }),
      received(
        comes('POST', '/callbacks/collections', JSON_TYPE, {
          payload: { internal_reference: REFERENCE, status_message: 'Paid with 482913' },
        }),
      ),
    ],
    'a callback contains a one-time password',
  ],
  [
    'an undeclared header of a callback',
    [received(comes('POST', '/callbacks/collections', { ...JSON_TYPE, 'x-merchant': '7' }, {}))],
    'a callback has a header x-merchant',
  ],
  [
    'a query of a callback',
    [received(comes('POST', '/callbacks/collections?attempt=1', JSON_TYPE, {}))],
    'a callback has a query parameter attempt',
  ],
  [
    'another media type of a callback',
    [received(comes('POST', '/callbacks/collections', { 'content-type': 'application/json; charset=latin1' }, {}))],
    'a callback has the content-type application/json; charset=latin1',
  ],
  [
    'more than the reference in a handshake',
    [received(comes('GET', '/handshake?reference=WATCH-0001&amount=5000', {}))],
    'a handshake has a query parameter amount',
  ],
  [
    'a handshake of a collection',
    [collects(accepted()), received(comes('GET', '/handshake?reference=WATCH-0001', {}))],
    'a handshake is about a collection',
  ],
  [
    'a page of plain mobile money',
    [collects(accepted({ payment_url: PAGE }))],
    'a mobile money collection without mobile_money_hpp carries a payment_url',
  ],
  [
    'a page with a form for the one-time password',
    [collects(accepted({ payment_url: PAGE }), { provider_code: 'mtn_gh' })],
    'a mobile money collection without mobile_money_hpp carries a payment_url',
  ],
  ['no page where the branch has one', [collects(accepted(), HOSTED)], 'was accepted without a payment_url'],
  [
    'a page of another collection',
    [collects(accepted({ payment_url: `${PAGE.slice(0, -1)}X` }), HOSTED)],
    'does not end in the internal_reference',
  ],
  [
    'pages at two addresses',
    [
      collects(accepted({ payment_url: PAGE }), HOSTED),
      collects(accepted({ payment_url: PAGE.replace('127.0.0.1', 'evil.example') }), HOSTED),
    ],
    'a payment_url leads to http://evil.example:1, others to http://127.0.0.1:1',
  ],
  [
    'a key that is too short',
    [
      sendRequests('GET', '/.well-known/malipo-rsa.pem', {
        status: 200,
        headers: {},
        body: Buffer.from('-----BEGIN RSA PUBLIC KEY-----'),
      }),
    ],
    'is no PEM of one public key',
  ],
]
describe('reports each defect once:', () => {
  test.each(WRONG)('%s', (_name, exchanges, what) => {
    expect(
      findingsOf(...exchanges, ...exchanges.slice(0, 1)).filter(
        (each) => !/^[^:]+: two replies have one/.test(each) || what.startsWith('two'),
      ),
    ).toEqual([expect.stringContaining(what)])
  })
})

test('puts no secret into a finding or its line', () => {
  const rules = judgeOfTest()
  rules.record(
    sendRequests('GET', providers, json(400, 'sec_of_another is wrong', {}, { 'x-y': 'z' }), undefined, {
      'secret-key': 'sec_of_the_tested',
    }),
    'asked',
  )
  const { findings = [] } = rules.result() ?? {}
  expect(findings.length).toBeGreaterThan(1)
  expect(JSON.stringify(findings)).not.toMatch(/(sec|pub)_of_/)
})

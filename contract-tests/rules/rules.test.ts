import { expect, test } from 'vitest'
import { refusal } from '../../server/verification/testing/refusal.ts'
import { shownBy } from '../../openapi/reading/operations.ts'
import { present } from '../harness/part.ts'
import type { Exchange, WireReply } from '../harness/proxy.ts'
import { RULES as ALL } from './all.ts'
import { declaredMessagesRule } from './declared-messages.ts'
import * as made from './testing/exchanges.ts'
import { judgeOfTest, testRows } from './testing/reports.ts'

const { accepted, collects, comes, json, leads, PAGE, providers, received, retrieves, sendRequests, verifies } = made
type Headers = Readonly<Record<string, string>>
/** Messages of a row have only what its rule reads. */
const RULES = ALL.filter((rule) => rule !== declaredMessagesRule)

const lists = (reply: WireReply): Exchange => sendRequests('GET', providers, reply)
const puts = (message: string): Exchange => sendRequests('PUT', providers, json(405, message, {}, { allow: 'GET' }))
const pays = (message: string, body: object, status = 400, headers?: Headers): Exchange =>
  sendRequests('POST', '/payout/send-funds', json(status, message, {}, headers), body)
const astray = (message: string, path = '/nothing'): Exchange => sendRequests('GET', path, json(404, message))
const unknown = (reference: string, headers: Headers = {}): Exchange =>
  verifies(json(404, refusal('transaction_unknown', { 'ORDER-2026-0404': reference }), {}, headers))
const waits = (seconds: string): Exchange =>
  lists(json(429, refusal('too_many_requests', { 1: '7', second: 'seconds' }), {}, { 'retry-after': seconds }))
const failed = (status_message: string, more: object = {}): Exchange =>
  retrieves({ transaction_status: 'FAILED', status_message, ...more })
const calls = (path: string, headers: Headers = made.JSON_TYPE, body: object = {}) =>
  received(comes('POST', path, headers, body))
const asks = (query: string) => received(comes('GET', `/handshake?${query}`, {}))
const pem = (text: string): WireReply => ({ status: 200, headers: {}, body: Buffer.from(text) })

testRows(RULES, {
  'an example with the values of the request': ['', unknown('WATCH-0001')],
  'the name that is missing': ['', lists(json(400, 'currency is required'))],
  'the limits of another provider': [
    '',
    collects(json(400, refusal('amount_range', { 500: '20.5', 3000000: '900', UGX: 'KES' }))),
  ],
  'a number with its plus': [
    '',
    collects(json(400, refusal('phone_invalid', { 256752000123: '+256752000999', MTN: 'Nice', Uganda: 'Name' })), {
      msisdn: '+256752000999',
    }),
  ],
  'what belongs to no operation': ['', astray('There is nothing at /nothing/here', '/nothing/here')],
  'a wrong method': ['', puts('PUT is not allowed here: use GET')],
  'seconds as in Retry-After': ['', waits('7')],
  'a page and the redirect from it': [
    '',
    collects(accepted({ payment_url: PAGE }), made.HOSTED),
    leads('https://shop.example/done?order=7&id=7&event=transaction.failed'),
  ],
  'a key that the client wrote into the path': [
    '',
    astray('There is nothing at /pub_of_the_tested', '/pub_of_the_tested'),
  ],
})

const BANK = { transaction_method: 'BANK', merchant_reference: 'WATCH-0001', currency: 'NGN', amount: 2000 }
const OTP = { internal_reference: made.REFERENCE, otp: 482_913 }
const WITHOUT_PAGE = 'a mobile money collection without mobile_money_hpp carries a payment_url'

testRows(RULES, {
  'another sentence': [
    'verifyTransaction: the message of a reply 404, "No such payment", is none',
    verifies(json(404, 'No such payment')),
  ],
  'a message of success that no example has': [
    'verifyTransaction: the message of a reply 200, "Here you are", is none',
    verifies(json(200, 'Here you are')),
  ],
  'another reference than the requested one': [
    'names "WATCH-0002", which is no value of the request',
    unknown('WATCH-0002'),
  ],
  'a later field that is missing': [
    'the first thing wrong with the request is "currency is required"',
    lists(json(400, 'transaction_type is required')),
  ],
  'a later field that is wrong': [
    'is "currency must be a 3-letter ISO 4217 code"',
    collects(json(400, 'description must have 10 to 30 characters'), { currency: 'ugx', description: 'no' }),
  ],
  'a wrong field before a missing one': [
    'is "msisdn is required"',
    collects(json(400, 'currency must be a 3-letter ISO 4217 code'), { currency: 'ugx', msisdn: '' }),
  ],
  'a bank before the recipient': [
    'is "provider_code is required"',
    pays('extra_params.bank_code is required', { ...BANK, extra_params: {} }),
  ],
  'a field that is there': [
    'the message of a reply 400, "amount is required", is not so: the request has amount',
    collects(json(400, 'amount is required')),
  ],
  'the wrong key': [
    'with no secret-key is "public-key is required", not "secret-key is required"',
    pays('public-key is required', {}, 401, { 'www-authenticate': 'ApiKey realm="malipo"' }),
  ],
  'other words for a wrong path': ['for a wrong path or method', astray('Route GET:/nothing not found')],
  'another path': ['names "/else", and the path is "/nothing"', astray('There is nothing at /else')],
  'other seconds': ['says to wait 7 seconds, its Retry-After 8', waits('8')],
  'words of a status that the docs do not have': [
    'status_message of a transaction that is FAILED is "It did not work"',
    failed('It did not work'),
  ],
  'another failure code': ['is "declined", not expired', failed('Payment page expired', { failure_code: 'declined' })],
  'an undeclared header': [
    'has a header x-node, which the contract does not declare for it',
    unknown('WATCH-0001', { 'x-node': '7' }),
  ],
  'a header of another status': ['has a header retry-after', unknown('WATCH-0001', { 'retry-after': '7' })],
  'a program that names itself on a page': [
    'has a header server, which names the program',
    sendRequests('GET', '/docs', { status: 200, headers: { server: ['nginx/1.2'] }, body: Buffer.alloc(0) }),
  ],
  'one request id twice': [
    'two replies have one X-Request-Id (same)',
    ...[1, 2].map(() => unknown('WATCH-0001', { 'x-request-id': 'same' })),
  ],
  'the secret key': [
    'a reply 200 contains the secret key (in its body)',
    retrieves({ customer_name: 'sec_of_the_tested' }),
  ],
  'the secret of the signatures, decoded': [
    'contains the webhook secret',
    retrieves({ customer_name: 'secret-of-the-tested!' }),
  ],
  'a key of another merchant in hexadecimal': [
    'contains the secret key of another merchant (in its headers)',
    retrieves({}, { 'x-request-id': Buffer.from('sec_of_another').toString('hex') }),
  ],
  'the signing key in a callback': [
    'a message to the merchant contains the signing key',
    calls('/callbacks/collections', made.JSON_TYPE, { event: 'SIGNINGKEYOFTHETEST1' }),
  ],
  'a one-time password': [
    'a callback contains a one-time password',
    sendRequests('POST', '/collections/authorize', json(400, refusal('otp_wrong')), OTP),
    calls('/callbacks/collections', made.JSON_TYPE, {
      payload: { internal_reference: made.REFERENCE, status_message: 'Paid with 482913' },
    }),
  ],
  'a handshake of a collection': [
    'a handshake is about a collection',
    collects(accepted()),
    asks('reference=WATCH-0001'),
  ],
  'a page of plain mobile money': [WITHOUT_PAGE, collects(accepted({ payment_url: PAGE }))],
  'a page with a form for the OTP': [
    WITHOUT_PAGE,
    collects(accepted({ payment_url: PAGE }), { provider_code: 'mtn_gh' }),
  ],
  'no page where the branch has one': ['was accepted without a payment_url', collects(accepted(), made.HOSTED)],
  'a page of another collection': [
    'does not end in the internal_reference',
    collects(accepted({ payment_url: `${PAGE.slice(0, -1)}X` }), made.HOSTED),
  ],
  'pages at two addresses': [
    'a payment_url leads to http://evil.example:1, others to http://127.0.0.1:1',
    collects(accepted({ payment_url: PAGE }), made.HOSTED),
    collects(accepted({ payment_url: PAGE.replace('127.0.0.1', 'evil.example') }), made.HOSTED),
  ],
  'a redirect without the fragment of its address': [
    'a redirect has another fragment than the redirect_url',
    collects(accepted({ payment_url: PAGE }), { ...made.HOSTED, redirect_url: 'https://shop.example/done#paid' }),
    leads('https://shop.example/done?id=7'),
  ],
  'a key that is too short': [
    'is no PEM of one public key',
    sendRequests('GET', '/.well-known/malipo-rsa.pem', pem('-----BEGIN RSA PUBLIC KEY-----')),
  ],
})

const callback = present(
  made.contract.operations.find(({ id }) => id === 'collectionCallback'),
  'callback',
)
const BODY = callback.body?.examples[0]?.value as { readonly event: string; readonly payload: object }
const HEADERS = Object.fromEntries(
  callback.parameters.map((each) => [each.name, shownBy(made.contract.document, each)[0]?.value as string]),
)
const HANDSHAKE_HEADERS = Object.fromEntries(Object.entries(HEADERS).filter(([name]) => name.startsWith('webhook-')))
const calledBack = ({ method = 'POST', headers = {}, body = BODY as object, query = '' }) =>
  received(comes(method, `/callbacks/collections${query}`, { ...made.JSON_TYPE, ...HEADERS, ...headers }, body))
const LED_BACK = leads(
  `https://shop.example/done?${new URLSearchParams({ ...BODY.payload, event: BODY.event }).toString()}`,
)

testRows(declaredMessagesRule, {
  'a callback as declared': ['', calledBack({})],
  'another method': ['a message to the merchant came by PUT', calledBack({ method: 'PUT' })],
  'an undeclared header': [
    'collectionCallback has a header x-merchant',
    calledBack({ headers: { 'x-merchant': '7' } }),
  ],
  'a query': ['collectionCallback has a query parameter attempt', calledBack({ query: '?attempt=1' })],
  'another media type': [
    'has the content-type application/json; charset=latin1, not application/json in UTF-8',
    calledBack({ headers: { 'content-type': 'application/json; charset=latin1' } }),
  ],
  'more than the reference in a handshake': [
    'payoutHandshake has a query parameter amount',
    received(comes('GET', '/handshake?reference=WATCH-0001&amount=5000', HANDSHAKE_HEADERS)),
  ],
  'a header that does not fit': [
    'collectionCallback has a webhook-timestamp whose value must NOT have fewer than 10',
    calledBack({ headers: { 'webhook-timestamp': 'now' } }),
  ],
  'a field that is not declared': [
    '/payload must NOT have additional properties attempt',
    calledBack({ body: { ...BODY, payload: { ...BODY.payload, attempt: 1 } } }),
  ],
  'a field that is missing': [
    "/payload must have required property 'status_message'",
    calledBack({ body: { ...BODY, payload: { ...BODY.payload, status_message: undefined } } }),
  ],
  'an event of another status': [
    '/payload/transaction_status must be equal to one of the allowed values FAILED,CANCELLED',
    calledBack({ body: { ...BODY, event: 'transaction.failed' } }),
  ],
  'a handshake with a body': [
    'payoutHandshake has a body of 2 bytes',
    received(comes('GET', '/handshake?reference=WATCH-0001', HANDSHAKE_HEADERS, {})),
  ],
  'a redirect without the id of its key': ['customerRedirect has no rsa_key_id', LED_BACK],
})

test('puts no secret into a finding or its line', () => {
  const rules = judgeOfTest(RULES)
  const reply = json(400, 'sec_of_another is wrong', {}, { 'x-y': 'z' })
  rules.record(sendRequests('GET', providers, reply, undefined, { 'secret-key': 'sec_of_the_tested' }), 'asked')
  const { findings = [] } = rules.result() ?? {}
  expect(findings.length).toBeGreaterThan(1)
  expect(JSON.stringify(findings)).not.toMatch(/(sec|pub)_of_/)
})

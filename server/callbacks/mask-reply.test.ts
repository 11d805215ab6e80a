import { expect, test } from 'vitest'
import { maskReply, namesIn } from './mask-reply.ts'

const secrets = {
  signingKeys: ['NEWSIGNINGKEY0000001', 'OLDSIGNINGKEY0000002'],
  webhookSecrets: ['whsec_c2VjcmV0L3dpdGgrc2xhc2g='],
}
const masked = (reply: string, account = '256772000123') =>
  maskReply(reply, { secrets, account, names: ['Jane Doe'] }, 1024)

test.each([
  [
    'a signing key, old or new',
    'key=NEWSIGNINGKEY0000001, OLDSIGNINGKEY0000002',
    `key=${'*'.repeat(20)}, ${'*'.repeat(20)}`,
  ],
  ['a webhook secret', 'whsec_c2VjcmV0L3dpdGgrc2xhc2g=', `whsec_${'*'.repeat(24)}`],
  ['a webhook secret in a query', '?s=c2VjcmV0L3dpdGgrc2xhc2g%3D', `?s=${'*'.repeat(26)}`],
  ['a webhook secret in JSON with escaped slashes', '"c2VjcmV0L3dpdGgrc2xhc2g="', `"${'*'.repeat(24)}"`],
  ['a secret key, known here by its digest only', '{"k":"sec_0123456789abcdef"}', `{"k":"${'*'.repeat(20)}"}`],
  ['the account number of the transaction', 'no customer 256772000123', 'no customer *********123'],
  ['the account number in groups', 'no +256 772-000-123', 'no +*** ***-***-123'],
  [
    'a card number, in groups or not',
    '4242424242424242 4242 4242 4242 4241, 3782-822463-10005',
    '*************242 **** **** **** *241, ****-******-**005',
  ],
])('%s is masked, and nothing shifts', (_what, reply, expected) => {
  expect(masked(reply)).toBe(expected)
  expect(expected).toHaveLength(reply.length)
})

test.each([
  'ok',
  'received at 1795168668456',
  'took 1234 ms, code 500, 2026-03-01 08:00:00',
  'request 20261120123456789012345',
  '{"transaction_account":""}',
  '{"id":"12345678901","receipt":"1234567890123","amount":5000000000}',
])('keeps other text as it is: %s', (reply) => {
  expect(masked(reply)).toBe(reply)
  expect(masked(reply, '')).toBe(reply)
})

test.each([
  ['JSON', '{"otp":"123456","payer_name":"Amina"}', '{"otp":"***","payer_name":"***"}'],
  ['a form', 'pin=1234&payerName=Amina+Nakato', 'pin=***&payerName=***'],
  ['XML', '<pin>1234</pin><payerName>Amina</payerName>', '<pin>***</pin><payerName>***</payerName>'],
  ['a sentence', 'Wrong OTP 123456', 'Wrong OTP ***'],
])('masks secrets and names that a reply repeats in %s', (_form, reply, expected) =>
  expect(masked(reply)).toBe(expected),
)

test.each([
  ['key c2VjcmV0L3dpdGgrc2xhc2g', 'key ***********************'],
  ['"c2VjcmV0L3dpdGgrc2xhc2g\\u003d"', '"************************"'],
  ['c2VjcmV0L3dpdGgrc2xhc2g%3d', '**************************'],
])('masks the webhook secret that is written as %s', (reply, expected) => expect(masked(reply)).toBe(expected))

test.each([
  ['Customer Jane Doe (256772000123) not found', 'Customer *** (*********123) not found'],
  ["insert into p (name) values ('JANE  DOE')", "insert into p (name) values ('***')"],
  ['GET /x?q=Jane+Doe', 'GET /x?q=***'],
  ['Jane Doerr and Mary Jane Doe-Smith', 'Jane Doerr and Mary ***-Smith'],
])("removes the customer's name in %j", (reply, expected) => expect(masked(reply)).toBe(expected))

test('finds the names of persons in a callback', () => {
  expect(namesIn('{"event":"transaction.completed","payload":{"id":1,"customer_name":"Jane Doe"}}')).toEqual([
    'Jane Doe',
  ])
  expect(namesIn('{"event":"transaction.completed","payload":{"id":1}}')).toEqual([])
})

test('keeps no half of a key at the end of an excerpt', () => {
  const cut = 'x '.repeat(505) + secrets.signingKeys[0] + ' y'.repeat(500)
  expect(masked(cut)).not.toMatch(/NEWS/)
})

import { expect, test } from 'vitest'
import { maskReply } from './mask-reply.ts'

const secrets = {
  signingKeys: ['NEWSIGNINGKEY0000001', 'OLDSIGNINGKEY0000002'],
  webhookSecrets: ['whsec_c2VjcmV0L3dpdGgrc2xhc2g='],
}
const masked = (reply: string, account = '256772000123') => maskReply(reply, { secrets, account })

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
  [
    'a card number, in groups or not',
    '4242424242424242 4242 4242 4242 4242, 378282246310005',
    '************4242 **** **** **** 4242, ***********0005',
  ],
])('%s is masked, and nothing moves', (_what, reply, expected) => {
  expect(masked(reply)).toBe(expected)
  expect(expected).toHaveLength(reply.length)
})

test.each([
  'ok',
  'received at 1795168668456',
  'order 4242424242424241',
  'request 20261120123456789012345',
  '{"transaction_account":""}',
])('what is none of these stays as it is: %s', (reply) => {
  expect(masked(reply)).toBe(reply)
  expect(masked(reply, '')).toBe(reply)
})

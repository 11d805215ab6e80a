import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../openapi/reading/contract.ts'
import { handshakes } from './index.ts'
import { signedHandshake } from './testing.ts'
import { errorOf, reasonOf } from './testing/verdicts.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const now = new Date('2026-11-20T12:00:00Z')

test('the example of the contract verifies', async () => {
  const { parameters } = readContract(bundleUrl).operations.find(({ id }) => id === 'payoutHandshake')!
  const reported = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
  const signedAt = new Date(Number(reported['webhook-timestamp']) * 1000)
  expect(
    await handshakes.verify(`/handshake?reference=${reported.reference}`, reported, secret, { now: signedAt }),
  ).toEqual({
    merchantReference: reported.reference,
    webhookId: reported['webhook-id'],
    signedAt,
  })
})

test('the example of the handshake of a batch verifies, and a changed sum does not', async () => {
  const { parameters, body } = readContract(bundleUrl).operations.find(({ id }) => id === 'payoutBatchHandshake')!
  const reported = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
  const signedAt = new Date(Number(reported['webhook-timestamp']) * 1000)
  const text = JSON.stringify(body!.examples[0]!.value)
  expect(await handshakes.verifyBatch(text, reported, secret, { now: signedAt })).toMatchObject({
    batch_reference: 'SALARIES-2026-03',
    payouts: 2,
    webhookId: reported['webhook-id'],
  })
  const forged = handshakes.verifyBatch(text.replace('45000', '99000'), reported, secret, { now: signedAt })
  expect(await reasonOf(forged)).toBe('wrong_signature')
})

test('accepts a handshake by whole URL, path or URL object, keeping other parameters', async () => {
  const { url, headers } = await signedHandshake({
    secret,
    now,
    reference: 'PAYOUT-2026-0042',
    url: 'https://shop.example/handshake?shop=7',
  })
  expect(url).toBe('https://shop.example/handshake?shop=7&reference=PAYOUT-2026-0042')
  for (const form of [
    url,
    new URL(url),
    '/handshake?shop=7&reference=PAYOUT-2026-0042',
    '?reference=PAYOUT-2026-0042',
  ]) {
    expect(await handshakes.verify(form, headers, secret, { now })).toMatchObject({
      merchantReference: 'PAYOUT-2026-0042',
    })
  }
})

test("refuses another merchant's secret and an old handshake", async () => {
  const { url, headers } = await signedHandshake({ secret, now })
  const later = new Date(now.getTime() + 301_000)
  expect(await reasonOf(handshakes.verify(url, headers, 'whsec_b3RoZXI=', { now }))).toBe('wrong_signature')
  expect(await reasonOf(handshakes.verify(url, headers, secret, { now: later }))).toBe('too_old')
  expect(await reasonOf(handshakes.verify(url, {}, secret, { now }))).toBe('no_signature')
})

test.each([
  '/handshake',
  '/handshake?reference=',
  '/handshake?reference=PAYOUT-1&reference=PAYOUT-2',
  '/handshake?reference=a:b:c:d:e',
  '/handshake?reference=short',
  'http://[',
])('without exactly one reference, %s is malformed', async (url) => {
  const { headers } = await signedHandshake({ secret, now })
  const { name, reason } = await errorOf(handshakes.verify(url, headers, secret, { now }))
  expect([name, reason]).toEqual(['WebhookVerificationError', 'malformed'])
})

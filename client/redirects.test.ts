import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../openapi/reading/contract.ts'
import { redirects } from './index.ts'
import { signedRedirect } from './testing.ts'
import { reasonOf, rsaPair } from './testing/verdicts.ts'

const signingKey = 'SANDBOXDEMOSIGNKEY01'
const { publicKey, privateKey } = rsaPair()

function changed(url: string, name: string, value: string): string {
  const page = new URL(url)
  page.searchParams.set(name, value)
  return page.href
}

test('the example of the contract verifies with the demo signing key', async () => {
  const query = new URLSearchParams(
    readContract(bundleUrl)
      .operations.find(({ id }) => id === 'customerRedirect')!
      .parameters.map(({ name, example }): [string, string] => [name, String(example)]),
  )
  expect(await redirects.verify(`/paid?${query.toString()}`, { signingKeys: signingKey })).toEqual({
    id: 1002,
    event: 'transaction.completed',
    merchant_reference: 'ORDER-2026-0002',
    internal_reference: 'MLP5Z6JER35TNMSJ3MSQFT7X6',
    transaction_type: 'COLLECTION',
    transaction_status: 'COMPLETED',
    status_message: 'Transaction Completed Successfully',
  })
})

test.each([
  ['collection.completed', 'COMPLETED'],
  ['collection.failed', 'FAILED'],
  ['collection.cancelled', 'CANCELLED'],
] as const)('accepts %s by either key and by both', async (kind, transaction_status) => {
  const url = await signedRedirect({
    signingKey,
    rsaPrivateKey: privateKey,
    kind,
    url: 'https://shop.example/paid?basket=7',
    outcome: { status_message: 'Ünter & Co +1' },
  })
  expect(url).toMatch(/^https:\/\/shop\.example\/paid\?basket=7&/)
  for (const keys of [
    { signingKeys: signingKey },
    { rsaPublicKeys: publicKey },
    { signingKeys: signingKey, rsaPublicKeys: publicKey },
  ]) {
    expect(await redirects.verify(url, keys)).toMatchObject({ transaction_status, status_message: 'Ünter & Co +1' })
  }
})

test("a failed payment cannot become a completed one, or another order's", async () => {
  const failed = await signedRedirect({ signingKey, kind: 'collection.failed' })
  for (const forged of [
    changed(changed(failed, 'event', 'transaction.completed'), 'transaction_status', 'COMPLETED'),
    changed(failed, 'merchant_reference', 'ORDER-2026-0009'),
    changed(failed, 'internal_reference', 'MLP0000000000000000000000'),
  ])
    expect(await reasonOf(redirects.verify(forged, { signingKeys: signingKey }))).toBe('wrong_signature')
})

test.each([
  ['transaction_status', 'COMPLETED'],
  ['transaction_status', 'PENDING'],
  ['event', 'paid'],
  ['id', '1e3'],
  ['id', '-1'],
  ['id', ''],
  ['merchant_reference', ''],
  ['transaction_type', 'PAYOUT'],
  ['hmac_signature', 'x'],
])('%s=%s is malformed', async (name, value) => {
  const url = changed(await signedRedirect({ signingKey, kind: 'collection.failed' }), name, value)
  expect(await reasonOf(redirects.verify(url, { signingKeys: signingKey }))).toBe('malformed')
})

test('a repeated parameter is malformed: checked and shown value might differ', async () => {
  const url = await signedRedirect({ signingKey, url: 'https://shop.example/paid?merchant_reference=ORDER-2026-0009' })
  expect(await reasonOf(redirects.verify(url, { signingKeys: signingKey }))).toBe('malformed')
})

test('refuses a redirect without a signature', async () => {
  const url = await signedRedirect({ signingKey })
  const unsigned = redirects.verify(await signedRedirect({}), { signingKeys: signingKey })
  expect(await reasonOf(unsigned)).toBe('no_signature')
  expect(await reasonOf(redirects.verify(url, { rsaPublicKeys: publicKey }))).toBe('no_signature')
  expect(await reasonOf(redirects.verify(url, {}))).toBe('wrong_secret_format')
})

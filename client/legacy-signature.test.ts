import { createPublicKey, createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { bundleUrl, readContract } from '../openapi/reading/contract.ts'
import { webhooks, type CallbackEvent } from './index.ts'
import { hmacSignature } from './testing/legacy-signing.ts'
import { signedCallback } from './testing.ts'
import { reasonOf, rsaPair } from './testing/verdicts.ts'

const secret = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='
const signingKey = 'SANDBOXDEMOSIGNKEY01'
const { publicKey, privateKey } = rsaPair()
const keyId = createHash('sha256')
  .update(createPublicKey(publicKey).export({ type: 'spki', format: 'der' }))
  .digest('hex')
  .slice(0, 16)

/** Why the callback is not believed under these keys. */
const refusal = (body: string, headers: Parameters<typeof webhooks.verifyLegacy>[1], keys: object) =>
  reasonOf(webhooks.verifyLegacy(body, headers, keys))

test('verifies with the key pair of the documentation', async () => {
  const signed = {
    event: 'transaction.completed',
    merchant_reference: 'MCTREFT2WMNWZ23SBN6Y',
    internal_reference: 'DUSUPAYRMGRXNNYBWATKJ',
    transaction_type: 'COLLECTION',
    transaction_status: 'COMPLETED',
  } as const
  expect(await hmacSignature('SGNKYUEMYFDEHRWGPEUG', signed, new Date(1795168648123))).toBe(
    't=1795168648123,s=d7e5264c92bd58279541309cad80a19889a5e9a10a944f418e52383c6ea5fcfe',
  )
})

test('the example of the contract verifies with the keys on its pages', async () => {
  const page = readFileSync(new URL('../openapi/pages/callbacks-and-signatures.md', import.meta.url), 'utf8')
  const rsaPublicKeys = { '429e326414cee5e6': /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.exec(page)![0] }
  const { parameters, body: shown } = readContract(bundleUrl).operations.find(({ id }) => id === 'payoutCallback')!
  const headers = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
  const body = JSON.stringify(shown!.examples.find(({ name }) => name === 'callback_payout_completed')!.value)
  await webhooks.verifyLegacy(body, headers, { signingKeys: signingKey, rsaPublicKeys })
})

test('HMAC: accepts one of several signing keys, and no other key', async () => {
  const { headers, body } = await signedCallback({ secret, signingKey })
  expect(
    await webhooks.verifyLegacy(body, headers, { signingKeys: ['SGNKYUEMYFDEHRWGPEUG', signingKey] }),
  ).toMatchObject({ event: 'transaction.completed' })
  expect(await refusal(body, headers, { signingKeys: 'SGNKYUEMYFDEHRWGPEUG' })).toBe('wrong_signature')
})

test('RSA: finds the key as one PEM text, by id in a table, and by a function', async () => {
  const { headers, body } = await signedCallback({ secret, rsaPrivateKey: privateKey })
  expect(headers['rsa-key-id']).toBe(keyId)
  const find = vi.fn(async () => publicKey)
  for (const rsaPublicKeys of [publicKey, { [keyId]: publicKey }, find])
    await webhooks.verifyLegacy(body, headers, { rsaPublicKeys })
  expect(find.mock.calls).toEqual([[keyId]])
  expect(await refusal(body, headers, { rsaPublicKeys: rsaPair().publicKey })).toBe('wrong_signature')
  expect(await refusal(body, headers, { rsaPublicKeys: {} })).toBe('unknown_key')
  expect(await refusal(body, headers, { rsaPublicKeys: () => undefined })).toBe('unknown_key')
})

test('looks up no malformed key id', async () => {
  const { headers, body } = await signedCallback({ secret, rsaPrivateKey: privateKey })
  const find = vi.fn(() => publicKey)
  for (const id of ['../../../evil', `${keyId}/`, keyId.toUpperCase(), 'toString', '__proto__']) {
    expect(await refusal(body, { ...headers, 'rsa-key-id': id }, { rsaPublicKeys: find })).toBe('malformed')
  }
  expect(find).not.toHaveBeenCalled()
})

test('the signature of each given kind of key must be valid', async () => {
  const { headers, body } = await signedCallback({ secret, signingKey, rsaPrivateKey: privateKey })
  const keys = { signingKeys: signingKey, rsaPublicKeys: publicKey }
  await webhooks.verifyLegacy(body, headers, keys)
  expect(await refusal(body, headers, { ...keys, signingKeys: 'SGNKYUEMYFDEHRWGPEUG' })).toBe('wrong_signature')
  expect(await refusal(body, headers, { ...keys, rsaPublicKeys: rsaPair().publicKey })).toBe('wrong_signature')
  expect(await refusal(body, { ...headers, 'hmac-signature': undefined }, keys)).toBe('no_signature')
  expect(await refusal(body, { ...headers, 'rsa-signature': undefined }, keys)).toBe('no_signature')
  expect(await refusal(body, headers, {})).toBe('wrong_secret_format')
})

test.each([
  ['event', 'transaction.failed', 'FAILED'],
  ['status', 'transaction.failed', 'CANCELLED'],
])('another %s does not verify', async (_name, event, transaction_status) => {
  const { headers, body } = await signedCallback({ secret, signingKey, kind: 'collection.completed' })
  const { payload } = JSON.parse(body) as CallbackEvent
  const changed = JSON.stringify({ event, payload: { ...payload, transaction_status } })
  expect(await refusal(changed, headers, { signingKeys: signingKey })).toBe('wrong_signature')
})

test('another reference does not verify; another amount does, as documented', async () => {
  const { headers, body } = await signedCallback({
    secret,
    signingKey,
    rsaPrivateKey: privateKey,
    now: new Date(1_000_000_000_000),
  })
  const keys = { signingKeys: signingKey, rsaPublicKeys: publicKey }
  for (const reference of ['merchant_reference', 'internal_reference']) {
    const { event, payload } = JSON.parse(body) as CallbackEvent
    const changed = JSON.stringify({ event, payload: { ...payload, [reference]: 'ORDER-2026-9999' } })
    expect(await refusal(changed, headers, keys)).toBe('wrong_signature')
  }
  expect(await webhooks.verifyLegacy(body.replace('4950', '9999999'), headers, keys)).toMatchObject({
    payload: { total_credit: 9_999_999 },
  })
})

test.each([
  ['hmac-signature', 't=1795168648123'],
  ['hmac-signature', `t=1795168648123,s=${'A'.repeat(64)}`],
  ['hmac-signature', `s=${'a'.repeat(64)}`],
  ['rsa-signature', 'not base64'],
])('%s: %s is malformed', async (name, value) => {
  const { headers, body } = await signedCallback({ secret, signingKey, rsaPrivateKey: privateKey })
  const keys = { signingKeys: signingKey, rsaPublicKeys: publicKey }
  expect(await refusal(body, { ...headers, [name]: value }, keys)).toBe('malformed')
})

test.each(['', 'MIIB', privateKey, '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'])(
  'refuses an invalid public key without repeating it',
  async (rsaPublicKeys) => {
    const { headers, body } = await signedCallback({ secret, rsaPrivateKey: privateKey })
    const error = await webhooks.verifyLegacy(body, headers, { rsaPublicKeys }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      reason: 'wrong_secret_format',
      message: expect.not.stringContaining('MII') as string,
    })
  },
)

test.each([secret, `${signingKey}\n`, `"${signingKey}"`, ''])(
  'refuses an invalid signing key (%j) without repeating it',
  async (wrong) => {
    const { headers, body } = await signedCallback({ secret, signingKey })
    const error = await webhooks.verifyLegacy(body, headers, { signingKeys: wrong }).catch((error: unknown) => error)
    expect(error).toMatchObject({
      reason: 'wrong_secret_format',
      message: expect.not.stringMatching(/c2Fu|SHOP|SANDBOX/) as string,
    })
  },
)

test('refuses a parsed body here too', async () => {
  const { headers, body } = await signedCallback({ secret, signingKey })
  expect(await refusal(JSON.parse(body) as string, headers, { signingKeys: signingKey })).toBe('body_not_raw')
})

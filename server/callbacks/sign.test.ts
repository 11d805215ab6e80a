import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ReferenceData } from '../actions/ports/reference-data.ts'
import type { CallbackSecrets } from '../domain/merchant.ts'
import { createLegacySigner, hmacSignature, signatureHeaders, webhookSecretBytes, webhookSignature } from './sign.ts'

// What a merchant computes from the description of the signatures alone.
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const rsaFits = (text: string, signature: string | undefined): boolean =>
  verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature ?? '', 'base64'))

const at = new Date('2026-03-01T08:00:00.789Z')
const TEXT = 'transaction.completed:MCTREFT2WMNWZ23SBN6Y:DUSUPAYRMGRXNNYBWATKJ:COLLECTION:COMPLETED'
const [NEW_SECRET, OLD_SECRET] = ['new secret', 'old secret'].map(
  (secret) => `whsec_${Buffer.from(secret).toString('base64')}`,
) as [string, string]
const secrets: CallbackSecrets = {
  signingKeys: ['SGNKYUEMYFDEHRWGPEUG', 'OLDKYUEMYFDEHRWGPEUG'],
  webhookSecrets: [NEW_SECRET, OLD_SECRET],
}
const rsaKey = { id: '429e326414cee5e6', privatePem: privateKey }
const input = { webhookId: 'cb_1', legacyText: TEXT, body: '{"a":1}', at, secrets, rsaKey }

test('whsec_ is optional and only a prefix; further on it is part of the secret', () => {
  expect(webhookSecretBytes(NEW_SECRET).toString()).toBe('new secret')
  expect(webhookSecretBytes(NEW_SECRET.slice('whsec_'.length)).toString()).toBe('new secret')
  expect(webhookSecretBytes('AAAAwhsec_AA')).toEqual(Buffer.from('AAAAwhsec_AA', 'base64'))
})

test('a webhook has one signature per valid secret, over id, time and body', () => {
  const of = (secret: string) => `v1,${hmac(secret, 'cb_1.1772352000.{"a":1}').digest('base64')}`
  expect(webhookSignature([NEW_SECRET, OLD_SECRET], 'cb_1', 1_772_352_000, '{"a":1}')).toBe(
    `${of('new secret')} ${of('old secret')}`,
  )
})

// The oldest valid signing key, the RSA key with its id, and every webhook secret sign it.
test('a callback carries every valid signature and the time in seconds', async () => {
  const headers = await signatureHeaders(input)
  expect(headers).toEqual({
    'hmac-signature': hmacSignature('OLDKYUEMYFDEHRWGPEUG', TEXT, at),
    'rsa-signature': expect.any(String) as string,
    'rsa-key-id': '429e326414cee5e6',
    'webhook-id': 'cb_1',
    'webhook-timestamp': '1772352000',
    'webhook-signature': webhookSignature([NEW_SECRET, OLD_SECRET], 'cb_1', 1_772_352_000, '{"a":1}'),
  })
  expect(rsaFits(TEXT, headers['rsa-signature'])).toBe(true)
  expect(rsaFits(`${TEXT}!`, headers['rsa-signature'])).toBe(false)
})

test.each([
  ['signing key', { ...secrets, signingKeys: [] }],
  ['webhook secret', { ...secrets, webhookSecrets: [] }],
])('signs nothing without a %s', async (_missing, left) => {
  await expect(signatureHeaders({ ...input, secrets: left })).rejects.toThrow('the merchant has no keys to sign with')
})

/** Belongs to merchant 7 only. */
const reference: ReferenceData = {
  merchantByPublicKey: async () => undefined,
  isKnownKey: () => false,
  merchantById: async () => undefined,
  option: () => undefined,
  options: () => [],
  banks: () => [],
  rate: () => undefined,
  callbackSecrets: async (merchantId) => (merchantId === 7n ? secrets : { signingKeys: [], webhookSecrets: [] }),
  rsaSigningKey: () => rsaKey,
}

test('a redirect carries the two signatures of a callback, with the time of now', async () => {
  const signed = await createLegacySigner({ reference, realClock: { now: () => at } }).sign(7n, TEXT)
  expect(signed).toEqual({
    hmacSignature: hmacSignature('OLDKYUEMYFDEHRWGPEUG', TEXT, at),
    rsaSignature: expect.any(String) as string,
    rsaKeyId: '429e326414cee5e6',
  })
  expect(rsaFits(TEXT, signed.rsaSignature)).toBe(true)
})

test('signs no redirect of a merchant without a signing key', async () => {
  await expect(createLegacySigner({ reference, realClock: { now: () => at } }).sign(8n, TEXT)).rejects.toThrow(
    'the merchant has no key to sign with',
  )
})

import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageSignatureFaults, stateSignatureFaults, type SignatureKeys } from './signatures.ts'

// The examples with which merchants test their own code: docs, page "Callbacks, redirect, signatures".
const page = readFileSync(new URL('../../../openapi/pages/callbacks-and-signatures.md', import.meta.url), 'utf8')
const webhook = readFileSync(new URL('../../../openapi/webhooks/collection_callback.yaml', import.meta.url), 'utf8')
const example = (name: string): string =>
  new RegExp(`name: ${name}\\n(?:.*\\n)*?\\s+example: '?([^'\\n]+)`).exec(webhook)![1]!
const body = Buffer.from(/^body='(.*)'$/m.exec(page)![1]!)
const rsaKey = createPublicKey(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.exec(page)![0])
const keys: SignatureKeys = {
  signingKey: 'SANDBOXDEMOSIGNKEY01',
  webhookSecret: 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==',
  rsaKey: async (id) => (id === '429e326414cee5e6' ? rsaKey : 'its key is not served: HTTP 404'),
}
const at = new Date(1_795_168_650_000)
const state = {
  event: 'transaction.completed',
  merchant_reference: 'ORDER-2026-0001',
  internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D',
  transaction_type: 'COLLECTION',
  transaction_status: 'COMPLETED',
}
const signatures = { hmac: example('hmac-signature'), rsa: example('rsa-signature'), rsaKeyId: example('rsa-key-id') }
const message = {
  id: example('webhook-id'),
  timestamp: example('webhook-timestamp'),
  signature: example('webhook-signature'),
  body,
}
const rules = (faults: readonly { readonly rule: string }[]): readonly string[] => faults.map(({ rule }) => rule)

test('the published signatures verify', async () => {
  expect(await stateSignatureFaults(state, signatures, keys, at)).toEqual([])
  expect(messageSignatureFaults(message, keys, at)).toEqual([])
})

test('the second published key and text give the published digest', async () => {
  const [key, text, digest] = [
    'SGNKYUEMYFDEHRWGPEUG',
    'transaction.completed:MCTREFT2WMNWZ23SBN6Y:DUSUPAYRMGRXNNYBWATKJ:COLLECTION:COMPLETED',
    'd7e5264c92bd58279541309cad80a19889a5e9a10a944f418e52383c6ea5fcfe',
  ] as const
  const [event, merchant_reference, internal_reference, transaction_type, transaction_status] = text.split(':')
  expect(
    await stateSignatureFaults(
      { event, merchant_reference, internal_reference, transaction_type, transaction_status },
      { hmac: `t=${at.getTime()},s=${digest}`, rsa: '', rsaKeyId: '' },
      { ...keys, signingKey: key },
      at,
    ),
  ).toEqual([])
})

test.each(['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status'])(
  'the signatures of the state cover %s',
  async (name) => {
    expect(rules(await stateSignatureFaults({ ...state, [name]: 'OTHER' }, signatures, keys, at))).toEqual([
      'hmac-signature digest',
      'rsa-signature',
    ])
  },
)

test('the message signature covers the id, the time and every byte of the body', () => {
  const other = { id: 'cb_OTHER', timestamp: '1795168649', body: Buffer.concat([body, Buffer.from('\n')]) }
  for (const [name, value] of Object.entries(other))
    expect(rules(messageSignatureFaults({ ...message, [name]: value }, keys, at))).toEqual(['webhook-signature'])
})

test('one of two signatures is enough during a secret rotation', () => {
  const two = { ...message, signature: `v1,${'A'.repeat(43)}= ${message.signature}` }
  expect(messageSignatureFaults(two, keys, at)).toEqual([])
})

test.each([-300_000, 300_000])('a time that is %d ms away is the last fresh one', async (ms) => {
  const [made, madeHmac] = [Number(message.timestamp) * 1000, Number(/^t=(\d+)/.exec(signatures.hmac)![1])]
  expect(messageSignatureFaults(message, keys, new Date(made + ms))).toEqual([])
  expect(rules(messageSignatureFaults(message, keys, new Date(made + ms + Math.sign(ms))))).toEqual([
    'webhook-timestamp',
  ])
  expect(rules(await stateSignatureFaults(state, signatures, keys, new Date(madeHmac + ms + Math.sign(ms))))).toEqual([
    'hmac-signature t',
  ])
})

test('an unknown key id is a fault of its own', async () => {
  expect(rules(await stateSignatureFaults(state, { ...signatures, rsaKeyId: '0123456789abcdef' }, keys, at))).toEqual([
    'rsa-key-id',
  ])
})

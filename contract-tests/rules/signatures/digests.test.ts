import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isHmac, isRsaSignature, isWebhookSigned, stateText } from './digests.ts'

// The examples with which merchants test their own code: docs, page "Callbacks, redirect, signatures".
const page = readFileSync(new URL('../../../openapi/pages/callbacks-and-signatures.md', import.meta.url), 'utf8')
const webhook = readFileSync(new URL('../../../openapi/webhooks/collection_callback.yaml', import.meta.url), 'utf8')
const example = (name: string): string =>
  new RegExp(`name: ${name}\\n(?:.*\\n)*?\\s+example: '?([^'\\n]+)`).exec(webhook)![1]!
const rsaKey = createPublicKey(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.exec(page)![0])
const state = {
  event: 'transaction.completed',
  merchant_reference: 'ORDER-2026-0001',
  internal_reference: 'MLPZ1ZP8G0DY6MZXFRQH3EJ9D',
  transaction_type: 'COLLECTION',
  transaction_status: 'COMPLETED',
}
const [, digest = ''] = /s=(.*)$/.exec(example('hmac-signature'))!
const message = {
  id: example('webhook-id'),
  timestamp: example('webhook-timestamp'),
  signature: example('webhook-signature'),
  body: Buffer.from(/^body='(.*)'$/m.exec(page)![1]!),
}
const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

test('the published signatures verify', () => {
  const text = stateText(state)!
  expect(isHmac(digest, text, 'SANDBOXDEMOSIGNKEY01')).toBe(true)
  expect(isRsaSignature(example('rsa-signature'), text, rsaKey)).toBe(true)
  expect(isWebhookSigned(message, SECRET)).toBe(true)
})

test('the second published key and text give the published digest', () => {
  const text = 'transaction.completed:MCTREFT2WMNWZ23SBN6Y:DUSUPAYRMGRXNNYBWATKJ:COLLECTION:COMPLETED'
  expect(isHmac('d7e5264c92bd58279541309cad80a19889a5e9a10a944f418e52383c6ea5fcfe', text, 'SGNKYUEMYFDEHRWGPEUG')).toBe(
    true,
  )
})

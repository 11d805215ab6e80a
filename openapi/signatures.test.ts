import { createHash, createHmac, createPublicKey, createVerify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { components } from '../generated/schema.d.ts'
import { bundleUrl, readContract, type Operation } from './reading/contract.ts'

type Callback = components['schemas']['CollectionCallback'] | components['schemas']['PayoutCallback']

const { operations } = readContract(bundleUrl)
const signaturesPage = readFileSync(new URL('pages/callbacks-and-signatures.md', import.meta.url), 'utf8')

const SIGNING_KEY = 'SANDBOXDEMOSIGNKEY01'
const WEBHOOK_SECRET = Buffer.from('c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ==', 'base64')

const operation = (id: string): Operation => operations.find((each) => each.id === id)!
/** The example that a parameter shows. */
const shown = (id: string, name: string): string =>
  operation(id).parameters.find((parameter) => parameter.name === name)!.example as string
const firstExample = (id: string) => operation(id).body!.examples[0]!

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
const signedText = ({ event, payload }: Callback): string =>
  [
    event,
    payload.merchant_reference,
    payload.internal_reference,
    payload.transaction_type,
    payload.transaction_status,
  ].join(':')
// Made once with a key that exists for the examples only; its public half is printed on the page about signatures.
const examplesKey = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.exec(signaturesPage)?.[0] ?? ''
const rsaVerifies = (text: string, signature: string): boolean =>
  createVerify('sha256').update(text).verify(examplesKey, signature, 'base64')
/** As the page describes it to merchants. */
const examplesKeyId = (): string =>
  createHash('sha256')
    .update(createPublicKey(examplesKey).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)

test.each([
  ['collectionCallback', 'callback_collection_completed'],
  ['payoutCallback', 'callback_payout_completed'],
])('the signatures in the headers of %s are those of its first example', (id, name) => {
  const { name: first, value } = firstExample(id)
  expect(first).toBe(name)
  const body = value as Callback
  const signed = `${shown(id, 'webhook-id')}.${shown(id, 'webhook-timestamp')}.${JSON.stringify(body)}`
  expect(shown(id, 'webhook-signature')).toBe(`v1,${hmac(WEBHOOK_SECRET, signed).digest('base64')}`)
  expect(shown(id, 'hmac-signature').split('s=')[1]).toBe(hmac(SIGNING_KEY, signedText(body)).digest('hex'))
  expect(rsaVerifies(signedText(body), shown(id, 'rsa-signature'))).toBe(true)
  expect(shown(id, 'rsa-key-id')).toBe(examplesKeyId())
})

test.each([
  ['payoutHandshake', () => ''],
  ['payoutBatchHandshake', () => JSON.stringify(firstExample('payoutBatchHandshake').value)],
])('the signature of %s signs its body', (operationId, body) => {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    shown(operationId, name),
  )
  expect(signature).toBe(`v1,${hmac(WEBHOOK_SECRET, `${id}.${timestamp}.${body()}`).digest('base64')}`)
})

test('the signatures of the redirect are those of its other parameters', () => {
  const value = (name: string): string => shown('customerRedirect', name)
  const text = ['event', 'merchant_reference', 'internal_reference', 'transaction_type', 'transaction_status']
    .map(value)
    .join(':')
  expect(operation('customerRedirect').parameters).toHaveLength(10)
  expect(value('hmac_signature').split('s=')[1]).toBe(hmac(SIGNING_KEY, text).digest('hex'))
  expect(rsaVerifies(text, value('rsa_signature'))).toBe(true)
  expect(value('rsa_key_id')).toBe(examplesKeyId())
})

test('the page about signatures shows the values of the contract', () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'rsa-key-id'])
    expect(signaturesPage).toContain(shown('collectionCallback', name))
  expect(signaturesPage).toContain(shown('collectionCallback', 'webhook-signature').slice('v1,'.length))
  expect(signaturesPage).toContain(shown('collectionCallback', 'hmac-signature').split('s=')[1])
  expect(signaturesPage).toContain(JSON.stringify(firstExample('collectionCallback').value))
})

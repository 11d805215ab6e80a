import { expect, test } from 'vitest'
import { consoleModel } from './console-model.ts'
import { curlOf, followLink, freshReference, operationNamed, requestOf, withFreshReference } from './console/request.ts'
import { bundleUrl, readContract } from '../reading/contract.ts'
import { writtenOperations } from '../testing/written-operations.ts'

const { document } = readContract(bundleUrl)
const model = consoleModel(document)
const operation = (id: string) => operationNamed(model, `#try/${id}`)!
const ORIGIN = 'http://127.0.0.1:8080'

test('the console knows every operation, with an example for each body', () => {
  expect(model.operations.map(({ id }) => id).toSorted()).toEqual(writtenOperations)
  expect(model.operations.filter(({ method, bodies }) => (method === 'POST') !== bodies.length > 0)).toEqual([])
  expect(operation('sendFunds').keys).toEqual(['public-key', 'secret-key'])
  // Its texts are shown as plain text.
  for (const { parameters } of model.operations)
    expect(parameters.filter(({ description }) => /`|\]\(/.test(description))).toEqual([])
  expect(operation('initializeCollection').keys).toEqual(['public-key'])
})

test('places values where the contract says, encoded, and sends no empty ones', () => {
  const verify = requestOf(
    operation('verifyTransaction'),
    {
      keys: { 'public-key': ' pub ' },
      parameters: { merchant_reference: 'A/B C', 'x-api-version': '1', 'Accept-Language': '' },
      body: '',
    },
    ORIGIN,
  )
  expect(verify).toEqual({
    method: 'GET',
    url: `${ORIGIN}/data/transaction/verify/A%2FB%20C`,
    headers: { 'public-key': 'pub', 'x-api-version': '1' },
    body: undefined,
  })
  const providers = requestOf(
    operation('listPaymentProviders'),
    { keys: {}, parameters: { currency: 'U&X', transaction_type: '' }, body: '' },
    ORIGIN,
  )
  expect(providers.url).toBe(`${ORIGIN}/data/payment-providers?currency=U%26X`)
})

test('the curl command quotes everything in single quotes', () => {
  const request = requestOf(
    operation('authorizeCollection'),
    { keys: { 'public-key': 'pub' }, parameters: {}, body: `{"otp":"it's $(date)"}` },
    ORIGIN,
  )
  expect(curlOf(request)).toBe(`curl -i 'http://127.0.0.1:8080/collections/authorize' \\
  -H 'public-key: pub' \\
  -H 'Content-Type: application/json' \\
  --data-raw '{"otp":"it'\\''s $(date)"}'`)
})

test('generates references that the contract accepts at any time; keeps auto', () => {
  for (const chance of [0, 0.5, 1 - Number.EPSILON])
    expect(freshReference(Date.UTC(2999, 0), chance)).toMatch(/^[A-Za-z0-9._~-]{8,36}$/)
  expect(withFreshReference({ merchant_reference: 'ORDER-2026-0001', amount: 1 }, 'NEW')).toEqual({
    merchant_reference: 'NEW',
    amount: 1,
  })
  expect(withFreshReference({ merchant_reference: 'auto' }, 'NEW')).toEqual({ merchant_reference: 'auto' })
  expect(withFreshReference({ internal_reference: 'MLP' }, 'NEW')).toEqual({ internal_reference: 'MLP' })
})

test("offers the next requests by the contract's links, filled from the reply", () => {
  const reply = { data: { merchant_reference: 'TRY-1', internal_reference: 'MLP1' } }
  const links = operation('initializeCollection').links.filter(({ status }) => status === '202')
  expect(links.map((link) => [link.operationId, followLink(link, reply)])).toEqual([
    ['verifyTransaction', { parameters: { merchant_reference: 'TRY-1' }, body: {} }],
    ['authorizeCollection', { parameters: {}, body: { internal_reference: 'MLP1', otp: 123456 } }],
    ['refundCollection', { parameters: {}, body: { collection_reference: 'TRY-1' } }],
  ])
  expect(links.map((link) => followLink(link, { data: {} }))).toEqual([undefined, undefined, undefined])
})

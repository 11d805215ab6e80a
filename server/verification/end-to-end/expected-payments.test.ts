import { expect, test } from 'vitest'
import { gatewayTest } from '../testing/gateway-test.ts'
import { faultsInBooks } from '../testing/books.ts'
import { refusal } from '../testing/refusal.ts'
import { uniqueMsisdn, uniqueReference } from '../testing/requests.ts'

// Payments that customers start, end to end: our client, HTTP, PostgreSQL, the sandbox's page, callback. Which payment
// fits is a rule of actions/expected-payments.ts.

const { gateway, clock, after, receiver, malipo } = await gatewayTest({ toReceiver: ['collection_callback_url'] })

const expectation = (changes: object = {}) => ({
  provider_code: 'mtn_ug',
  merchant_reference: uniqueReference(),
  customer_reference: 'auto',
  currency: 'UGX',
  amount: 5000,
  description: 'Invoice of May',
  ...changes,
})
const pay = async (reference: string, amount = 5000): Promise<string> => {
  const reply = await fetch(`${gateway.url}/sandbox/payments`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ provider: 'mtn_ug', account: uniqueMsisdn('777'), amount: String(amount), reference }),
  })
  expect(reply.status).toBe(200)
  await after(1000)
  return ((await reply.json()) as { receipt: string }).receipt
}

test('a payment by reference completes its collection, with payer and callback', async () => {
  const request = expectation()
  const { customer_reference: typed, expires_at: expiresAt } = await malipo.collections.expect(request)
  expect(typed).toMatch(/^[2-9A-Z]{8}$/)
  expect(expiresAt).toMatch(/Z$/)
  expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
    transaction_status: 'PENDING',
    status_message: 'Waiting for the customer to pay',
    transaction_account: '',
  })
  await pay(`${typed.slice(0, 4)} ${typed.slice(4).toLowerCase()}`)
  const record = await malipo.transactions.verify(request.merchant_reference)
  expect(record).toMatchObject({ transaction_status: 'COMPLETED', request_amount: 5000, provider_code: 'mtn_ug' })
  expect(record.transaction_account).toMatch(/^256/)
  expect(receiver.about(request.merchant_reference).map(({ json }) => json)).toEqual([
    { event: 'transaction.completed', payload: record },
  ])
  expect(await faultsInBooks(gateway, clock.now())).toEqual([])
})

test('takes a free amount as it is paid', async () => {
  const request = expectation({ amount: undefined, min_amount: 1000, max_amount: 9000 })
  const { customer_reference: typed } = await malipo.collections.expect(request)
  await pay(typed, 7000)
  expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
    transaction_status: 'COMPLETED',
    request_amount: 7000,
  })
})

test('fails in silence of the customer, and gives the same answer to the same key', async () => {
  const request = expectation({ expires_in: 60, customer_reference: `inv ${Date.now()}` })
  const key = { idempotencyKey: uniqueReference() }
  const first = await malipo.collections.expect(request, key)
  expect(await malipo.collections.expect(request, key)).toEqual(first)
  const other = expectation({ customer_reference: request.customer_reference })
  await expect(malipo.collections.expect(other)).rejects.toMatchObject({ status: 409 })
  await after(61_000)
  expect(await malipo.transactions.verify(request.merchant_reference)).toMatchObject({
    transaction_status: 'FAILED',
    status_message: 'Nobody paid it in time',
    failure_code: 'expired',
  })
  await malipo.collections.expect(other)
})

test.for([
  [{ currency: 'KES' }, refusal('expected_currency')],
  [{ amount: undefined, min_amount: 2000, max_amount: 1000 }, refusal('amounts_crossed')],
  [{ amount: undefined, max_amount: 10.5 }, refusal('amount_decimals')],
  [{ provider_code: 'bank_ng' }, refusal('provider_of_banks')],
  [{ customer_reference: 'INV--1' }, /^customer_reference must be auto/],
  [{ expires_in: 59 }, /^expires_in must be/],
] as const)('refuses %j', async ([changes, message]) => {
  await expect(malipo.collections.expect(expectation(changes))).rejects.toMatchObject({
    status: 400,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
})

import { expect, test } from 'vitest'
import {
  callbackAttempts,
  callbacksToResend,
  findCallback,
  listCallbacks,
  resendCallbacks,
  type CallbackView,
} from '../../admin/queries/callbacks.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { collect, postJson, uniqueMsisdn, uniqueReference } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// A merchant without callback URLs gets no callbacks at first; they are kept until there is a URL and staff resend
// them.

const { gateway, clock, after, receiver } = await gatewayTest()

async function setUrls(url: string | null): Promise<void> {
  await gateway.pool.query('update merchants set collection_callback_url = $1, payout_callback_url = $1', [url])
  await gateway.refresh()
}
async function ended(ending: string): Promise<string> {
  const reference = uniqueReference()
  expect((await collect(gateway.url, { merchant_reference: reference, msisdn: uniqueMsisdn(ending) })).status).toBe(202)
  await after(1000)
  return reference
}
async function callbackOf(reference: string): Promise<CallbackView> {
  const callbacks = await listCallbacks(gateway.pool, {
    transactionIds: undefined,
    merchantId: undefined,
    status: undefined,
    limit: 100,
  })
  const ours = callbacks.filter(({ merchant_reference }) => merchant_reference === reference)
  expect(ours).toHaveLength(1)
  return ours[0]!
}
async function resend(id: bigint): Promise<void> {
  await resendCallbacks(gateway.pool, [id], clock.now(), clock.now())
  await gateway.runDue()
}
const workOf = async ({ id }: CallbackView): Promise<number> =>
  (await gateway.pool.query(`select from jobs where kind = 'deliverCallback' and subject_id = $1`, [id])).rowCount ?? 0

test.each(['123', '002'])(
  'keeps the callback of a collection to …%s while there is no URL, unattempted',
  async (ending) => {
    await setUrls(null)
    const reference = await ended(ending)
    await after(5 * 24 * 60 * 60_000) // longer than any retry schedule
    const callback = await callbackOf(reference)
    expect(callback).toMatchObject({ status: 'STOPPED', attempts: 0, url: '', next_attempt_at: null })
    expect(await callbackAttempts(gateway.pool, [callback.id])).toEqual([])
    const { rows } = await gateway.pool.query(
      `select kind, detail from transaction_events where transaction_id = $1 and kind like 'callback%'`,
      [callback.transaction_id],
    )
    expect(rows).toEqual([
      {
        kind: 'callback_stopped',
        detail: `${callback.event}: the merchant has no URL for it; it goes out when one is set and it is resent`,
      },
    ])
  },
)

test('a payout has its callback too', async () => {
  await setUrls(null)
  const reference = uniqueReference()
  await postJson(
    gateway.url,
    '/payout/send-funds',
    {
      transaction_method: 'MOBILE_MONEY',
      merchant_reference: reference,
      currency: 'UGX',
      amount: 500,
      provider_code: 'mtn_ug',
      account_number: uniqueMsisdn('004'),
      customer_name: 'Amina Nakato',
      description: 'Refund of an order',
    },
    DEMO_KEYS,
  )
  await after(1000)
  expect(await callbackOf(reference)).toMatchObject({
    event: 'transaction.failed',
    status: 'STOPPED',
    attempts: 0,
    url: '',
  })
})

// It keeps its webhook-id.
test('a resend to a new URL delivers the same content, signed; its attempt says where', async () => {
  await setUrls(null)
  const callback = await callbackOf(await ended('123'))
  await setUrls(`${receiver.url}?shop=7&token=not-for-everybody`)
  await after(60_000)
  expect(receiver.received).toEqual([])
  await resend(callback.id)
  expect(
    receiver.received.map(({ path, headers, json }) => [path, headers['webhook-id'], json.payload.merchant_reference]),
  ).toEqual([['/callbacks?shop=7&token=not-for-everybody', callback.webhook_id, callback.merchant_reference]])
  expect(await findCallback(gateway.pool, callback.webhook_id)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  expect(await callbackAttempts(gateway.pool, [callback.id])).toMatchObject([
    { attempt: 1, http_status: 200, url: `${receiver.url}?shop=***&token=***` },
  ])
})

test('a resend without a URL uses no attempt either', async () => {
  await setUrls(null)
  const callback = await callbackOf(await ended('123'))
  await resend(callback.id)
  expect(await findCallback(gateway.pool, callback.webhook_id)).toMatchObject({ status: 'STOPPED', attempts: 0 })
  expect(await workOf(callback)).toBe(0)
})

test('a resend by time includes callbacks without a URL', async () => {
  await setUrls(null)
  clock.advance(1)
  const since = clock.now()
  const callback = await callbackOf(await ended('123'))
  const filter = { since, until: new Date(clock.now().getTime() + 1), merchantId: undefined }
  expect(await callbacksToResend(gateway.pool, { ...filter, status: undefined })).toEqual([callback.id])
  expect(await callbacksToResend(gateway.pool, { ...filter, status: 'STOPPED' })).toEqual([callback.id])
  expect(await callbacksToResend(gateway.pool, { ...filter, status: 'DELIVERED' })).toEqual([])
})

// The process that delivers it has no notice of the change yet.
test('a payment that ends just after its merchant got a URL is delivered there', async () => {
  await setUrls(null)
  const reference = uniqueReference()
  await collect(gateway.url, { merchant_reference: reference })
  await gateway.runDue()
  receiver.received.length = 0
  await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
  clock.advance(1000)
  await gateway.runDue()
  expect(receiver.received).toHaveLength(1)
  expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
})

/** A callback from a time without a URL, resent just after a URL was set. */
async function resentBesideUrl(): Promise<string> {
  await setUrls(null)
  const reference = await ended('123')
  receiver.received.length = 0
  await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
  await resend((await callbackOf(reference)).id)
  return reference
}

test('waits for a URL that this process has no notice of yet', async () => {
  let reference = await resentBesideUrl()
  // The process reads new URLs every second: if it did so just then, there was nothing to wait for.
  for (let again = 0; again < 5 && (await callbackOf(reference)).status === 'DELIVERED'; again += 1)
    reference = await resentBesideUrl()
  expect(await callbackOf(reference)).toMatchObject({ status: 'PENDING', attempts: 0 })
  await gateway.refresh()
  await after(2000)
  expect(receiver.received).toHaveLength(1)
  expect(await callbackOf(reference)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
})

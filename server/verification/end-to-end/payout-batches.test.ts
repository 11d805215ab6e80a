import { beforeAll, describe, expect, test } from 'vitest'
import { webhooks } from '../../../client/index.ts'
import { BATCH_BOUNDS } from '../../http/body.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS, DEMO_MERCHANT } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { refusal } from '../testing/refusal.ts'
import { mobileMoneyPayout, payoutBalance, payOut, postJson, send, uniqueReference } from '../testing/requests.ts'

const { gateway, after, receiver } = await gatewayTest({
  toReceiver: ['payout_callback_url', 'verification_url'],
  env: { MALIPO_RATE_LIMIT: '100000' },
})
const batch = (payouts: readonly unknown[], reference = uniqueReference(), headers = {}) =>
  postJson(gateway.url, '/payout/batches', { batch_reference: reference, payouts }, { ...DEMO_KEYS, ...headers })
const read = (reference: string) =>
  send(gateway.url, 'GET', `/payout/batches/${reference}`, { headers: DEMO_KEYS }).then(({ body }) => body.data)
const count = async () => (await gateway.pool.query('select from transactions')).rowCount

describe('a batch of payouts', () => {
  test('pays each of its payouts once, and reports its end once', async () => {
    const before = await payoutBalance(gateway.url)
    const reference = uniqueReference()
    const payouts = [mobileMoneyPayout(), mobileMoneyPayout({ amount: 30_000 })]
    expect((await batch(payouts, reference)).body).toEqual({
      code: 202,
      status: 'accepted',
      message: 'Batch accepted',
      data: { batch_reference: reference, payouts: 2 },
    })
    expect(await read(reference)).toMatchObject({ batch_status: 'PROCESSING', payouts: [{ line: 1 }, { line: 2 }] })
    await after(60_000)
    await after(60_000)
    const totals = [{ currency: 'UGX', payouts: 2, amount: 50_000, completed: 2, failed: 0 }]
    expect(await read(reference)).toMatchObject({ batch_reference: reference, batch_status: 'COMPLETED', totals })
    expect(await payoutBalance(gateway.url)).toBe(before - 50_250)
    const ends = receiver.received.filter(({ json }) => json.event === 'payout_batch.completed')
    expect(ends.map(({ json }) => json.payload)).toEqual([
      { batch_reference: reference, batch_status: 'COMPLETED', totals },
    ])
    for (const { merchant_reference } of payouts) expect(receiver.about(merchant_reference)).toHaveLength(1)
    await expectBalancedBooks(gateway)
  })

  test('names every faulty payout, and uses up no reference', async () => {
    const used = mobileMoneyPayout()
    await payOut(gateway.url, used)
    const good = mobileMoneyPayout()
    const [known, reference] = [await count(), uniqueReference()]
    const { status, body } = await batch(
      [
        good,
        { ...mobileMoneyPayout(), account_number: '' },
        mobileMoneyPayout({ amount: 20_000.5 }),
        used,
        good,
        mobileMoneyPayout({ provider_code: 'nobody' }),
        { ...mobileMoneyPayout(), merchant_id: 7 },
        'a text',
      ],
      reference,
    )
    expect([status, body.message]).toEqual([
      400,
      'Nothing was accepted: 7 of 8 payouts are faulty. Line 2: account_number is required',
    ])
    expect(body.data.errors).toEqual([
      { line: 2, message: 'account_number is required' },
      { line: 3, message: refusal('amount_decimals') },
      { line: 4, message: `merchant_reference (${used.merchant_reference}) has already been used` },
      { line: 5, message: `merchant_reference (${good.merchant_reference}) is also in line 1` },
      { line: 6, message: 'Invalid provider code (nobody)' },
      { line: 7, message: 'merchant_id is not allowed' },
      { line: 8, message: 'it must be an object' },
    ])
    expect(await count()).toBe(known)
    expect((await batch([good], reference)).status).toBe(202)
  })

  test('is accepted once, however often it is sent', async () => {
    const [payouts, reference] = [[mobileMoneyPayout()], uniqueReference()]
    const known = (await count()) ?? 0
    const key = { 'idempotency-key': reference }
    const sent = await Promise.all([1, 2, 3].map(() => batch(payouts, reference, key)))
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(sent.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(2)
    expect((await batch(payouts, reference)).body.message).toBe(`batch_reference (${reference}) has already been used`)
    expect((await batch(payouts)).status).toBe(400)
    expect(await count()).toBe(known + 1)
  })

  test('judges the amount of each payout by its digits', async () => {
    const text = JSON.stringify({ batch_reference: uniqueReference(), payouts: [mobileMoneyPayout()] })
    const body = text.replace('20000', '20000.0000000000000001')
    const headers = { ...DEMO_KEYS, 'content-type': 'application/json' }
    expect((await send(gateway.url, 'POST', '/payout/batches', { headers, body })).body.data.errors).toHaveLength(1)
  })

  test('may have 1 MiB and no byte more, and 1,000 payouts and not one more', async () => {
    const body = JSON.stringify({ batch_reference: uniqueReference(), payouts: [mobileMoneyPayout()] })
    const headers = { ...DEMO_KEYS, 'content-type': 'application/json' }
    const sized = (bytes: number) =>
      send(gateway.url, 'POST', '/payout/batches', { headers, body: body.padEnd(bytes, ' ') })
    expect((await sized(BATCH_BOUNDS.bytesMax)).status).toBe(202)
    expect((await sized(BATCH_BOUNDS.bytesMax + 1)).status).toBe(413)
    const many = Array.from({ length: 1_001 }, () => mobileMoneyPayout())
    expect((await batch(many)).body.message).toBe('payouts must have 1 to 1000 items')
    expect((await batch(many.slice(1))).status).toBe(202)
    await after(1_000)
  })

  test('is unknown to everybody else', async () => {
    const { status, body } = await send(gateway.url, 'GET', '/payout/batches/BATCH-NOBODY-MADE', { headers: DEMO_KEYS })
    expect([status, body.message]).toEqual([404, 'Batch (BATCH-NOBODY-MADE) was not found'])
  })
})

describe('the end of a batch whose reply is lost', () => {
  test('is reported again under the same id, and counts once', async () => {
    // What earlier batches still have to say would take these answers.
    let before = -1
    while (before < receiver.received.length) {
      before = receiver.received.length
      await after(60_000)
    }
    const reference = uniqueReference()
    // The handshake, the callback of the payout, and twice the one of the batch.
    receiver.answer(200, 200, 'reset', 200)
    await batch([mobileMoneyPayout()], reference)
    for (const ms of [60_000, 60_000, 10_000, 600_000]) await after(ms)
    const ends = receiver.received.filter(({ json }) => json.payload.batch_reference === reference)
    expect(ends).toHaveLength(2)
    const effects = new Set<string>()
    for (const { headers, body } of ends)
      effects.add(
        (await webhooks.verifyEvent(body, headers, DEMO_MERCHANT.keys.webhookSecret, { toleranceSeconds: 1e10 }))
          .webhookId,
      )
    expect(effects.size).toBe(1)
    expect(ends[0]?.body).toBe(ends[1]?.body)
  })
})

describe('one handshake for a batch', () => {
  beforeAll(async () => {
    await gateway.pool.query('update merchants set batch_handshake = true')
    await gateway.refresh()
  })
  const questions = () =>
    receiver.received.filter(({ method, json }) => method === 'GET' || json.event.endsWith('verification'))

  test('asks about all payouts at once, again after no answer, and pays them after a yes', async () => {
    const reference = uniqueReference()
    receiver.answer(503, 200)
    await batch([mobileMoneyPayout(), mobileMoneyPayout({ amount: 30_000 })], reference)
    for (const ms of [5_000, 60_000, 60_000]) await after(ms)
    const [first, again, ...others] = questions()
    expect(others).toEqual([])
    expect([first!.method, first!.json]).toEqual([
      'POST',
      {
        event: 'payout_batch.verification',
        payload: {
          batch_reference: reference,
          payouts: 2,
          totals: [{ currency: 'UGX', payouts: 2, amount: 50_000 }],
        },
      },
    ])
    expect([again!.body, again!.headers['webhook-id']]).toEqual([first!.body, first!.headers['webhook-id']])
    expect(await read(reference)).toMatchObject({ totals: [{ completed: 2 }] })
    await expectBalancedBooks(gateway)
  })

  test('fails all payouts of a batch that the merchant refuses', async () => {
    const [before, reference] = [await payoutBalance(gateway.url), uniqueReference()]
    receiver.answer(404, 200)
    await batch([mobileMoneyPayout(), mobileMoneyPayout()], reference)
    await after(60_000)
    const status_message = "Payout rejected by the merchant's verification URL (HTTP 404)"
    expect(await read(reference)).toMatchObject({
      batch_status: 'COMPLETED',
      payouts: [{ status_message }, { status_message, failure_code: 'not_allowed' }],
    })
    expect(questions()).toHaveLength(1)
    expect(await payoutBalance(gateway.url)).toBe(before)
  })
})

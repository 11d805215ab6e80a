import { describe, expect, test } from 'vitest'
import type { PayoutRequest } from '../../../client/index.ts'
import { setSuspended } from '../../admin/queries/merchants.ts'
import { withoutAudit } from '../../storage/audited-pool.ts'
import { hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { transfersFor } from '../testing/operators-book.ts'
import { mobileMoneyCollection, mobileMoneyPayout, payoutBalance, send, uniqueReference } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

const { gateway, clock, after, malipo } = await gatewayTest({ toReceiver: ['payout_callback_url', 'verification_url'] })

const HOUR_MS = 3_600_000
const { id } = (await gateway.pool.query<{ id: bigint }>('select id from merchants')).rows[0]!

/** Without a refresh, the processes still have the merchant as it was before. */
async function set(isSuspended: boolean, { refresh = true } = {}): Promise<void> {
  await setSuspended(withoutAudit(gateway.pool), id, isSuspended, clock.now())
  if (refresh) await gateway.refresh()
}
const payout = () => mobileMoneyPayout() as unknown as PayoutRequest
const balance = () => payoutBalance(gateway.url)

/** A payout whose merchant is suspended before it goes out. */
async function waitingPayout(): Promise<string> {
  const { merchant_reference } = await malipo.payouts.send(payout())
  await set(true, { refresh: false })
  await after(1000)
  return merchant_reference
}

describe('a suspended merchant', () => {
  test('gets one 401 for each POST, and all look-ups', async () => {
    const { merchant_reference, internal_reference } = await malipo.collections.initialize(phoneCollection())
    await set(true)
    const post = (path: string, body: object) =>
      send(gateway.url, 'POST', path, {
        headers: { ...DEMO_KEYS, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    for (const { status, headers, body } of [
      await post('/collections/initialize', mobileMoneyCollection()),
      await post('/collections/authorize', { internal_reference, otp: 123_456 }),
      await post('/payout/send-funds', mobileMoneyPayout()),
    ]) {
      expect([status, body.message]).toEqual([401, refusal('merchant_suspended')])
      expect(headers.get('www-authenticate')).toBeTruthy()
    }
    await after(1000)
    expect((await malipo.transactions.verify(merchant_reference)).transaction_status).toBe('COMPLETED')
    expect(await malipo.wallets.list()).not.toHaveLength(0)
    await set(false)
    await malipo.payouts.send(payout())
    await after(1000)
  })

  test('keeps a payout PENDING with its hold past a day, and sends it at the end', async () => {
    const before = await balance()
    const reference = await waitingPayout()
    await after(26 * HOUR_MS)
    expect(await malipo.transactions.verify(reference)).toMatchObject({
      transaction_status: 'PENDING',
      status_message: 'Waiting: the merchant account is suspended',
    })
    expect([await balance(), await transfersFor(gateway.pool, reference)]).toEqual([before - 20_100, 0])
    await set(false)
    await after(1000)
    expect((await malipo.transactions.verify(reference)).transaction_status).toBe('COMPLETED')
    expect(await transfersFor(gateway.pool, reference)).toBe(1)
    await expectBalancedBooks(gateway)
  })

  test('keeps a refund with its hold, and sends it at the end', async () => {
    const { merchant_reference: paid } = await malipo.collections.initialize(phoneCollection())
    await after(1000)
    const merchant_reference = uniqueReference()
    await malipo.collections.refund({ merchant_reference, collection_reference: paid, reason: 'Returned' })
    await set(true, { refresh: false })
    await after(1000)
    const status = async () => (await malipo.collections.retrieveRefund(merchant_reference)).status_message
    expect(await status()).toBe('Waiting: the merchant account is suspended')
    await set(false)
    await after(1000)
    expect(await status()).toBe('Transaction Completed Successfully')
  })

  test('cancels a payout that waits because of that', async () => {
    const before = await balance()
    const reference = await waitingPayout()
    await gateway.refresh()
    await malipo.payouts.cancel({ merchant_reference: reference })
    expect(await malipo.transactions.verify(reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Payout cancelled by the merchant',
      failure_code: 'merchant_cancelled',
    })
    expect(await balance()).toBe(before)
    await set(false)
  })

  test('has no confirmation on its open payment pages, but a cancellation', async () => {
    const { internal_reference, payment_url } = await malipo.collections.initialize(hostedCollection())
    await set(true, { refresh: false })
    await expect(gateway.paymentSteps.confirm(internal_reference)).rejects.toMatchObject({ code: 'merchant_suspended' })
    await gateway.refresh()
    const page = await (await fetch(payment_url!)).text()
    expect(page).toContain('takes no payments at the moment')
    expect(page).not.toContain('/confirm"')
    expect(await gateway.paymentSteps.cancel(internal_reference)).toBe('done')
    await set(false)
  })
})

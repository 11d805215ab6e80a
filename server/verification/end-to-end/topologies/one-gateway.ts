import { describe, expect, test } from 'vitest'
import { mobileMoneyCollection, uniqueMsisdn, uniqueReference } from '../../testing/requests.ts'
import { until } from '../../testing/served-gateway.ts'
import { hasWebhookSignature } from '../../testing/signatures.ts'
import { COVERED, SOON_MS, type TestedSystem } from './tested-system.ts'

/** What only holds when all processes act as one gateway: references, keys, limits, one wallet, an awkward rail. */
export function oneGateway(tested: TestedSystem): void {
  const {
    post,
    collection,
    payout,
    payoutRequest,
    recordAt,
    become,
    callbacksOf,
    expectReported,
    balance,
    transfersOf,
    allJobsDone,
  } = tested

  describe('over all processes together', () => {
    test('of fifty requests with one merchant_reference exactly one is accepted', async () => {
      const body = mobileMoneyCollection()
      const replies = await Promise.all(Array.from({ length: 50 }, () => post('/collections/initialize', body)))
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(
        new Set(
          replies.filter(({ status }) => status !== 202).map(({ body: { code, message } }) => `${code} ${message}`),
        ),
      ).toEqual(new Set([`409 merchant_reference (${String(body.merchant_reference)}) has already been used`]))
      const reference = String(body.merchant_reference)
      await expectReported(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      expect(await transfersOf(reference)).toBe(1)
    })

    test("each gateway replays an Idempotency-Key's first reply and refuses another body", async () => {
      const key = { 'idempotency-key': uniqueReference() }
      const body = mobileMoneyCollection({ merchant_reference: 'auto' })
      const replies = await Promise.all(Array.from({ length: 20 }, () => post('/collections/initialize', body, key)))
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202))
      expect(new Set(replies.map(({ body: { data } }) => JSON.stringify(data))).size).toBe(1)
      expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')).toHaveLength(1)
      for (const api of tested.system.apis) {
        const again = await post('/collections/initialize', body, key, api)
        expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([
          202,
          'true',
          replies[0]?.body,
        ])
        expect((await post('/collections/initialize', { ...body, amount: 6000 }, key, api)).status).toBe(409)
      }
    })

    test('a daily limit is one: 14 of 50 times 500,000 fit into 7,000,000', async () => {
      const msisdn = `25675${uniqueMsisdn().slice(-7)}`
      const replies = await Promise.all(
        Array.from({ length: 50 }, () =>
          post(
            '/collections/initialize',
            mobileMoneyCollection({ provider_code: 'airtel_ug', msisdn, amount: 500_000 }),
          ),
        ),
      )
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(14)
      expect(replies.filter(({ status, body }) => status === 400 && body.message.includes('7000000 UGX'))).toHaveLength(
        36,
      )
    })

    test('late (007), unreachable (008) and repeated (009) results have one effect each', async () => {
      await allJobsDone() // leftovers of other tests would change the balance
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const ofTestNumber = async (ending: string, allow_final_status_change = true) =>
        (await collection({ msisdn: uniqueMsisdn(ending), allow_final_status_change })).reference
      const [late, final, unreachable, repeated] = await Promise.all([
        ofTestNumber('007'),
        ofTestNumber('007', false),
        ofTestNumber('008'),
        ofTestNumber('009'),
      ])
      await become(final, 'FAILED')
      for (const reference of [late, unreachable, repeated]) await become(reference, 'COMPLETED')
      await allJobsDone()
      expect(
        // Two workers may deliver the two callbacks of one payment in either order.
        [late, final, unreachable, repeated].map((reference) =>
          callbacksOf(reference)
            .map(({ json }) => json.event)
            .toSorted(),
        ),
      ).toEqual([
        ['transaction.completed', 'transaction.failed'],
        ['transaction.failed'],
        ['transaction.completed'],
        ['transaction.completed'],
      ])
      expect(await Promise.all([late, unreachable, repeated].map((reference) => transfersOf(reference)))).toEqual([
        1, 1, 1,
      ])
      expect((await recordAt(tested.system.url(), final)).transaction_status).toBe('FAILED')
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before + 3 * 4950)
    })

    test('a payout takes exactly total_debit, after one signed handshake', async () => {
      const before = await balance('MERCHANT_PAYOUT', 'UGX')
      const { reference } = await payout()
      const record = await become(reference, 'COMPLETED')
      expect(record).toMatchObject({ transaction_type: 'PAYOUT', total_debit: 20_100 })
      expect(await balance('MERCHANT_PAYOUT', 'UGX')).toBe(before - 20_100)
      await expectReported(reference, 'transaction.completed', record)
      expect(await transfersOf(reference)).toBe(1)
      const handshakes = tested.verification.received.filter(({ path }) => path.includes(reference))
      expect(handshakes.map((each) => hasWebhookSignature(each, tested.merchant.webhook_secret))).toEqual([true])
    })

    // The wallet is empty then.
    test('of 200 payouts at once from a wallet that covers 40, 40 are paid', async () => {
      const requests = Array.from({ length: 200 }, (_, n) =>
        payoutRequest({
          provider_code: 'mtn_rw',
          currency: 'RWF',
          amount: 1000,
          account_number: `25078${String(n).padStart(4, '0')}123`,
        }),
      )
      const replies = await Promise.all(requests.map((request) => post('/payout/send-funds', request)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
      const reported = () => requests.flatMap(({ merchant_reference }) => callbacksOf(merchant_reference))
      await until(() => reported().length >= requests.length, SOON_MS, 'all payouts have ended')
      expect(
        Map.groupBy(reported(), ({ json: { event, payload } }) => `${event}: ${String(payload.status_message)}`)
          .entries()
          .map(([end, callbacks]) => [end, callbacks.length] as const)
          .toArray()
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ).toEqual([
        ['transaction.completed: Transaction Completed Successfully', COVERED],
        ['transaction.failed: Insufficient balance for the transaction', requests.length - COVERED],
      ])
      expect(await balance('MERCHANT_PAYOUT', 'RWF')).toBe(0)
    })
  })
}

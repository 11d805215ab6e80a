import { describe, expect, test } from 'vitest'

import { until } from '../../testing/served-gateway.ts'
import { hasWebhookSignature } from '../../testing/signatures.ts'
import { COVERED, SOON_MS, type TestedSystem } from './tested-system.ts'

/** There is one wallet, however many processes pay out of it. */
export function payouts(tested: TestedSystem): void {
  const { post, payoutRequest, payout, become, callbacksOf, expectReported, balance, transfersOf } = tested

  describe('a payout', () => {
    test.each([
      ['a phone', 'UGX', 20_100, {}],
      [
        'a bank account',
        'NGN',
        5050,
        {
          transaction_method: 'BANK',
          provider_code: 'bank_ng',
          currency: 'NGN',
          amount: 5000,
          account_number: '0123456123',
          extra_params: { bank_code: 'access_bank_ng' },
        },
      ],
    ])('to %s takes exactly total_debit, after one signed handshake', async (_to, currency, totalDebit, changes) => {
      const before = await balance('MERCHANT_PAYOUT', currency)
      const requested = tested.verification.received.length
      const { reference } = await payout(changes)
      const record = await become(reference, 'COMPLETED')
      expect(record).toMatchObject({ transaction_type: 'PAYOUT', total_debit: totalDebit })
      expect(await balance('MERCHANT_PAYOUT', currency)).toBe(before - totalDebit)
      await expectReported(reference, 'transaction.completed', record)
      expect(await transfersOf(reference)).toBe(1)
      expect(
        tested.verification.received
          .slice(requested)
          .map((handshake) => hasWebhookSignature(handshake, tested.merchant.webhook_secret)),
      ).toEqual([true])
    })

    test('that the merchant does not know (404) is rejected: nothing is taken or moved', async () => {
      const before = await balance('MERCHANT_PAYOUT', 'UGX')
      tested.verification.answer(404)
      const { reference } = await payout()
      const record = await become(reference, 'FAILED')
      tested.verification.answer(200)
      expect(record).toMatchObject({
        status_message: "Payout rejected by the merchant's verification URL (HTTP 404)",
        total_debit: 0,
      })
      await expectReported(reference, 'transaction.failed', record)
      expect(await balance('MERCHANT_PAYOUT', 'UGX')).toBe(before)
      expect(await transfersOf(reference)).toBe(0)
    })

    // The wallet is empty then.
    test('of 200 at once from a wallet that covers 40, 40 are paid and the others fail', async () => {
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

import { describe, expect, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { openPage, redirectOf, submitForm } from '../../testing/page-visit.ts'
import { uniqueMsisdn } from '../../testing/requests.ts'
import { WHY } from '../../testing/sandbox-rails.ts'
import { verdictsOnRedirect } from '../../testing/signatures.ts'
import { SHOP, type TestedSystem } from './tested-system.ts'

/** A collection is paid, declined or cancelled, whichever process its customer reaches. */
export function collections(tested: TestedSystem): void {
  const { collection, bankCollection, become, publicPem, expectReported, balance, transfersOf } = tested

  describe('a collection', () => {
    test('by mobile money is completed, credited, moved once and notified once', async () => {
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const { reference, internalReference } = await collection()
      const record = await become(reference, 'COMPLETED')
      expect(record).toMatchObject({
        internal_reference: internalReference,
        transaction_amount: 5000,
        transaction_charge: 50,
        total_credit: 4950,
      })
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before + 4950)
      await expectReported(reference, 'transaction.completed', record)
      expect(await transfersOf(reference)).toBe(1)
    })

    test.each([
      ['002', WHY.collection.unable],
      ['003', WHY.collection.expired],
      ['004', WHY.collection.declined],
    ])('of test number %s fails: %s', async (ending, message) => {
      const before = await balance('MERCHANT_COLLECTION', 'UGX')
      const { reference } = await collection({ msisdn: uniqueMsisdn(ending) })
      const record = await become(reference, 'FAILED')
      expect(record).toMatchObject({ status_message: message, transaction_charge: 0, total_credit: 0 })
      await expectReported(reference, 'transaction.failed', record)
      expect(await balance('MERCHANT_COLLECTION', 'UGX')).toBe(before)
    })

    // Every process leads back to the shop.
    test("from a bank is paid on one process's page and confirmed on another's", async () => {
      const { reference, paymentUrl } = await bankCollection()
      expect(paymentUrl).toMatch(/^https:\/\/pay\.example\/pay\/collection\/MLP/)
      const visit = await openPage(tested.system.url(), paymentUrl)
      const confirmed = await submitForm(tested.system.url(), visit, 'confirm', {
        bank_code: 'access_bank_ng',
        account_number: '0123456123',
      })
      expect([confirmed.status, confirmed.headers.get('location')]).toEqual([303, `${visit.path}?from=form`])
      const record = await become(reference, 'COMPLETED')
      await expectReported(reference, 'transaction.completed', record)
      const pem = await publicPem()
      for (const api of tested.system.apis) {
        const address = present(await redirectOf(api, paymentUrl), 'where the page leads')
        expect(address).toContain(SHOP)
        expect(new URL(address).searchParams.get('transaction_status')).toBe('COMPLETED')
        expect(verdictsOnRedirect(address, tested.merchant.signing_key, pem)).toEqual({ hmac: true, rsa: true })
      }
    })

    test('confirmed twenty times at once, at all processes, is one payment', async () => {
      const { reference, paymentUrl } = await bankCollection()
      const visit = await openPage(tested.system.url(), paymentUrl)
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          submitForm(tested.system.url(), visit, 'confirm', {
            bank_code: 'access_bank_ng',
            account_number: `01234${String(n).padStart(2, '0')}123`,
          }),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 303))
      await expectReported(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      expect(await transfersOf(reference)).toBe(1)
    })

    test('cancelled at another process than showed it is CANCELLED, notified, led back', async () => {
      const { reference, paymentUrl } = await bankCollection()
      const visit = await openPage(tested.system.url(), paymentUrl)
      expect((await submitForm(tested.system.url(), visit, 'cancel')).status).toBe(303)
      const record = await become(reference, 'CANCELLED')
      expect(record).toMatchObject({ status_message: 'The customer cancelled the payment', total_credit: 0 })
      await expectReported(reference, 'transaction.failed', record)
      expect(
        (
          await submitForm(tested.system.url(), visit, 'confirm', {
            bank_code: 'access_bank_ng',
            account_number: '0123456123',
          })
        ).status,
      ).toBe(303)
      for (const api of tested.system.apis)
        expect(await redirectOf(api, paymentUrl)).toContain('transaction_status=CANCELLED')
      expect(await transfersOf(reference)).toBe(0)
    })
  })
}

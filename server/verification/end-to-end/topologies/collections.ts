import { describe, expect, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { openPage, redirectOf, submitForm } from '../../testing/page-visit.ts'
import { uniqueMsisdn } from '../../testing/requests.ts'
import { verdictsOnRedirect } from '../../testing/signatures.ts'
import { SANDBOX_OTP, SHOP, type TestedSystem } from './tested-system.ts'

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

    test('with an OTP asks for it on the page of one process, and another checks it', async () => {
      const { reference, paymentUrl } = await collection({
        mobile_money_hpp: true,
        redirect_url: SHOP,
        msisdn: uniqueMsisdn('005'),
      })
      const visit = await openPage(tested.system.url(), paymentUrl)
      expect((await submitForm(tested.system.url(), visit, 'confirm')).status).toBe(303)
      const wrong = await submitForm(tested.system.url(), visit, 'otp', { otp: '654321' })
      expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('4 tries left')])
      expect((await submitForm(tested.system.url(), visit, 'otp', { otp: String(SANDBOX_OTP) })).status).toBe(303)
      await expectReported(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
    })
  })
}

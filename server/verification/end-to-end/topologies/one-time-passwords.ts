import { describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../../testing/page-visit.ts'
import { uniqueMsisdn } from '../../testing/requests.ts'
import { SANDBOX_OTP, SHOP, type TestedSystem } from './tested-system.ts'

/** Attempts are counted across all processes. */
export function oneTimePasswords(tested: TestedSystem): void {
  const { post, collection, become, expectReported, transfersOf } = tested

  describe('an OTP', () => {
    const ghana = (ending = '123') =>
      collection({
        provider_code: 'mtn_gh',
        msisdn: `23324${uniqueMsisdn(ending).slice(-7)}`,
        currency: 'GHS',
        amount: 10,
      })
    const authorize = async (internal_reference: string, otp: number) => {
      const { status, body } = await post('/collections/authorize', { internal_reference, otp })
      return [status, body.message]
    }

    test('is refused when wrong and accepted when right, at any process', async () => {
      const { reference, internalReference } = await ghana()
      expect(await authorize(internalReference, 654_321)).toEqual([400, 'Invalid OTP'])
      expect(await authorize(internalReference, 654_322)).toEqual([400, 'Invalid OTP'])
      expect(await authorize(internalReference, SANDBOX_OTP)).toEqual([202, 'One-time password accepted'])
      await expectReported(reference, 'transaction.completed', await become(reference, 'COMPLETED'))
      for (const api of tested.system.apis)
        expect(
          (await post('/collections/authorize', { internal_reference: internalReference, otp: SANDBOX_OTP }, {}, api))
            .status,
        ).toBe(409)
    })

    test('has five tries over all processes together', async () => {
      const { reference, internalReference } = await ghana()
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => authorize(internalReference, 654_321 + n)))
      expect(replies.filter(([status]) => status === 400)).toHaveLength(5)
      expect(replies.filter(([status]) => status === 409)).toHaveLength(15)
      const record = await become(reference, 'FAILED')
      expect(record).toMatchObject({ status_message: 'Too many wrong one-time passwords' })
      await expectReported(reference, 'transaction.failed', record)
      expect(await transfersOf(reference)).toBe(0)
    })

    test('is requested on the page of one process and checked by another', async () => {
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

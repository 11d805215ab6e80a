import { describe, expect, test } from 'vitest'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { bankCollection, hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { postJson, uniqueMsisdn, type RawReply } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// OTPs, cancelling and expiry: over HTTP where merchants act, through the page's actions where customers do. Times and
// tries are tested in payment-session.test.ts and by the part `limits` of the contract suite, steps in any order by the
// simulation.

const { gateway, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'verification_url'],
})

let counter = 0
const withOtp = () =>
  phoneCollection({
    provider_code: 'mtn_gh',
    msisdn: `23324${String((counter += 1)).padStart(4, '0')}123`,
    currency: 'GHS',
    amount: 10,
  })

const statusOf = async (reference: string) => (await malipo.transactions.verify(reference)).transaction_status
const otpReply = (internal_reference: string, otp: number, headers?: Record<string, string>): Promise<RawReply> =>
  postJson(gateway.url, '/collections/authorize', { internal_reference, otp }, headers)

const steps = () => gateway.paymentSteps

describe('otp', () => {
  test('an OTP provider: the right OTP completes it, and it alone has payment_url', async () => {
    const accepted = await malipo.collections.initialize(withOtp())
    const { internal_reference, merchant_reference } = accepted
    expect(accepted).toEqual({ internal_reference, merchant_reference })
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await malipo.collections.authorize({ internal_reference, otp: SANDBOX_OTP })).toEqual({
      internal_reference,
      merchant_reference,
      payment_url: `${gateway.url}/pay/collection/${internal_reference}`,
    })
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
  })
  test.each([
    ['a provider that requires one', withOtp(), true],
    ['test number 005', phoneCollection({ msisdn: uniqueMsisdn('005') }), true],
    ['any other number', phoneCollection({}), false],
  ])('the page of %s shows the customer beforehand what comes first', async (_whose, request, requiresOtp) => {
    const hosted = { ...hostedCollection(), ...request }
    const { internal_reference } = await malipo.collections.initialize(hosted)
    expect((await steps().view(internal_reference))?.step).toMatchObject({ step: 'confirm_phone', requiresOtp })
  })
  test('of 200 guesses at once five are checked', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => otpReply(internal_reference, 200_000 + n)))
    expect(replies.filter(({ body }) => body.message === refusal('otp_wrong'))).toHaveLength(5)
    // All the others come too late; on a busy machine some of them wait so long for a connection that they get 503.
    expect(replies.filter(({ status }) => status === 409 || status === 503)).toHaveLength(195)
    expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(409)
  })
  test('another one comes after 30 seconds and replaces an expired one', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    await after(0)
    await expect(steps().sendNewOtp(internal_reference)).rejects.toThrow(
      'Wait 30 seconds before you ask for another password',
    )
    await after(5 * 60_000)
    expect((await otpReply(internal_reference, SANDBOX_OTP)).body.message).toBe(refusal('otp_wrong'))
    for (let n = 0; n < 4; n += 1) {
      expect(await steps().sendNewOtp(internal_reference)).toBe('done')
      await after(30_000)
    }
    await expect(steps().sendNewOtp(internal_reference)).rejects.toThrow(
      'No more passwords can be sent for this payment',
    )
    expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(202)
  })
})

describe('cancelling and expiry', () => {
  test.each([
    ['bank', bankCollection],
    ['hosted mobile money', hostedCollection],
    ['one-time password', withOtp],
  ])('a %s collection expires after 30 minutes, with its callback', async (_kind, request) => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(request())
    await after(30 * 60_000 - 1)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    await after(1)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Payment page expired',
      failure_code: 'expired',
    })
    expect(receiver.about(merchant_reference)).toHaveLength(1)
    expect(await steps().cancel(internal_reference)).toBe('gone')
  })
  test('confirming, cancelling and expiring at the same moment: one of them happens', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { internal_reference } = await malipo.collections.initialize(hostedCollection())
      const results = await Promise.all([
        steps().confirm(internal_reference),
        steps().cancel(internal_reference),
        steps().confirm(internal_reference),
        steps().cancel(internal_reference),
      ])
      expect(results.filter((result) => result === 'done')).toHaveLength(1)
    }
    await after(1000)
    await expectBalancedBooks(gateway)
  })
})

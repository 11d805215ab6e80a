import { describe, expect, test } from 'vitest'
import { MalipoError } from '../../../client/index.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { bankCollection, hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { mobileMoneyPayout, postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// OTPs, cancelling and expiry: over HTTP where merchants act, through the page's actions where customers do. Times and
// tries are tested in payment-session.test.ts, steps in any order by the simulation.

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
const isReplayed = ({ headers }: RawReply) => headers.get('idempotency-replayed') === 'true'
const uniqueKey = () => ({ 'idempotency-key': uniqueReference() })

const steps = () => gateway.paymentSteps
const BANK_CHOICE = { bankCode: 'access_bank_ng', accountNumber: '0123456123' }

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
  test('a wrong one is 400 Invalid OTP; the fifth fails the collection', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(withOtp())
    const key = uniqueKey()
    for (let n = 0; n < 4; n += 1)
      expect((await otpReply(internal_reference, 100_000 + n)).body).toMatchObject({
        code: 400,
        message: refusal('otp_wrong'),
      })
    const [fifth, again] = [
      await otpReply(internal_reference, 200_000, key),
      await otpReply(internal_reference, 200_000, key),
    ]
    expect(fifth.body).toMatchObject({ code: 400, message: refusal('otp_wrong') })
    expect([isReplayed(again), again.body]).toEqual([true, fifth.body])
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Too many wrong one-time passwords',
      failure_code: 'declined',
    })
    expect((await otpReply(internal_reference, SANDBOX_OTP)).body).toMatchObject({
      code: 409,
      message: refusal('otp_not_wanted', { MLPZ1ZP8G0DY6MZXFRQH3EJ9D: internal_reference }),
    })
    await after(0)
    expect(receiver.about(merchant_reference)).toHaveLength(1)
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
  test('an unknown collection and a payout are 404, a collection without OTP 409', async () => {
    const unknown = { internal_reference: 'MLP0000000000000000000000', otp: 123_456 }
    const error = await malipo.collections.authorize(unknown).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(MalipoError)
    expect(error).toMatchObject({
      kind: 'not_found',
      message: expect.stringContaining('Collection (MLP0000000000000000000000) was not found') as string,
    })
    const { internal_reference } = await malipo.collections.initialize(phoneCollection())
    expect((await otpReply(internal_reference, 123_456)).status).toBe(409)
    const payout = await postJson(gateway.url, '/payout/send-funds', mobileMoneyPayout(), {
      'secret-key': DEMO_KEYS['secret-key'],
    })
    const reference = String(payout.body.data['internal_reference'])
    expect(await otpReply(reference, 123_456)).toMatchObject({
      status: 404,
      body: { message: `Collection (${reference}) was not found` },
    })
  })
  test('a wrong OTP with an Idempotency-Key uses one try, however often it is sent', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const key = uniqueKey()
    const wrong = () => otpReply(internal_reference, 200_001, key)
    const replies = [...(await Promise.all(Array.from({ length: 5 }, wrong))), await wrong()]
    expect(replies.map(({ body: { message } }) => message)).toEqual(Array(6).fill(refusal('otp_wrong')))
    expect(replies.filter((reply) => !isReplayed(reply))).toHaveLength(1)
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).body).toMatchObject({
      code: 409,
      message: refusal('idempotency_key_used'),
    })
    for (let n = 2; n < 5; n += 1)
      expect((await otpReply(internal_reference, 200_000 + n)).body.message).toBe(refusal('otp_wrong'))
    const right = uniqueKey()
    const accepted = await Promise.all(
      Array.from({ length: 5 }, () => otpReply(internal_reference, SANDBOX_OTP, right)),
    )
    expect(accepted.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(accepted.filter((reply) => !isReplayed(reply))).toHaveLength(1)
  })
  test('frees the key without a try: unknown collection, or not waiting for an OTP', async () => {
    const key = uniqueKey()
    expect((await otpReply('MLP0000000000000000000000', SANDBOX_OTP, key)).status).toBe(404)
    const { internal_reference } = await malipo.collections.initialize(hostedCollection('005'))
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).status).toBe(409)
    await steps().confirm(internal_reference)
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).status).toBe(202)
  })
})

describe('cancelling and expiry', () => {
  test('cancel leads to CANCELLED, the failed event and no charge', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(bankCollection())
    expect(await steps().cancel(internal_reference)).toBe('done')
    expect(await steps().cancel(internal_reference)).toBe('gone')
    expect(await steps().confirm(internal_reference, BANK_CHOICE)).toBe('gone')
    await after(0)
    const record = await malipo.transactions.verify(merchant_reference)
    expect(record).toMatchObject({
      transaction_status: 'CANCELLED',
      status_message: 'The customer cancelled the payment',
      failure_code: 'cancelled',
      transaction_charge: 0,
      total_credit: 0,
    })
    expect(receiver.about(merchant_reference).map(({ json }) => json)).toEqual([
      { event: 'transaction.failed', payload: record },
    ])
  })
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
  test('a collection confirmed in time does not expire', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hostedCollection('006'))
    await steps().confirm(internal_reference)
    expect(await steps().cancel(internal_reference)).toBe('gone')
    await after(31 * 60_000)
    expect(await statusOf(merchant_reference)).toBe('PROCESSING')
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

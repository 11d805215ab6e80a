import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalipoError } from '../../../client/index.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { seededRandom } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { bankCollection, hostedCollection, phoneCollection } from '../testing/client-requests.ts'
import { transfersOf } from '../testing/operators-book.ts'
import { postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// OTPs, cancelling and expiry: over HTTP where merchants act, through the page's actions where customers do.

const { gateway, after, receiver, malipo } = await gatewayTest({
  toReceiver: ['collection_callback_url'],
  surroundings: { random: seededRandom('steps') },
})

const withOtp = (ending = '123') =>
  phoneCollection({
    provider_code: 'mtn_gh',
    msisdn: `23324${String(Math.floor(Math.random() * 9999)).padStart(4, '0')}${ending}`,
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
  test('test number 005 requires one where the provider needs none', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(
      phoneCollection({ msisdn: uniqueMsisdn('005') }),
    )
    await malipo.collections.authorize({ internal_reference, otp: SANDBOX_OTP })
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
    for (let n = 0; n < 5; n += 1)
      expect((await otpReply(internal_reference, 100_000 + n)).body).toMatchObject({
        code: 400,
        message: 'Invalid OTP',
      })
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Too many wrong one-time passwords',
      failure_code: 'declined',
    })
    expect((await otpReply(internal_reference, SANDBOX_OTP)).body).toMatchObject({
      code: 409,
      message: `Collection (${internal_reference}) is not waiting for a one-time password`,
    })
    await after(0)
    expect(receiver.about(merchant_reference)).toHaveLength(1)
  })
  test('of 1,000 guesses at once five are checked', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const replies = await Promise.all(Array.from({ length: 1000 }, (_, n) => otpReply(internal_reference, 200_000 + n)))
    expect(replies.filter(({ body }) => body.message === 'Invalid OTP')).toHaveLength(5)
    // All the others come too late; on a busy machine some of them wait so long for a connection that they get 503.
    expect(replies.filter(({ status }) => status === 409 || status === 503)).toHaveLength(995)
    expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(409)
  })
  test('lives five minutes', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    await after(5 * 60_000)
    expect((await otpReply(internal_reference, SANDBOX_OTP)).body.message).toBe('Invalid OTP')
    expect(await steps().sendNewOtp(internal_reference)).toBe('done')
    expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(202)
  })
  test('another one is available after 30 seconds, and only so often', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    await after(0)
    await expect(steps().sendNewOtp(internal_reference)).rejects.toThrow(
      'Wait 30 seconds before you ask for another password',
    )
    for (let n = 0; n < 4; n += 1) {
      await after(30_000)
      expect(await steps().sendNewOtp(internal_reference)).toBe('done')
    }
    await after(30_000)
    await expect(steps().sendNewOtp(internal_reference)).rejects.toThrow(
      'No more passwords can be sent for this payment',
    )
  })
  test.each([999, 100_000_000, 1234.5, '123456', -1])(
    'must be a whole number of 4 to 8 digits: %j is refused',
    async (otp) => {
      expect(
        (
          await postJson(gateway.url, '/collections/authorize', {
            internal_reference: 'MLP0123456789ABCDEFGHJKMN',
            otp,
          })
        ).status,
      ).toBe(400)
    },
  )
  test('an unknown collection is 404, one of another kind 409', async () => {
    expect((await otpReply('MLP0000000000000000000000', 123_456)).body).toMatchObject({
      code: 404,
      message: 'Collection (MLP0000000000000000000000) was not found',
    })
    const { internal_reference } = await malipo.collections.initialize(phoneCollection())
    expect((await otpReply(internal_reference, 123_456)).status).toBe(409)
  })
  test('the same Idempotency-Key replays, also when both come at once', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const key = { 'idempotency-key': uniqueReference() }
    const replies = await Promise.all(Array.from({ length: 5 }, () => otpReply(internal_reference, SANDBOX_OTP, key)))
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  })
  test.each([
    ['one after the other', 1],
    ['at once', 5],
  ])('a wrong OTP with an Idempotency-Key uses one try, however often it is sent: %s', async (_when, atOnce) => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const key = { 'idempotency-key': uniqueReference() }
    const replies: RawReply[] = []
    for (let round = 0; round < 10; round += atOnce)
      replies.push(
        ...(await Promise.all(Array.from({ length: atOnce }, () => otpReply(internal_reference, 200_001, key)))),
      )
    expect(replies.map(({ body: { message } }) => message)).toEqual(Array(10).fill('Invalid OTP'))
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).body).toMatchObject({
      code: 409,
      message: 'Idempotency-Key has already been used with a different request',
    })
    for (let n = 2; n < 5; n += 1)
      expect((await otpReply(internal_reference, 200_000 + n)).body.message).toBe('Invalid OTP')
    expect((await otpReply(internal_reference, SANDBOX_OTP)).status).toBe(202)
  })
  test('replays the last wrong one too, also after it has failed the collection', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const key = { 'idempotency-key': uniqueReference() }
    for (let n = 0; n < 4; n += 1) await otpReply(internal_reference, 200_000)
    const [first, again] = [
      await otpReply(internal_reference, 200_000, key),
      await otpReply(internal_reference, 200_000, key),
    ]
    expect([first.body, again.headers.get('idempotency-replayed')]).toEqual([again.body, 'true'])
  })
  test('frees the key without a try: unknown collection, or not waiting for an OTP', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    expect((await otpReply('MLP0000000000000000000000', SANDBOX_OTP, key)).status).toBe(404)
    const request = hostedCollection('005')
    const { internal_reference } = await malipo.collections.initialize(request)
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).status).toBe(409)
    await steps().confirm(internal_reference)
    expect((await otpReply(internal_reference, SANDBOX_OTP, key)).status).toBe(202)
  })
  test('is stored nowhere in clear', async () => {
    await malipo.collections.initialize(withOtp())
    const { rowCount } = await gateway.pool.query(`select from payment_sessions s where s::text like '%123456%'`)
    expect(rowCount).toBe(0)
  })
})

describe('cancelling and expiry', () => {
  test('cancel leads to CANCELLED, the failed event and no charge', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(bankCollection())
    expect(await steps().cancel(internal_reference)).toBe('done')
    expect(await steps().cancel(internal_reference)).toBe('gone')
    expect(await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })).toBe(
      'gone',
    )
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
  test('what has gone to the rail can no longer be cancelled', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hostedCollection())
    await steps().confirm(internal_reference)
    expect(await steps().cancel(internal_reference)).toBe('gone')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
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
    await after(31 * 60_000)
    expect(await statusOf(merchant_reference)).toBe('PROCESSING')
  })
  test('confirming, cancelling and expiring at the same moment: one of them happens', async () => {
    for (let round = 0; round < 10; round += 1) {
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

test('any customer steps: at most one final state and transfer, and balanced books', async () => {
  const step = fc.constantFrom(
    'confirm',
    'cancel',
    'right otp',
    'wrong otp',
    'new otp',
    'second',
    'minute',
    'half an hour',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('123', '002', '005', '007', '009'),
      fc.array(step, { maxLength: 8 }),
      async (ending, taken) => {
        const { internal_reference, merchant_reference } = await malipo.collections.initialize(hostedCollection(ending))
        const finals: string[] = []
        for (const what of taken) {
          if (what === 'confirm') await steps().confirm(internal_reference)
          if (what === 'cancel') await steps().cancel(internal_reference)
          if (what === 'right otp') await steps().submitOtp(internal_reference, SANDBOX_OTP)
          if (what === 'wrong otp') await steps().submitOtp(internal_reference, 999_999)
          if (what === 'new otp')
            await steps()
              .sendNewOtp(internal_reference)
              .catch(() => undefined)
          await after({ second: 1_000, minute: 60_000, 'half an hour': 1_800_000 }[what as string] ?? 0)
          finals.push(await statusOf(merchant_reference))
        }
        const left = finals.filter(
          (status, index) =>
            index > 0 &&
            ['COMPLETED', 'CANCELLED', 'FAILED'].includes(finals[index - 1]!) &&
            status !== finals[index - 1],
        )
        expect(left.every((status) => ending === '007' && status === 'COMPLETED')).toBe(true)
        expect((await transfersOf(gateway.pool, internal_reference)) ?? 0).toBeLessThanOrEqual(1)
        await expectBalancedBooks(gateway)
      },
    ),
    { numRuns: 25, seed: 20_261_120 },
  )
})

test('client errors distinguish a wrong OTP from an unknown collection', async () => {
  const error = await malipo.collections
    .authorize({ internal_reference: 'MLP0000000000000000000000', otp: 123_456 })
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(MalipoError)
  expect(error).toMatchObject({ kind: 'not_found' })
})

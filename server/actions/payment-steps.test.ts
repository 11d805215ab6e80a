import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMalipo, MalipoError, type CollectionRequest, type Malipo } from '../../client/index.ts'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { valueOf } from '../../openapi/reading/wire.ts'
import { SANDBOX_OTP } from '../sandbox/one-time-passwords.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { DEMO_KEYS, fixedClock, seededRandom, startTestGateway, type FixedClock } from '../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/ledger.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { mobileMoneyCollection, postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'
import type { Gateway } from '../main.ts'

// Bank and hosted collections, one-time passwords, cancelling and expiry: through HTTP where merchants act, through the
// page's actions where customers do.

let database: TestDatabase
let gateway: Gateway
let clock: FixedClock
let receiver: Receiver
let malipo: Malipo

beforeAll(async () => {
  database = await createTestDatabase()
  clock = fixedClock()
  receiver = await startReceiver()
  gateway = await startTestGateway({
    connection: database.connection,
    surroundings: { clock, random: seededRandom('steps') },
  })
  await gateway.pool.query('update merchants set collection_callback_url = $1', [receiver.url])
  await gateway.refresh()
  malipo = createMalipo({
    baseUrl: gateway.url,
    publicKey: DEMO_KEYS['public-key'],
    secretKey: DEMO_KEYS['secret-key'],
  })
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(async () => {
  await gateway?.stop()
  await receiver?.close()
  await database?.drop()
})

const redirect_url = 'https://shop.example/done'
const bankCollection = (changes: object = {}) =>
  ({
    transaction_method: 'BANK',
    provider_code: 'bank_ng',
    merchant_reference: uniqueReference(),
    currency: 'NGN',
    amount: 5000,
    description: 'School fees of March',
    redirect_url,
    ...changes,
  }) as CollectionRequest

const hosted = (ending = '123') =>
  mobileMoneyCollection({
    msisdn: uniqueMsisdn(ending),
    mobile_money_hpp: true,
    redirect_url,
  }) as unknown as CollectionRequest
const withOtp = (ending = '123') =>
  mobileMoneyCollection({
    provider_code: 'mtn_gh',
    msisdn: `23324${String(Math.floor(Math.random() * 9999)).padStart(4, '0')}${ending}`,
    currency: 'GHS',
    amount: 10,
  }) as unknown as CollectionRequest

async function after(ms: number): Promise<void> {
  await gateway.runDue()
  clock.advance(ms)
  await gateway.runDue()
}
const statusOf = async (reference: string) => (await malipo.transactions.verify(reference)).transaction_status
const callbacksOf = (reference: string) =>
  receiver.received.filter(({ json }) => json.payload.merchant_reference === reference)
const otpReply = (internal_reference: string, otp: number, headers?: Record<string, string>): Promise<RawReply> =>
  postJson(gateway.url, '/collections/authorize', { internal_reference, otp }, headers)

/** The customer's steps, as the payment page takes them. */
const steps = () => gateway.paymentSteps

/**
 * Holds a redirect against the contract's callback definition: every declared parameter, as declared, and no other of
 * ours.
 */
function expectRedirectByContract(url: URL): void {
  const { operations, flat, faultIn } = readContract(bundleUrl)
  const { parameters } = operations.find(({ id }) => id === 'customerRedirect')!
  expect(parameters).toHaveLength(10)
  for (const { name, schema } of parameters) {
    const text = url.searchParams.get(name)
    expect(text, name).not.toBe(null)
    expect(faultIn(schema, valueOf(flat(schema).type, text!)), name).toBe(undefined)
  }
  expect(
    [...url.searchParams.keys()].filter((name) => !parameters.some((parameter) => parameter.name === name)),
  ).toEqual([...new URL(redirect_url).searchParams.keys()])
}

describe('bank collections', () => {
  test('carry a payment_url, and stay PENDING until the customer has paid there', async () => {
    const request = bankCollection()
    const { payment_url, internal_reference, merchant_reference } = await malipo.collections.initialize(request)
    expect(payment_url).toBe(`${gateway.url}/pay/collection/${internal_reference}`)
    await after(60_000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })).toBe(
      'done',
    )
    await after(1000)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'COMPLETED',
      institution_name: 'Access Bank',
      transaction_account: '0123456123',
      total_credit: 4925,
    })
    expect(callbacksOf(merchant_reference)[0]!.json).toEqual({
      event: 'transaction.completed',
      payload: await malipo.transactions.verify(merchant_reference),
    })
    await expectBalancedBooks(gateway)
  })
  test('end as the account number says', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(bankCollection())
    await steps().confirm(internal_reference, { bankCode: 'zenith_bank_ng', accountNumber: '0123456002' })
    await after(1000)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Insufficient balance on the customer account',
      total_credit: 0,
    })
  })
  test.each([
    [{ bankCode: 'no_such_bank', accountNumber: '0123456123' }, 'Choose your bank'],
    [undefined, 'Choose your bank'],
    [{ bankCode: 'access_bank_ng', accountNumber: '12' }, 'Enter your account number: 6 to 20 digits'],
    [{ bankCode: 'access_bank_ng', accountNumber: '0123 456 123' }, 'Enter your account number: 6 to 20 digits'],
  ])('%j is refused with a text for the customer, and can be corrected', async (choice, message) => {
    const { internal_reference } = await malipo.collections.initialize(bankCollection())
    await expect(steps().confirm(internal_reference, choice)).rejects.toThrow(message)
    expect(await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: '0123456123' })).toBe(
      'done',
    )
  })
  test('the daily limit of the account is held when the customer chooses it', async () => {
    const choice = { bankCode: 'access_bank_ng', accountNumber: '0777777123' }
    for (let n = 0; n < 5; n += 1) {
      const { internal_reference } = await malipo.collections.initialize(bankCollection({ amount: 380_000 }))
      expect(await steps().confirm(internal_reference, choice)).toBe('done')
    }
    const { internal_reference } = await malipo.collections.initialize(bankCollection({ amount: 380_000 }))
    await expect(steps().confirm(internal_reference, choice)).rejects.toThrow(
      'amount exceeds the daily limit of 2000000 NGN for this account number',
    )
  })
  test('need a redirect_url, https or this machine', async () => {
    const { redirect_url: _left, ...without } = bankCollection()
    await expect(malipo.collections.initialize(without as CollectionRequest)).rejects.toThrow(
      'redirect_url is required',
    )
    await expect(
      malipo.collections.initialize(bankCollection({ redirect_url: 'http://shop.example/' })),
    ).rejects.toThrow(/^redirect_url must be/)
  })
})

describe('hosted mobile money', () => {
  test('is sent to the rail when the customer confirms, once, however often they do', async () => {
    const { payment_url, internal_reference, merchant_reference } = await malipo.collections.initialize(hosted())
    expect(payment_url).toContain(internal_reference)
    const results = await Promise.all(Array.from({ length: 10 }, () => steps().confirm(internal_reference)))
    expect(results.filter((result) => result === 'done')).toHaveLength(1)
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
    const { rows } = await gateway.pool.query('select transfers from sandbox.orders where reference = $1', [
      internal_reference,
    ])
    expect(rows).toEqual([{ transfers: 1 }])
    expect(callbacksOf(merchant_reference)).toHaveLength(1)
  })
  test('asks for a one-time password first where the provider or the test number wants one', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hosted('005'))
    expect(await steps().confirm(internal_reference)).toBe('done')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await steps().submitOtp(internal_reference, SANDBOX_OTP)).toBe('done')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
  })
})

describe('otp', () => {
  test('a provider that asks for one: authorize with the right one completes the collection and carries payment_url', async () => {
    const { internal_reference, merchant_reference, payment_url } = await malipo.collections.initialize(withOtp())
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    expect(await malipo.collections.authorize({ internal_reference, otp: SANDBOX_OTP })).toEqual({
      internal_reference,
      merchant_reference,
      payment_url,
    })
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
  })
  test('test number 005 asks for one where the provider needs none', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(
      mobileMoneyCollection({ msisdn: uniqueMsisdn('005') }) as unknown as CollectionRequest,
    )
    await malipo.collections.authorize({ internal_reference, otp: SANDBOX_OTP })
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
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
    })
    expect((await otpReply(internal_reference, SANDBOX_OTP)).body).toMatchObject({
      code: 409,
      message: `Collection (${internal_reference}) is not waiting for a one-time password`,
    })
    await after(0)
    expect(callbacksOf(merchant_reference)).toHaveLength(1)
  })
  test('of 1,000 guesses at once five are looked at', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const replies = await Promise.all(Array.from({ length: 1000 }, (_, n) => otpReply(internal_reference, 200_000 + n)))
    expect(replies.filter(({ body }) => body.message === 'Invalid OTP')).toHaveLength(5)
    // All the others come too late; on a busy machine some of them wait so long for a connection that they are told to
    // come back.
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
  test('another one can be asked for after 30 seconds, and only so often', async () => {
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
    const { internal_reference } = await malipo.collections.initialize(
      mobileMoneyCollection() as unknown as CollectionRequest,
    )
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
  ])('a wrong one with an Idempotency-Key uses up one try, however often it is sent: %s', async (_when, atOnce) => {
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
  test('the last wrong one is replayed too, also after it has failed the collection', async () => {
    const { internal_reference } = await malipo.collections.initialize(withOtp())
    const key = { 'idempotency-key': uniqueReference() }
    for (let n = 0; n < 4; n += 1) await otpReply(internal_reference, 200_000)
    const [first, again] = [
      await otpReply(internal_reference, 200_000, key),
      await otpReply(internal_reference, 200_000, key),
    ]
    expect([first.body, again.headers.get('idempotency-replayed')]).toEqual([again.body, 'true'])
  })
  test('a refusal without a try frees the key: unknown collection, or not waiting for a password', async () => {
    const key = { 'idempotency-key': uniqueReference() }
    expect((await otpReply('MLP0000000000000000000000', SANDBOX_OTP, key)).status).toBe(404)
    const request = hosted('005')
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
      transaction_charge: 0,
      total_credit: 0,
    })
    expect(callbacksOf(merchant_reference).map(({ json }) => json)).toEqual([
      { event: 'transaction.failed', payload: record },
    ])
  })
  test('what has gone to the rail can no longer be cancelled', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hosted())
    await steps().confirm(internal_reference)
    expect(await steps().cancel(internal_reference)).toBe('gone')
    await after(1000)
    expect(await statusOf(merchant_reference)).toBe('COMPLETED')
  })
  test.each([
    ['bank', bankCollection],
    ['hosted mobile money', hosted],
    ['one-time password', withOtp],
  ])('a %s collection expires after 30 minutes, with its callback', async (_kind, request) => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(request())
    await after(30 * 60_000 - 1)
    expect(await statusOf(merchant_reference)).toBe('PENDING')
    await after(1)
    expect(await malipo.transactions.verify(merchant_reference)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Payment page expired',
    })
    expect(callbacksOf(merchant_reference)).toHaveLength(1)
    expect(await steps().cancel(internal_reference)).toBe('gone')
  })
  test('what was confirmed in time does not expire', async () => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(hosted('006'))
    await steps().confirm(internal_reference)
    await after(31 * 60_000)
    expect(await statusOf(merchant_reference)).toBe('PROCESSING')
  })
  test('confirming, cancelling and expiring at the same moment: one of them happens', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { internal_reference } = await malipo.collections.initialize(hosted())
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

describe('the redirect', () => {
  test("keeps the merchant's own query and fragment and adds the outcome, the same at every visit but for the time", async () => {
    const own = 'https://shop.example/done?order=1%202&x=a+b#top'
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(
      bankCollection({ redirect_url: own }),
    )
    expect(await steps().redirect(internal_reference)).toBeUndefined()
    await steps().cancel(internal_reference)
    const first = new URL((await steps().redirect(internal_reference))!)
    clock.advance(5_000)
    const second = new URL((await steps().redirect(internal_reference))!)
    expect(first.href.startsWith('https://shop.example/done?order=1%202&x=a+b&id=')).toBe(true)
    expect(first.hash).toBe('#top')
    expect(Object.fromEntries(first.searchParams)).toMatchObject({
      event: 'transaction.failed',
      merchant_reference,
      internal_reference,
      transaction_type: 'COLLECTION',
      transaction_status: 'CANCELLED',
      status_message: 'The customer cancelled the payment',
    })
    const withoutTime = ({ searchParams }: URL) =>
      [...searchParams].map(([name, value]) => (name === 'hmac_signature' ? value.replace(/^t=\d+/, 't=') : value))
    expect(withoutTime(second)).toEqual(withoutTime(first))
    expect(second.searchParams.get('hmac_signature')).not.toBe(first.searchParams.get('hmac_signature'))
    // RFC 3986 knows no plus sign for a space, so neither parser may find one in what we add.
    expect(first.search.slice(first.search.indexOf('&id='))).not.toContain('+')
  })
})

describe('verify, callback and redirect agree', () => {
  test.each([
    ['COMPLETED', '123'],
    ['FAILED', '002'],
    ['CANCELLED', undefined],
  ])('in every field of a collection that ended %s', async (status, ending) => {
    const { internal_reference, merchant_reference } = await malipo.collections.initialize(bankCollection())
    if (ending === undefined) await steps().cancel(internal_reference)
    else await steps().confirm(internal_reference, { bankCode: 'access_bank_ng', accountNumber: `0123456${ending}` })
    await after(1000)
    const record = await malipo.transactions.verify(merchant_reference)
    expect(record.transaction_status).toBe(status)
    const [{ json, headers }] = callbacksOf(merchant_reference) as [ReturnType<typeof callbacksOf>[number]]
    expect(json.payload).toEqual(record)

    const url = new URL((await steps().redirect(internal_reference))!)
    expectRedirectByContract(url)
    const told = Object.fromEntries(url.searchParams)
    const { id, transaction_type, transaction_status, status_message } = record
    expect(told).toMatchObject({
      id: String(id),
      event: json.event,
      merchant_reference,
      internal_reference,
      transaction_type,
      transaction_status,
      status_message,
    })
    // The same text is signed by the same keys, so but for the time the signatures are the same too.
    expect(told.rsa_signature).toBe(headers['rsa-signature'])
    expect(told.rsa_key_id).toBe(headers['rsa-key-id'])
    expect(told.hmac_signature!.split(',s=')[1]).toBe((headers['hmac-signature'] as string).split(',s=')[1])
  })
})

describe('clearing delay and rolling reserve', () => {
  test('credit becomes available on time, to the last shilling, and the books balance all along', async () => {
    await gateway.pool.query(
      `update payment_options set clearing_delay_seconds = 3600, reserve_bps = 1000, reserve_seconds = 86400 where provider_code = 'mpesa_ke' and transaction_type = 'COLLECTION'`,
    )
    await gateway.refresh()
    const wallet = async () =>
      (await malipo.wallets.list({ currency: 'KES' })).find(({ wallet_type }) => wallet_type === 'MERCHANT_COLLECTION')!
    await malipo.collections.initialize(
      mobileMoneyCollection({
        provider_code: 'mpesa_ke',
        msisdn: '254712000123',
        currency: 'KES',
        amount: 1000.05,
      }) as unknown as CollectionRequest,
    )
    await after(1000)
    // 1,000.05 less 1 % (10.00) is 990.05; a tenth of it, rounded half up, is kept back.
    expect(await wallet()).toMatchObject({
      available_balance: 0,
      uncleared_balance: 891.04,
      reserve_balance: 99.01,
      actual_balance: 990.05,
    })
    await after(3_599_000)
    expect((await wallet()).uncleared_balance).toBe(891.04)
    await after(2_000)
    expect(await wallet()).toMatchObject({
      available_balance: 891.04,
      uncleared_balance: 0,
      reserve_balance: 99.01,
      actual_balance: 990.05,
    })
    await after(86_400_000)
    expect(await wallet()).toMatchObject({
      available_balance: 990.05,
      uncleared_balance: 0,
      reserve_balance: 0,
      actual_balance: 990.05,
    })
    await expectBalancedBooks(gateway)
  })
})

test('whatever a customer does, in whatever order and however often: one final state at most, one transfer at most, balanced books', async () => {
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
        const { internal_reference, merchant_reference } = await malipo.collections.initialize(hosted(ending))
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
        const {
          rows: [order],
        } = await gateway.pool.query<{ transfers: number }>(
          'select transfers from sandbox.orders where reference = $1',
          [internal_reference],
        )
        expect(order?.transfers ?? 0).toBeLessThanOrEqual(1)
        await expectBalancedBooks(gateway)
      },
    ),
    { numRuns: 25, seed: 20_261_120 },
  )
})

test('errors of the client tell a wrong password from an unknown collection', async () => {
  const error = await malipo.collections
    .authorize({ internal_reference: 'MLP0000000000000000000000', otp: 123_456 })
    .catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(MalipoError)
  expect(error).toMatchObject({ kind: 'not_found' })
})

import { describe, expect, test } from 'vitest'
import { DEMO_KEYS } from '../testing/gateway.ts'
import { expectError } from '../testing/expect-error.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import {
  collect,
  mobileMoneyCollection,
  mobileMoneyPayout,
  postJson,
  uniqueMsisdn,
  uniqueReference,
  verify,
  type RawReply,
} from '../testing/requests.ts'

// One phone number is one account, however a merchant writes it.

const { gateway, after, receiver } = await gatewayTest({
  toReceiver: ['collection_callback_url', 'payout_callback_url', 'verification_url'],
})
const { url } = gateway

/** Spellings of a 12-digit Ugandan number. */
const spellings = (number: string): readonly string[] => {
  const [, a = '', b = '', c = ''] = /^256(\d{3})(\d{3})(\d{3})$/.exec(number) ?? []
  const national = `0${a}${b}${c}`
  return [`+${number}`, `+256 ${a} ${b} ${c}`, `256-${a}-${b}-${c}`, ` ${number} `, national, `0${a} ${b}-${c}`]
}
const SPELLINGS = spellings('256772000123').map((_, index) => index)
const payOut = (changes: object, headers: Readonly<Record<string, string>> = {}): Promise<RawReply> =>
  postJson(url, '/payout/send-funds', mobileMoneyPayout({ ...changes }), { ...DEMO_KEYS, ...headers })
const accountOf = async (reference: string): Promise<unknown> =>
  (await verify(url, reference)).body.data.transaction_account

describe('the account of a transaction', () => {
  test.each(SPELLINGS)('verify and callback have the stored form of spelling %i', async (spelling) => {
    const [collected, paid] = [uniqueMsisdn(), uniqueMsisdn()]
    const [collection, payout] = [uniqueReference(), uniqueReference()]
    const written = (number: string): string => spellings(number)[spelling]!
    expect((await collect(url, { msisdn: written(collected), merchant_reference: collection })).status).toBe(202)
    expect((await payOut({ account_number: written(paid), merchant_reference: payout })).status).toBe(202)
    expect([await accountOf(collection), await accountOf(payout)]).toEqual([collected, paid])
    await after(5_000)
    const accounts = receiver.received
      .filter(({ method }) => method === 'POST')
      .map(({ json: { payload } }) => [
        payload.merchant_reference,
        payload.transaction_account,
        payload.transaction_status,
      ])
    expect(new Set(accounts)).toEqual(
      new Set([
        [collection, collected, 'COMPLETED'],
        [payout, paid, 'COMPLETED'],
      ]),
    )
  })

  test('the ending of a national number chooses the outcome of the sandbox', async () => {
    const reference = uniqueReference()
    await collect(url, { msisdn: '0772 000-002', merchant_reference: reference })
    await after(5_000)
    expect((await verify(url, reference)).body.data).toMatchObject({
      transaction_account: '256772000002',
      transaction_status: 'FAILED',
      failure_code: 'insufficient_funds',
    })
  })

  test('an account number at a bank stays as it is written', async () => {
    const body = (account_number: string, merchant_reference: string) => ({
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      currency: 'NGN',
      amount: 5000,
      account_number,
      merchant_reference,
      extra_params: { bank_code: 'access_bank_ng' },
    })
    const reference = uniqueReference()
    expect((await payOut(body('0772000123', reference))).status).toBe(202)
    expect(await accountOf(reference)).toBe('0772000123')
    expect((await payOut(body('0772-000-123', uniqueReference()))).status).toBe(400)
  })
})

describe('bounds of one account', () => {
  test('the daily limit counts all spellings together', async () => {
    const amounts = [2_000_000, 2_000_000, 2_000_000, 1_000_000, 500]
    for (const send of [
      (msisdn: string, amount: number) => collect(url, { msisdn, amount }),
      (account_number: string, amount: number) => payOut({ account_number, amount }),
    ]) {
      const written = spellings(uniqueMsisdn())
      const replies = []
      for (const [index, amount] of amounts.entries()) replies.push(await send(written[index]!, amount))
      expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 400])
      expectError(replies.at(-1)!, 400, 'amount exceeds the daily limit of 7000000 UGX for this account number')
    }
  })

  test('OTPs count all spellings together', async () => {
    const written = ['+233 24 000 0123', '0240000123', '233240000123', '024-000-0123']
    const otp = { provider_code: 'mtn_gh', currency: 'GHS', amount: 1 }
    const replies = []
    for (let n = 0; n < 11; n += 1) replies.push(await collect(url, { ...otp, msisdn: written[n % written.length] }))
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(202), 400])
    expectError(replies.at(-1)!, 400, 'Too many one-time passwords for this account number within 24 hours')
  })

  test('open payment pages count all spellings together', async () => {
    const written = spellings(uniqueMsisdn())
    const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
    const replies = []
    for (let n = 0; n < 11; n += 1) replies.push(await collect(url, { ...hosted, msisdn: written[n % written.length] }))
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(202), 400])
    expectError(replies.at(-1)!, 400, 'Too many open payment pages for this account number')
  })
})

describe('Idempotency-Key', () => {
  test('another spelling of the number is the same request', async () => {
    const [msisdn, account_number] = [uniqueMsisdn(), uniqueMsisdn()]
    const [collection, payout] = [mobileMoneyCollection({ msisdn }), mobileMoneyPayout({ account_number })]
    const key = { ...DEMO_KEYS, 'idempotency-key': uniqueReference() }
    const first = await postJson(url, '/collections/initialize', collection, key)
    const paid = await postJson(url, '/payout/send-funds', payout, key)
    for (const written of spellings(msisdn)) {
      const again = await postJson(url, '/collections/initialize', { ...collection, msisdn: written }, key)
      expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', first.body])
    }
    for (const written of spellings(account_number)) {
      const again = await postJson(url, '/payout/send-funds', { ...payout, account_number: written }, key)
      expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([202, 'true', paid.body])
    }
  })

  test.each(['256772000124', '772000123', 'nobody'])('%s is another request', async (msisdn) => {
    const [key, body] = [{ 'idempotency-key': uniqueReference() }, mobileMoneyCollection({ msisdn: '256772000123' })]
    expect((await postJson(url, '/collections/initialize', body, key)).status).toBe(202)
    expectError(
      await postJson(url, '/collections/initialize', { ...body, msisdn }, key),
      409,
      'Idempotency-Key has already been used with a different request',
    )
  })
})

describe('refusals', () => {
  test.each([
    ['+256 752-000-123', ''],
    ['0752000123', ''],
    ['772000123', ': send 256 and the whole national number, digits only'],
    ['0772 000 12', ': send 256 and the whole national number, digits only'],
    ['(0772) 000 123', ': send 256 and the whole national number, digits only'],
    [' ', ': send 256 and the whole national number, digits only'],
  ])('a refusal of %j repeats it as it was written', async (written, whatToSend) => {
    const message = `${written} is not a valid MTN Uganda (mtn_ug) phone number${whatToSend}`
    expectError(await collect(url, { msisdn: written }), 400, message)
    expectError(await payOut({ account_number: written }), 400, message)
  })

  test.each([null, '', undefined])('%j is missing', async (msisdn) =>
    expectError(await collect(url, { msisdn }), 400, 'msisdn is required'),
  )
  test.each([772000123, 256772000123, ['0772000123'], { number: '0772000123' }, true])(
    '%j is no text',
    async (msisdn) => expectError(await collect(url, { msisdn }), 400, 'msisdn must be a string'),
  )
  test.each(['256\t772000123', '256\u00a0772000123'])('%j has characters that no number has', async (msisdn) =>
    expectError(await collect(url, { msisdn }), 400, 'msisdn must have 1 to 32 printable ASCII characters'),
  )
  test('a number of more than 32 characters is refused by its length', async () =>
    expectError(
      await collect(url, { msisdn: `+256${' '.repeat(20)}772000123` }),
      400,
      'msisdn must have 1 to 32 characters',
    ))
})

import { describe, expect, test } from 'vitest'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { seededRandom, startTestGateway, MASTER_KEY } from '../testing/gateway.ts'
import { openPage, submitForm } from '../testing/page-visit.ts'
import { collect, postJson, uniqueMsisdn, uniqueReference, verify, type RawReply } from '../testing/requests.ts'
import type { Gateway } from '../../main.ts'
import { gatewayTest } from '../testing/gateway-test.ts'

// What third parties can do to one account number, with any merchant's keys and through any process: two gateways on
// one
// database, two merchants.

const { database, gateway: first, clock } = await gatewayTest()
const { gateway: second } = await gatewayTest({ database, clock })
const gateways = [first, second] as const
const random = seededRandom('bounds')
const keys = newMerchantKeys(random)
await createMerchant(
  first.pool,
  createSecretBox(MASTER_KEY, random),
  { name: 'Another', keys, sandboxOnly: false },
  clock.now(),
)
await Promise.all(gateways.map((gateway) => gateway.refresh()))
const merchants = ['pub_sandbox_demo', keys.publicKey]

const DAY_MS = 24 * 3_600_000
const redirect_url = 'https://shop.example/done'

const start = (env: Readonly<Record<string, string>> = {}): Promise<Gateway> =>
  startTestGateway({ connection: database.connection, surroundings: { clock }, env })

let counter = 0
const ghanaian = (): string => `23324${String(++counter).padStart(4, '0')}123`
const withOtp = (msisdn: string) => ({ provider_code: 'mtn_gh', msisdn, currency: 'GHS', amount: 1 })
const hosted = (msisdn: string, amount = 5_000) => ({ msisdn, amount, mobile_money_hpp: true, redirect_url })

/**
 * The n-th request of many: alternates between the processes with every request, and between the merchants with every
 * second one.
 */
const collectFrom = (n: number, changes: Readonly<Record<string, unknown>>): Promise<RawReply> =>
  collect(gateways[n % 2]!.url, changes, { 'public-key': merchants[(n >> 1) % 2] })
const many = (count: number, changes: Readonly<Record<string, unknown>>): Promise<RawReply[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => collectFrom(n, changes)))
const guess = (n: number, internal_reference: unknown, otp: number): Promise<RawReply> =>
  postJson(
    gateways[n % 2]!.url,
    '/collections/authorize',
    { internal_reference, otp },
    { 'public-key': merchants[(n >> 1) % 2] },
  )
const internalReference = ({ body }: RawReply): string => String(body.data.internal_reference)
/** The page of a collection that waits for an OTP: its acceptance does not include the page's URL. */
const pageOf = (url: string, reply: RawReply): string => `${url}/pay/collection/${internalReference(reply)}`

function countByMessage(replies: readonly RawReply[]): Record<string, number> {
  const accepted = ({ status, body }: RawReply): string => (status === 202 ? 'accepted' : `${status} ${body.message}`)
  return Object.fromEntries([...Map.groupBy(replies, accepted)].map(([what, of]) => [what, of.length]))
}

const NO_MORE_SENT = 'Too many one-time passwords for this account number within 24 hours'
const NO_MORE_TAKEN = 'Too many wrong one-time passwords for this account number within 24 hours'
const NO_MORE_PAGES = 'Too many open payment pages for this account number'

describe('OTPs sent to one account number', () => {
  test('400 collections, two merchants, two processes: 20 OTPs to a phone in 24 hours', async () => {
    const msisdn = ghanaian()
    expect(countByMessage(await many(400, withOtp(msisdn)))).toEqual({ accepted: 20, [`400 ${NO_MORE_SENT}`]: 380 })
    clock.advance(DAY_MS - 1)
    expect((await collectFrom(0, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
    clock.advance(1)
    expect((await collectFrom(0, withOtp(msisdn))).status).toBe(202)
  })

  test('a refusal stores nothing of the collection and frees its reference', async () => {
    const msisdn = ghanaian()
    await many(20, withOtp(msisdn))
    const merchant_reference = uniqueReference()
    expect((await collectFrom(0, { ...withOtp(msisdn), merchant_reference })).body.message).toBe(NO_MORE_SENT)
    expect((await verify(gateways[0].url, merchant_reference)).status).toBe(404)
    expect((await collectFrom(0, { merchant_reference })).status).toBe(202)
  })

  test('a new OTP on the page counts too, and is refused over it', async () => {
    const msisdn = ghanaian()
    // From the merchant that has used less of its share.
    const [, , first] = await many(19, withOtp(msisdn))
    await gateways[0].runDue()
    clock.advance(30_000)
    expect(await gateways[0].paymentSteps.sendNewOtp(internalReference(first!))).toBe('done')
    await gateways[0].runDue()
    clock.advance(30_000)
    await expect(gateways[1].paymentSteps.sendNewOtp(internalReference(first!))).rejects.toThrow(NO_MORE_SENT)
    expect((await collectFrom(0, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
    const visit = await openPage(gateways[0].url, pageOf(gateways[0].url, first!))
    const reply = await submitForm(gateways[0].url, visit, 'otp/new')
    expect(reply.status).toBe(409)
    expect(await reply.text()).toContain('No more passwords can be sent to this account for now')
  })

  test('a confirmation on an OTP page is refused over it and uses no daily limit', async () => {
    const msisdn = uniqueMsisdn('005')
    const page = await collectFrom(0, hosted(msisdn, 3_000_000))
    await many(20, { msisdn })
    await expect(gateways[0].paymentSteps.confirm(internalReference(page))).rejects.toThrow(NO_MORE_SENT)
    const { rowCount } = await gateways[0].pool.query(
      'select from limit_usage where account = $1 and amount_minor = 3000000',
      [msisdn],
    )
    expect(rowCount).toBe(0)
  })
})

describe('wrong OTPs of one account number', () => {
  // Twenty collections, two processes.
  test('400 guesses for one phone: 30 are checked in 24 hours, then none, even right', async () => {
    const msisdn = ghanaian()
    const references = (await many(20, withOtp(msisdn))).map(internalReference)
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, n) => guess((n % 2) + ((n % 20) & 2), references[n % 20], 200_000 + n)),
    )
    const reported = replies.filter(({ status }) => status !== 503 && status !== 404)
    expect(reported.filter(({ body }) => body.message === 'Invalid OTP')).toHaveLength(30)
    expect(reported.filter(({ body }) => body.message === NO_MORE_TAKEN).length).toBeGreaterThan(0)

    const open = await openReferences(msisdn)
    expect(open.length).toBeGreaterThanOrEqual(14)
    const { internal_reference, merchant } = open[0]!
    const right = await postJson(
      gateways[0].url,
      '/collections/authorize',
      { internal_reference, otp: SANDBOX_OTP },
      { 'public-key': merchant },
    )
    expect(right).toMatchObject({ status: 400, body: { code: 400, message: NO_MORE_TAKEN } })
    expect(await gateways[1].paymentSteps.submitOtp(internal_reference, SANDBOX_OTP)).toBe('blocked')
  })

  test('sends no further OTP: not by a new collection, a page or a resend', async () => {
    const strict = await start({ MALIPO_OTP_WRONG_TRIES_MAX: '2' })
    try {
      const msisdn = ghanaian()
      const [first, page] = [
        await collect(strict.url, withOtp(msisdn)),
        await collect(strict.url, { ...withOtp(msisdn), mobile_money_hpp: true, redirect_url }),
      ]
      await strict.runDue()
      for (const otp of [111_111, 222_222])
        await postJson(strict.url, '/collections/authorize', { internal_reference: internalReference(first), otp })
      clock.advance(31_000)
      expect((await collect(strict.url, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
      await expect(strict.paymentSteps.confirm(internalReference(page))).rejects.toThrow(NO_MORE_SENT)
      await expect(strict.paymentSteps.sendNewOtp(internalReference(first))).rejects.toThrow(NO_MORE_SENT)
    } finally {
      await strict.stop()
    }
  })

  test('the page explains it to the customer without using a try of the collection', async () => {
    const strict = await start({ MALIPO_OTP_WRONG_TRIES_MAX: '2', MALIPO_MERCHANT_SHARE: '100' })
    try {
      const msisdn = ghanaian()
      const accepted = await collect(strict.url, withOtp(msisdn))
      await strict.runDue()
      const visit = await openPage(strict.url, pageOf(strict.url, accepted))
      for (let n = 0; n < 2; n += 1)
        expect((await submitForm(strict.url, visit, 'otp', { otp: '999999' })).status).toBe(400)
      const blocked = await submitForm(strict.url, visit, 'otp', { otp: String(SANDBOX_OTP) })
      expect(blocked.status).toBe(400)
      const text = await blocked.text()
      expect(text).toContain('Too many wrong passwords were entered for this account')
      expect(text).toContain('3 tries left')
    } finally {
      await strict.stop()
    }
  })

  test('a day later a right one is accepted again', async () => {
    const strict = await start({ MALIPO_OTP_WRONG_TRIES_MAX: '1' })
    try {
      const msisdn = ghanaian()
      const authorize = (internal_reference: unknown, otp: number) =>
        postJson(strict.url, '/collections/authorize', { internal_reference, otp })
      const first = (await collect(strict.url, withOtp(msisdn))).body.data
      expect((await authorize(first.internal_reference, 999_999)).body.message).toBe('Invalid OTP')
      expect((await authorize(first.internal_reference, SANDBOX_OTP)).body.message).toBe(NO_MORE_TAKEN)
      clock.advance(DAY_MS)
      const second = (await collect(strict.url, withOtp(msisdn))).body.data
      expect((await authorize(second.internal_reference, SANDBOX_OTP)).status).toBe(202)
    } finally {
      await strict.stop()
    }
  })

  async function openReferences(msisdn: string): Promise<{ internal_reference: string; merchant: string }[]> {
    const { rows } = await gateways[0].pool.query<{ internal_reference: string; merchant: string }>(
      `select t.internal_reference, m.public_key as merchant from transactions t join merchants m on m.id = t.merchant_id
       where t.account = $1 and t.status = 'PENDING'`,
      [msisdn],
    )
    return rows
  }
})

describe('payment pages of one account number', () => {
  test('opening a page uses none of its daily limit: the confirmation does', async () => {
    const msisdn = uniqueMsisdn()
    const pages = await many(20, hosted(msisdn, 3_000_000))
    expect(countByMessage(pages)).toEqual({ accepted: 20 })
    // 7,000,000 in all: two payments fit, in whatever order they arrive.
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expect(await gateways[0].paymentSteps.confirm(internalReference(pages[0]!))).toBe('done')
    await expect(gateways[0].paymentSteps.confirm(internalReference(pages[1]!))).rejects.toThrow(
      'amount exceeds the daily limit of 7000000 UGX for this account number',
    )
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).body.message).toBe(
      'amount exceeds the daily limit of 7000000 UGX for this account number',
    )

    const visit = await openPage(gateways[1].url, String(pages[2]!.body.data.payment_url))
    const refused = await submitForm(gateways[1].url, visit, 'confirm')
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('With this payment the phone number would go over its limit for one day')
  })

  test('a day begins with the confirmation, not with the page', async () => {
    const msisdn = uniqueMsisdn()
    const page = await collectFrom(0, hosted(msisdn, 3_000_000))
    clock.advance(29 * 60_000)
    expect(await gateways[0].paymentSteps.confirm(internalReference(page))).toBe('done')
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).status).toBe(202)
    clock.advance(DAY_MS - 60_000)
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).body.message).toBe(
      'amount exceeds the daily limit of 7000000 UGX for this account number',
    )
    clock.advance(60_000)
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).status).toBe(202)
  })

  test('concurrent pages and direct collections never exceed the daily limit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const msisdn = uniqueMsisdn('001')
      const pages = await many(20, hosted(msisdn, 500_000))
      const confirmed = pages.map((page, n) =>
        gateways[n % 2]!.paymentSteps.confirm(internalReference(page)).then(
          (result) => result === 'done',
          () => false,
        ),
      )
      const direct = many(20, { msisdn, amount: 500_000 })
      const done =
        (await Promise.all(confirmed)).filter(Boolean).length +
        (await direct).filter(({ status }) => status === 202).length
      expect(done).toBe(14)
    }
  })

  test("refuses a 21st page to any merchant, in words that hide the number's use", async () => {
    const msisdn = uniqueMsisdn()
    expect(countByMessage(await many(64, hosted(msisdn)))).toEqual({ accepted: 20, [`400 ${NO_MORE_PAGES}`]: 44 })
    expect((await collectFrom(0, { msisdn })).status).toBe(202) // the customer pays without a page
  })

  test('a confirmed, cancelled or expired page frees capacity for another', async () => {
    const msisdn = uniqueMsisdn()
    const [first, second] = await many(20, hosted(msisdn))
    const another = async (): Promise<number> => (await collectFrom(1, hosted(msisdn))).status
    expect(await another()).toBe(400)
    await gateways[0].paymentSteps.confirm(internalReference(first!))
    expect(await another()).toBe(202)
    expect(await another()).toBe(400)
    await gateways[0].paymentSteps.cancel(internalReference(second!))
    expect(await another()).toBe(202)
    expect(await another()).toBe(400)
    clock.advance(30 * 60_000)
    expect(await another()).toBe(202)
  })

  test("counts a bank account's pages from the time its customer chooses it", async () => {
    const bank = {
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      currency: 'NGN',
      amount: 1_000,
      redirect_url,
      msisdn: undefined,
    }
    const choice = { bankCode: 'access_bank_ng', accountNumber: '0123456005' }
    const patient = await start({ MALIPO_OTP_SENDS_MAX: '1000' })
    try {
      const pages = await many(64, bank)
      const results = await Promise.all(
        pages.map((page) =>
          patient.paymentSteps.confirm(internalReference(page), choice).catch((error: Error) => error.message),
        ),
      )
      expect(results.filter((result) => result === 'done')).toHaveLength(20)
      expect(results.filter((result) => result === NO_MORE_PAGES)).toHaveLength(44)
    } finally {
      await patient.stop()
    }
  })
})

test('deletes what no longer counts', async () => {
  const { removeExpired } = await import('../../storage/housekeeping.ts')
  const msisdn = ghanaian()
  await many(3, withOtp(msisdn))
  const left = async () =>
    (await gateways[0].pool.query('select from account_usage where account = $1', [msisdn])).rowCount
  clock.advance(DAY_MS - 1)
  await removeExpired(gateways[0].pool, clock.now())
  expect(await left()).toBe(3)
  clock.advance(1)
  await removeExpired(gateways[0].pool, clock.now())
  expect(await left()).toBe(0)
})

import { describe, expect, test } from 'vitest'
import { removeExpired } from '../../storage/housekeeping.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { openPage, submitForm } from '../testing/page-visit.ts'
import { collect, postJson, uniqueMsisdn, type RawReply } from '../testing/requests.ts'
import { refusal } from '../testing/refusal.ts'

// What third parties can do to one account number, with any merchant's keys and through any process: two gateways on
// one database, two merchants. The bounds themselves are tested in account-bounds.test.ts of the domain.

const { database, gateway: first, clock, beside } = await gatewayTest()
const { gateway: second } = await gatewayTest({ database, clock })
const gateways = [first, second] as const
const { publicKey } = await addMerchant(first, { name: 'Another' }, clock.now())
await second.refresh()
const merchants = ['pub_sandbox_demo', publicKey]

const DAY_MS = 24 * 3_600_000
const redirect_url = 'https://shop.example/done'
const NO_MORE_SENT = refusal('otps_too_many')
const NO_MORE_TAKEN = refusal('otps_wrong_too_many')
const NO_MORE_PAGES = refusal('pages_too_many')
const OVER_LIMIT = refusal('amount_daily')

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
/** As a merchant does: a busy gateway's 503 is asked again. */
async function authorize(n: number, internal_reference: unknown, otp: number): Promise<RawReply> {
  const keys = { 'public-key': merchants[(n >> 1) % 2] }
  const reply = await postJson(gateways[n % 2]!.url, '/collections/authorize', { internal_reference, otp }, keys)
  return reply.status === 503 ? authorize(n, internal_reference, otp) : reply
}
const internalReference = ({ body }: RawReply): string => String(body.data.internal_reference)

function countByMessage(replies: readonly RawReply[]): Record<string, number> {
  const accepted = ({ status, body }: RawReply): string => (status === 202 ? 'accepted' : `${status} ${body.message}`)
  return Object.fromEntries([...Map.groupBy(replies, accepted)].map(([what, of]) => [what, of.length]))
}

describe('OTPs of one account number', () => {
  test('100 collections, two merchants, two processes: 20 OTPs to a phone in 24 hours', async () => {
    const msisdn = ghanaian()
    expect(countByMessage(await many(100, withOtp(msisdn)))).toEqual({ accepted: 20, [`400 ${NO_MORE_SENT}`]: 80 })
    clock.advance(DAY_MS - 1)
    expect((await collectFrom(0, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
    clock.advance(1)
    expect((await collectFrom(0, withOtp(msisdn))).status).toBe(202)
  })

  test('a new OTP on the page counts too, and is refused over it', async () => {
    const msisdn = ghanaian()
    // From the merchant that has used less of its share.
    const [, , reply] = await many(19, withOtp(msisdn))
    const reference = internalReference(reply!)
    await first.runDue()
    clock.advance(30_000)
    expect(await first.paymentSteps.sendNewOtp(reference)).toBe('done')
    await first.runDue()
    clock.advance(30_000)
    expect((await collectFrom(0, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
    const refused = await submitForm(
      second.url,
      await openPage(second.url, `${first.url}/pay/collection/${reference}`),
      'otp/new',
    )
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('No more passwords can be sent to this account for now')
  })

  // Twenty collections, two processes; five tries each.
  test('100 guesses for one phone: 30 are checked in 24 hours, then none, even right', async () => {
    const msisdn = ghanaian()
    const references = (await many(20, withOtp(msisdn))).map(internalReference)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => authorize((n % 2) + ((n % 20) & 2), references[n % 20], 200_000 + n)),
    )
    const counts = countByMessage(replies)
    expect(counts, JSON.stringify(counts)).toMatchObject({
      '400 Invalid OTP': 30,
      [`400 ${NO_MORE_TAKEN}`]: expect.any(Number) as number,
    })
    const { rows } = await first.pool.query<{ reference: string; merchant: string }>(
      `select t.internal_reference as reference, m.public_key as merchant
       from transactions t join merchants m on m.id = t.merchant_id where t.account = $1 and t.status = 'PENDING'`,
      [msisdn],
    )
    expect(rows.length).toBeGreaterThanOrEqual(14)
    const [{ reference, merchant }] = rows as [(typeof rows)[number]]
    const right = await authorize(merchants.indexOf(merchant) * 2, reference, SANDBOX_OTP)
    expect(right).toMatchObject({ status: 400, body: { code: 400, message: NO_MORE_TAKEN } })
    expect(await second.paymentSteps.submitOtp(reference, SANDBOX_OTP)).toBe('blocked')
  })

  test('after wrong OTPs none is sent, and the page explains it without using a try', async () => {
    const strict = await beside({ MALIPO_OTP_WRONG_TRIES_MAX: '2', MALIPO_MERCHANT_SHARE: '100' })
    const msisdn = ghanaian()
    const [reply, page] = [
      await collect(strict.url, withOtp(msisdn)),
      await collect(strict.url, { ...withOtp(msisdn), mobile_money_hpp: true, redirect_url }),
    ]
    const reference = internalReference(reply)
    await strict.runDue()
    const visit = await openPage(strict.url, `${strict.url}/pay/collection/${reference}`)
    for (let n = 0; n < 2; n += 1)
      expect((await submitForm(strict.url, visit, 'otp', { otp: '999999' })).status).toBe(400)
    const blocked = await submitForm(strict.url, visit, 'otp', { otp: String(SANDBOX_OTP) })
    const text = await blocked.text()
    expect([blocked.status, text]).toEqual([400, expect.stringContaining('3 tries left')])
    expect(text).toContain('Too many wrong passwords were entered for this account')
    clock.advance(31_000)
    expect((await collect(strict.url, withOtp(msisdn))).body.message).toBe(NO_MORE_SENT)
    await expect(strict.paymentSteps.confirm(internalReference(page))).rejects.toThrow(NO_MORE_SENT)
    await expect(strict.paymentSteps.sendNewOtp(reference)).rejects.toThrow(NO_MORE_SENT)
  })

  test('what no longer counts is deleted', async () => {
    const msisdn = ghanaian()
    await many(3, withOtp(msisdn))
    const left = async (ms: number) => {
      clock.advance(ms)
      await removeExpired(first.pool, clock.now())
      return (await first.pool.query('select from account_usage where account = $1', [msisdn])).rowCount
    }
    expect([await left(DAY_MS - 1), await left(1)]).toEqual([3, 0])
  })
})

describe('payment pages of one account number', () => {
  test('a page uses no daily limit; its confirmation does, for a day from then', async () => {
    const msisdn = uniqueMsisdn()
    const [page, late, third] = await many(20, hosted(msisdn, 3_000_000))
    clock.advance(29 * 60_000)
    // 7,000,000 in all: two payments fit, in whatever order they arrive.
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).status).toBe(202)
    expect(await first.paymentSteps.confirm(internalReference(page!))).toBe('done')
    await expect(first.paymentSteps.confirm(internalReference(late!))).rejects.toThrow(OVER_LIMIT)
    const visit = await openPage(second.url, String(third!.body.data.payment_url))
    const refused = await submitForm(second.url, visit, 'confirm')
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('With this payment the phone number would go over its limit for one day')
    clock.advance(DAY_MS - 1)
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).body.message).toBe(OVER_LIMIT)
    clock.advance(1)
    expect((await collectFrom(0, { msisdn, amount: 3_000_000 })).status).toBe(202)
  })

  test("refuses a 21st page to any merchant, in words that hide the number's use", async () => {
    const msisdn = uniqueMsisdn()
    const replies = await many(24, hosted(msisdn))
    expect(countByMessage(replies)).toEqual({ accepted: 20, [`400 ${NO_MORE_PAGES}`]: 4 })
    expect((await collectFrom(0, { msisdn })).status).toBe(202) // the customer pays without a page
    // A confirmed, cancelled or expired page makes room for another of the same merchant.
    const [confirmed, cancelled] = replies.filter(({ status }, n) => status === 202 && (n & 2) === 0)
    const another = async (): Promise<number> => (await collectFrom(0, hosted(msisdn))).status
    await first.paymentSteps.confirm(internalReference(confirmed!))
    expect([await another(), await another()]).toEqual([202, 400])
    await first.paymentSteps.cancel(internalReference(cancelled!))
    expect([await another(), await another()]).toEqual([202, 400])
    clock.advance(30 * 60_000)
    expect(await another()).toBe(202)
  })

  test("counts a bank account's pages from the time its customer chooses it", async () => {
    const bank = { transaction_method: 'BANK', provider_code: 'bank_ng', currency: 'NGN', msisdn: undefined }
    const choice = { bankCode: 'access_bank_ng', accountNumber: '0123456005' }
    const patient = await beside({ MALIPO_OTP_SENDS_MAX: '1000' })
    const results: string[] = []
    for (const page of await many(24, { ...bank, amount: 1_000, redirect_url }))
      results.push(
        await patient.paymentSteps.confirm(internalReference(page), choice).catch((error: Error) => error.message),
      )
    expect(results.filter((result) => result === 'done')).toHaveLength(20)
    expect(results.filter((result) => result === NO_MORE_PAGES)).toHaveLength(4)
  })
})

import { describe, expect, test } from 'vitest'
import { accountBoundsOf, readConfig } from '../../config.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { addMerchant } from '../testing/another-merchant.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { LIVE_ENV, MASTER_KEY } from '../testing/gateway.ts'
import { openPage, submitForm } from '../testing/page-visit.ts'
import { collect, postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'

// Prompts on one phone, and one merchant's share of its bounds: two gateways on one database, three merchants. The
// bounds themselves are tested in account-bounds.test.ts of the domain.

const LIVE = { MALIPO_PROMPTS_PER_HOUR: '20', MALIPO_PROMPTS_PER_DAY: '60', MALIPO_PROMPT_DECLINES_MAX: '6' }
const { database, gateway: first, clock, beside } = await gatewayTest({ env: LIVE })
const { gateway: second } = await gatewayTest({ database, clock, env: LIVE })
const gateways = [first, second] as const
const DEMO = 'pub_sandbox_demo'
const { publicKey: ANOTHER } = await addMerchant(first, { name: 'Another' }, clock.now())
const { publicKey: THIRD } = await addMerchant(first, { name: 'A third' }, clock.now())
await second.refresh()

const HOUR_MS = 3_600_000
const redirect_url = 'https://shop.example/done'
const TOO_MANY = /^Too many approval prompts for this account number: try again in (\d+) seconds?$/

/** The n-th request of many: alternates between the processes. */
const by = (merchant: string, changes: Readonly<Record<string, unknown>>, n = 0): Promise<RawReply> =>
  collect(gateways[n % 2]!.url, changes, { 'public-key': merchant })
const many = (count: number, merchant: string, changes: Readonly<Record<string, unknown>>) =>
  Promise.all(Array.from({ length: count }, (_, n) => by(merchant, changes, n)))
const accepted = (replies: readonly RawReply[]): number => replies.filter(({ status }) => status === 202).length
const referenceOf = ({ body }: RawReply): string => String(body.data.internal_reference)
const settle = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) {
    await first.runDue()
    clock.advance(1_000)
  }
}

/**
 * A rejection that says when there is capacity again.
 * @returns that, in seconds
 */
function retryAfter({ status, headers, body }: RawReply): number {
  const seconds = Number(headers.get('retry-after'))
  expect([status, body.code, body.status, body.data]).toEqual([429, 429, 'error', {}])
  expect(Number(TOO_MANY.exec(body.message)?.[1])).toBe(seconds)
  return seconds
}

describe('approval prompts on one phone', () => {
  test('200 collections at once make 20 prompts an hour, 10 of them by one merchant', async () => {
    const msisdn = uniqueMsisdn()
    const replies = await Promise.all([many(100, DEMO, { msisdn }), many(100, ANOTHER, { msisdn })])
    expect(replies.map(accepted)).toEqual([10, 10])
    for (const refused of replies.flat().filter(({ status }) => status !== 202)) expect(retryAfter(refused)).toBe(3_600)
    clock.advance(HOUR_MS - 1)
    expect(retryAfter(await by(THIRD, { msisdn }))).toBe(1)
    clock.advance(1)
    expect((await by(THIRD, { msisdn })).status).toBe(202)
  })
})

test('three declines in a row pause a merchant; others go on until there are six', async () => {
  const msisdn = uniqueMsisdn('004')
  const decline = async (merchant: string): Promise<void> => {
    expect((await by(merchant, { msisdn })).status).toBe(202)
    await settle()
  }
  for (let n = 0; n < 3; n += 1) await decline(DEMO)
  const pause = retryAfter(await by(DEMO, { msisdn }))
  expect(pause).toBeGreaterThan(890)
  expect(pause).toBeLessThanOrEqual(900)
  for (let n = 0; n < 3; n += 1) await decline(ANOTHER)
  // Six in a row, half of them counted for each merchant.
  expect(retryAfter(await by(THIRD, { msisdn }))).toBeGreaterThan(890)
})

describe('on the hosted page', () => {
  const hosted = (msisdn: string, amount: number) => ({ msisdn, mobile_money_hpp: true, redirect_url, amount })

  // It counts when the customer confirms.
  test('a confirmation says when to retry, in its language, and uses no daily limit', async () => {
    const msisdn = uniqueMsisdn()
    const [page, another] = [
      await by(DEMO, hosted(msisdn, 3_000_000)),
      ...(await many(10, DEMO, hosted(msisdn, 500))),
    ] as const
    expect(accepted(await many(9, DEMO, { msisdn, amount: 500 }))).toBe(9)
    expect(await first.paymentSteps.confirm(referenceOf(another!))).toBe('done')
    retryAfter(await by(DEMO, { msisdn }))
    const { path, cookie, token } = await openPage(second.url, String(page.body.data.payment_url))
    const refused = await fetch(`${second.url}${path}/confirm`, {
      method: 'POST',
      headers: { cookie, 'accept-language': 'sw' },
      body: new URLSearchParams({ token }),
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect((await refused.text()).replaceAll('\u00a0', ' ')).toContain('au ujaribu tena baada ya dakika 60.')
    const used = await first.pool.query('select from limit_usage where account = $1 and amount_minor > 500', [msisdn])
    expect(used.rowCount).toBe(0)
  })
})

test('a right OTP is refused while no prompt may follow, and valid once one may', async () => {
  const msisdn = uniqueMsisdn('005')
  const waiting = await by(DEMO, { msisdn })
  await settle()
  await first.pool.query(
    `insert into account_usage (account, kind, merchant_id, transaction_id, number, counts_until)
     select $1, 'prompt', null, -n, 1, $2::timestamptz from generate_series(1, 20) n`,
    [msisdn, new Date(clock.now().getTime() + 23 * HOUR_MS + 60_000)],
  )
  const internal_reference = referenceOf(waiting)
  const headers = { 'idempotency-key': uniqueReference() }
  const authorize = () =>
    postJson(first.url, '/collections/authorize', { internal_reference, otp: SANDBOX_OTP }, headers)
  expect(retryAfter(await authorize())).toBe(60)
  await expect(second.paymentSteps.submitOtp(internal_reference, SANDBOX_OTP)).rejects.toThrow(TOO_MANY)
  const visit = await openPage(first.url, `${first.url}/pay/collection/${internal_reference}`)
  const refused = await submitForm(first.url, visit, 'otp', { otp: String(SANDBOX_OTP) })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  retryAfter(await by(DEMO, { msisdn }))
  clock.advance(60_000)
  expect((await authorize()).status).toBe(202)
})

test('one merchant has a share of a daily limit where it is set, else the whole limit', async () => {
  const strict = await beside({ MALIPO_MERCHANT_SHARE_OF_DAILY_LIMIT: '50' })
  const request = { msisdn: uniqueMsisdn(), amount: 3_000_000 }
  const sendRequest = (url: string, merchant: string, amount = 3_000_000) =>
    collect(url, { ...request, amount }, { 'public-key': merchant })
  expect((await sendRequest(strict.url, DEMO)).status).toBe(202)
  expect((await sendRequest(strict.url, DEMO)).body.message).toBe(
    'amount exceeds the daily limit of 3500000 UGX for this account number',
  )
  const page = await collect(strict.url, { ...request, mobile_money_hpp: true, redirect_url })
  await expect(strict.paymentSteps.confirm(referenceOf(page))).rejects.toThrow('limit of 3500000 UGX')
  expect((await sendRequest(strict.url, ANOTHER)).status).toBe(202)
  expect((await sendRequest(strict.url, THIRD)).body.message).toContain('limit of 7000000 UGX')
  expect((await sendRequest(first.url, DEMO, 1_000_000)).status).toBe(202)
})

test('a rehearsal has the bounds of live mode, a sandbox larger ones', () => {
  const secret = { MALIPO_MASTER_KEY: MASTER_KEY, DATABASE_URL: 'postgres://m@db/m' }
  const live = accountBoundsOf(readConfig({ ...secret, ...LIVE_ENV }))
  expect(live).toMatchObject({ promptsPerHourMax: 20, promptsPerDayMax: 60, promptDeclinesMax: 6 })
  expect(accountBoundsOf(readConfig({ ...secret, MALIPO_MODE: 'rehearsal' }))).toEqual(live)
  expect(accountBoundsOf(readConfig(secret)).promptsPerHourMax).toBe(200)
})

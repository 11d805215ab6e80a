import { describe, expect, test } from 'vitest'
import { readConfig, accountBoundsOf } from '../../config.ts'
import { SANDBOX_OTP } from '../../start/one-time-passwords.ts'
import { createMerchant, newMerchantKeys } from '../../admin/queries/merchants.ts'
import { createSecretBox } from '../../storage/secret-box.ts'
import { LIVE_ENV, seededRandom, startTestGateway, MASTER_KEY } from '../testing/gateway.ts'
import { gatewayTest } from '../testing/gateway-test.ts'
import { openPage, submitForm } from '../testing/page-visit.ts'
import { collect, payOut, postJson, uniqueMsisdn, uniqueReference, type RawReply } from '../testing/requests.ts'

// Prompts on one phone, and one merchant's share of its bounds: two gateways on one database, three merchants.

const LIVE = { MALIPO_PROMPTS_PER_HOUR: '20', MALIPO_PROMPTS_PER_DAY: '60', MALIPO_PROMPT_DECLINES_MAX: '6' }
const { database, gateway: first, clock } = await gatewayTest({ env: LIVE })
const { gateway: second } = await gatewayTest({ database, clock, env: LIVE })
const gateways = [first, second] as const
const random = seededRandom('prompts')
const others = ['Another', 'A third'].map((name) => ({ name, keys: newMerchantKeys(random), sandboxOnly: false }))
for (const other of others) await createMerchant(first.pool, createSecretBox(MASTER_KEY, random), other, clock.now())
await Promise.all(gateways.map((gateway) => gateway.refresh()))
const [DEMO, ANOTHER, THIRD] = ['pub_sandbox_demo', ...others.map(({ keys }) => keys.publicKey)] as const

const HOUR_MS = 3_600_000
const redirect_url = 'https://shop.example/done'
const TOO_MANY = /^Too many approval prompts for this account number: try again in (\d+) seconds?$/

/** The n-th request of many: alternates between the processes. */
const by = (merchant: string | undefined, changes: Readonly<Record<string, unknown>>, n = 0): Promise<RawReply> =>
  collect(gateways[n % 2]!.url, changes, { 'public-key': merchant })
const many = (count: number, merchant: string | undefined, changes: Readonly<Record<string, unknown>>) =>
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
    expect(retryAfter(await by(THIRD, { msisdn }))).toBe(3_600)
    clock.advance(HOUR_MS - 1)
    expect(retryAfter(await by(THIRD, { msisdn }))).toBe(1)
    clock.advance(1)
    expect((await by(THIRD, { msisdn })).status).toBe(202)
  })

  test('one merchant does not lock a customer out of the others', async () => {
    const msisdn = uniqueMsisdn()
    expect(accepted(await many(40, DEMO, { msisdn }))).toBe(10)
    expect((await by(ANOTHER, { msisdn })).status).toBe(202)
  })

  test('a day has a bound of its own', async () => {
    const msisdn = uniqueMsisdn()
    const taken: number[] = []
    for (let hour = 0; hour < 4; hour += 1) {
      taken.push(accepted(await many(12, DEMO, { msisdn, amount: 500 })))
      clock.advance(HOUR_MS)
    }
    expect(taken).toEqual([10, 10, 10, 0])
    expect(retryAfter(await by(DEMO, { msisdn }))).toBe(20 * 3_600)
    expect((await by(ANOTHER, { msisdn })).status).toBe(202)
  })

  test('a refusal stores nothing: its reference is free', async () => {
    const msisdn = uniqueMsisdn()
    await many(10, DEMO, { msisdn })
    const merchant_reference = uniqueReference()
    const headers = { 'public-key': DEMO, 'idempotency-key': merchant_reference }
    retryAfter(await collect(first.url, { msisdn, merchant_reference }, headers))
    clock.advance(HOUR_MS)
    const again = await collect(first.url, { msisdn, merchant_reference }, headers)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, null])
  })

  test('payouts are no prompts, and use no capacity', async () => {
    const msisdn = uniqueMsisdn()
    const payouts = await Promise.all(Array.from({ length: 25 }, () => payOut(first.url, { account_number: msisdn })))
    expect(accepted(payouts)).toBe(25)
    expect((await by(DEMO, { msisdn })).status).toBe(202)
  })
})

describe('a cool-down after declines', () => {
  test('three in a row pause a merchant for 15 minutes, the next for 30; others go on', async () => {
    const msisdn = uniqueMsisdn('004')
    const decline = async (merchant: string | undefined): Promise<void> => {
      expect((await by(merchant, { msisdn })).status).toBe(202)
      await settle()
    }
    for (let n = 0; n < 3; n += 1) await decline(DEMO)
    const pause = retryAfter(await by(DEMO, { msisdn }))
    expect(pause).toBeGreaterThan(890)
    expect(pause).toBeLessThanOrEqual(900)
    await decline(ANOTHER)
    clock.advance(15 * 60_000)
    await decline(DEMO)
    expect(retryAfter(await by(DEMO, { msisdn }))).toBeGreaterThan(1_790)
    await decline(ANOTHER)
    await decline(ANOTHER)
    // Six in a row, half of them counted for each merchant.
    expect(retryAfter(await by(THIRD, { msisdn }))).toBeGreaterThan(890)
  })

  test('an approval ends the series', async () => {
    const msisdn = uniqueMsisdn('004')
    for (let n = 0; n < 3; n += 1) {
      await by(DEMO, { msisdn })
      await settle()
    }
    retryAfter(await by(DEMO, { msisdn }))
    await first.pool.query('update account_usage set account = $2 where account = $1', [
      msisdn,
      msisdn.replace(/004$/, '001'),
    ])
    const same = { msisdn: msisdn.replace(/004$/, '001') }
    retryAfter(await by(DEMO, same))
    expect((await by(ANOTHER, same)).status).toBe(202)
    await settle()
    expect((await by(DEMO, same)).status).toBe(202)
  })

  test("a failure without the customer's fault counts nothing", async () => {
    const msisdn = uniqueMsisdn('002')
    for (let n = 0; n < 5; n += 1) {
      expect((await by(DEMO, { msisdn })).status).toBe(202)
      await settle()
    }
  })
})

describe('on the hosted page', () => {
  const hosted = (msisdn: string) => ({ msisdn, mobile_money_hpp: true, redirect_url, amount: 3_000_000 })

  test.each([
    ['en', 'Too many payment requests were sent to this phone number. Pay in another way, or try again in 60 minutes.'],
    ['fr', 'ou réessayez dans 60 minutes.'],
    ['sw', 'au ujaribu tena baada ya dakika 60.'],
    ['pt', 'ou tente de novo daqui a 60 minutos.'],
  ])('a confirmation says when to retry (%s), and uses no daily limit', async (language, words) => {
    const msisdn = uniqueMsisdn()
    const page = await by(DEMO, hosted(msisdn))
    await many(10, DEMO, { msisdn, amount: 500 })
    const { path, cookie, token } = await openPage(first.url, String(page.body.data.payment_url))
    const refused = await fetch(`${first.url}${path}/confirm`, {
      method: 'POST',
      headers: { cookie, 'accept-language': language },
      body: new URLSearchParams({ token }),
    })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect((await refused.text()).replaceAll('\u00a0', ' ')).toContain(words)
    const { rowCount } = await first.pool.query('select from limit_usage where account = $1 and amount_minor > 500', [
      msisdn,
    ])
    expect(rowCount).toBe(0)
    clock.advance(HOUR_MS)
  })

  test('its prompt counts when the customer confirms', async () => {
    const msisdn = uniqueMsisdn()
    const pages = await many(10, DEMO, { ...hosted(msisdn), amount: 500 })
    expect(accepted(await many(9, DEMO, { msisdn, amount: 500 }))).toBe(9)
    expect(await first.paymentSteps.confirm(referenceOf(pages[0]!))).toBe('done')
    await expect(second.paymentSteps.confirm(referenceOf(pages[1]!))).rejects.toThrow(TOO_MANY)
    retryAfter(await by(DEMO, { msisdn }))
  })
})

describe('with an OTP', () => {
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
})

describe('a share per merchant', () => {
  test('of open pages', async () => {
    const page = { msisdn: uniqueMsisdn(), mobile_money_hpp: true, redirect_url }
    expect(accepted(await many(20, DEMO, page))).toBe(10)
    expect(accepted(await many(20, ANOTHER, page))).toBe(10)
    expect((await by(THIRD, page)).body.message).toBe('Too many open payment pages for this account number')
  })

  test('of OTPs, sent and wrong', async () => {
    const otp = { msisdn: uniqueMsisdn('005') }
    const sent = await many(20, DEMO, otp)
    expect(accepted(sent)).toBe(10)
    const others = await by(ANOTHER, otp)
    expect(others.status).toBe(202)
    await settle()
    const authorize = (merchant: string | undefined, reply: RawReply, digits: number) =>
      postJson(
        first.url,
        '/collections/authorize',
        { internal_reference: referenceOf(reply), otp: digits },
        { 'public-key': merchant },
      )
    const messages = new Map<string, number>()
    for (const reply of sent.filter(({ status }) => status === 202).slice(0, 4))
      for (let tries = 0; tries < 5; tries += 1) {
        const { message } = (await authorize(DEMO, reply, 999_999)).body
        messages.set(message, (messages.get(message) ?? 0) + 1)
      }
    expect(messages.get('Invalid OTP')).toBe(15)
    expect((await authorize(ANOTHER, others, SANDBOX_OTP)).status).toBe(202)
  })

  test('of a daily limit, where it is set; the whole limit where it is not', async () => {
    const strict = await startTestGateway({
      connection: database.connection,
      surroundings: { clock },
      env: { MALIPO_MERCHANT_SHARE_OF_DAILY_LIMIT: '50' },
    })
    try {
      const request = { msisdn: uniqueMsisdn(), amount: 3_000_000 }
      const sendRequest = (url: string, merchant: string | undefined, amount = 3_000_000) =>
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
    } finally {
      await strict.stop()
    }
  })
})

test('a sandbox has larger bounds than live mode, and enforces them', async () => {
  const secret = { MALIPO_MASTER_KEY: MASTER_KEY, DATABASE_URL: 'postgres://m@db/m' }
  const live = accountBoundsOf(readConfig({ ...secret, ...LIVE_ENV }))
  expect(live).toMatchObject({ promptsPerHourMax: 20, promptsPerDayMax: 60, promptDeclinesMax: 6 })
  const rehearsal = accountBoundsOf(readConfig({ ...secret, MALIPO_MODE: 'rehearsal' }))
  expect(rehearsal).toEqual(live)
  const sandbox = await startTestGateway({ connection: database.connection, surroundings: { clock } })
  try {
    const msisdn = uniqueMsisdn()
    const replies = await Promise.all(Array.from({ length: 500 }, () => collect(sandbox.url, { msisdn, amount: 500 })))
    expect(accepted(replies)).toBe(100)
  } finally {
    await sandbox.stop()
  }
})

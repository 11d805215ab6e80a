import { beforeEach, describe, expect, test } from 'vitest'
import { createOneTimePasswords, SANDBOX_OTP } from '../start/one-time-passwords.ts'
import { eventsOf } from '../verification/testing/history.ts'
import { openPage, submitForm } from '../verification/testing/page-visit.ts'
import { collect, postJson, uniqueMsisdn, uniqueReference, verify } from '../verification/testing/requests.ts'
import { gatewayTest } from '../verification/testing/gateway-test.ts'

// An OTP is sent by a job after the commit. Two gateways share one database; each test sets how their message service
// behaves.

const surroundings = { sendOtp: (account: string, otp: number) => service(account, otp) }
const { database, gateway, clock, after } = await gatewayTest({ surroundings })
const { gateway: other } = await gatewayTest({ database, clock, surroundings })

const sent: { account: string; otp: number; at: Date }[] = []
let service: (account: string, otp: number) => Promise<void>

const MINUTE_MS = 60_000
const away = async (account: string, otp: number): Promise<void> => {
  throw new Error(`no route for ${otp} to ${account}`)
}
const works = async (account: string, otp: number): Promise<void> => void sent.push({ account, otp, at: clock.now() })

beforeEach(() => {
  sent.length = 0
  service = works
})

interface AcceptedReply {
  readonly internal_reference: string
  readonly merchant_reference: string
  readonly payment_url: string
  readonly msisdn: string
}
async function accepted(changes: object = {}): Promise<AcceptedReply> {
  const msisdn = uniqueMsisdn('005')
  const reply = await collect(gateway.url, { msisdn, ...changes })
  expect(reply.status).toBe(202)
  return { ...(reply.body.data as unknown as AcceptedReply), msisdn }
}
const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
const authorize = (internal_reference: string, otp = SANDBOX_OTP) =>
  postJson(gateway.url, '/collections/authorize', { internal_reference, otp })
const reported = async ({ merchant_reference }: AcceptedReply) =>
  (await verify(gateway.url, merchant_reference)).body.data
const detailsOf = async ({ internal_reference }: AcceptedReply, kind: string): Promise<readonly string[]> =>
  (await eventsOf(gateway, internal_reference)).flatMap((event) => (event.kind === kind ? [event.detail] : []))
const workOf = async ({ internal_reference }: AcceptedReply): Promise<string[]> =>
  (
    await gateway.pool.query<{ kind: string }>(
      'select w.kind from jobs w join transactions t on t.id = w.subject_id where t.internal_reference = $1 order by 1',
      [internal_reference],
    )
  ).rows.map(({ kind }) => kind)

describe('an unavailable message service', () => {
  test("causes no error for a merchant's collection: the OTP is sent on recovery", async () => {
    service = away
    const collection = await accepted()
    await after(0)
    expect(await reported(collection)).toMatchObject({
      transaction_status: 'PENDING',
      status_message: 'Waiting for the one-time password',
    })
    expect(await detailsOf(collection, 'otp_sent')).toEqual([])
    for (let n = 0; n < 4; n += 1) await after(2 ** n * 1000)
    service = works
    await after(MINUTE_MS)
    expect(sent.map(({ account, otp }) => ({ account, otp }))).toEqual([
      { account: collection.msisdn, otp: SANDBOX_OTP },
    ])
    expect(await detailsOf(collection, 'otp_sent')).toHaveLength(1)
    await after(5 * MINUTE_MS)
    expect(sent).toHaveLength(1)
  })

  test('causes none for a customer who confirms or requests another OTP', async () => {
    service = away
    const { internal_reference } = await accepted(hosted)
    expect(await gateway.paymentSteps.confirm(internal_reference)).toBe('done')
    await after(0)
    await expect(gateway.paymentSteps.sendNewOtp(internal_reference)).rejects.toThrow(
      'The last password is still on its way',
    )
    service = works
    await after(MINUTE_MS)
    expect(sent).toHaveLength(1)
    clock.advance(30_000)
    service = away
    expect(await gateway.paymentSteps.sendNewOtp(internal_reference)).toBe('done')
    await after(0)
    service = works
    await after(MINUTE_MS)
    expect(sent).toHaveLength(2)
  })

  test('is retried with growing pauses, and never once the page has expired', async () => {
    let tries = 0
    service = async (...given) => {
      tries += 1
      return away(...given)
    }
    const collection = await accepted()
    for (let minute = 0; minute < 30; minute += 1) await after(MINUTE_MS)
    expect(tries).toBeGreaterThan(5)
    expect(tries).toBeLessThan(20)
    expect(await reported(collection)).toMatchObject({
      transaction_status: 'FAILED',
      status_message: 'Payment page expired',
    })
    expect(await workOf(collection)).not.toContain('sendOtp')
    const before = tries
    await after(60 * MINUTE_MS)
    expect(tries).toBe(before)
  })

  test('its own words stand in the history without the OTP and the account number', async () => {
    service = away
    const collection = await accepted()
    await after(0)
    const [detail] = await detailsOf(collection, 'otp_not_sent')
    expect(detail).toContain('no route for')
    expect(detail).not.toContain(String(SANDBOX_OTP))
    expect(detail).not.toContain(collection.msisdn)
    service = works
    await after(MINUTE_MS)
  })

  test('the page says that the OTP is on its way', async () => {
    service = away
    const { internal_reference } = await accepted()
    const page = async () => (await fetch(`${gateway.url}/pay/collection/${internal_reference}`)).text()
    expect(await page()).toContain('is on its way to the phone number ending in')
    service = works
    await after(MINUTE_MS)
    expect(await page()).toContain('We sent a message with 6 digits to the phone number ending in')
  })
})

describe('crashes', () => {
  test('another process sends the OTP after a crash between commit and sending', async () => {
    const collection = await accepted()
    await other.runDue()
    expect(sent.map(({ account }) => account)).toEqual([collection.msisdn])
    await gateway.runDue()
    expect(sent).toHaveLength(1)
  })

  // Either message lets the customer pay.
  test('sends the same OTP once more when the record of the sending is lost', async () => {
    const collection = await accepted()
    const first = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    service = async (account, otp) => {
      await works(account, otp)
      arrived.resolve()
      await first.promise
    }
    const stuck = gateway.runDue()
    await arrived.promise
    service = works
    clock.advance(31_000) // its lease has ended
    await other.runDue()
    expect(sent.map(({ otp }) => otp)).toEqual([SANDBOX_OTP, SANDBOX_OTP])
    first.resolve()
    await stuck
    expect(await detailsOf(collection, 'otp_sent')).toHaveLength(1)
    expect((await authorize(collection.internal_reference)).status).toBe(202)
  })

  test('repeats the OTP for the same send, changes it for another, never begins with 0', () => {
    const otps = createOneTimePasswords({
      sandbox: false,
      mac: (text) => new TextEncoder().encode(`${text}:${text.length * 7_919}`.padEnd(32, '.')).subarray(-32),
      send: works,
    })
    expect(otps.issue('MLP1', 1)).toBe(otps.issue('MLP1', 1))
    const { createHmac } = process.getBuiltinModule('node:crypto')
    const real = createOneTimePasswords({
      sandbox: false,
      mac: (text) => createHmac('sha256', 'key').update(text).digest(),
      send: works,
    })
    const drawn = Array.from({ length: 5_000 }, (_, n) => real.issue(`MLP${n}`, 1))
    expect(drawn.every((otp) => Number.isInteger(otp) && otp >= 100_000 && otp <= 999_999)).toBe(true)
    expect(new Set(drawn).size).toBeGreaterThan(4_900)
    expect(drawn.some((otp, n) => otp === real.issue(`MLP${n}`, 2))).toBe(false)
  })
})

// Both the direct reply and the page say so.
test('a collection reports that it waits for its OTP, only as long as it waits', async () => {
  const waiting = { transaction_status: 'PENDING', status_message: 'Waiting for the one-time password' }
  const direct = await accepted()
  expect(await reported(direct)).toMatchObject(waiting)
  await authorize(direct.internal_reference)
  expect(await reported(direct)).toMatchObject({ transaction_status: 'PENDING', status_message: 'Transaction Pending' })
  expect(await workOf(direct)).toEqual(['submitToRail'])

  const onPage = await accepted({ ...hosted, merchant_reference: uniqueReference() })
  expect(await reported(onPage)).toMatchObject({ transaction_status: 'PENDING', status_message: 'Transaction Pending' })
  const visit = await openPage(gateway.url, onPage.payment_url)
  await submitForm(gateway.url, visit, 'confirm')
  expect(await reported(onPage)).toMatchObject(waiting)
  await after(0)
  await submitForm(gateway.url, visit, 'otp', { otp: String(SANDBOX_OTP) })
  await after(1000)
  expect(await reported(onPage)).toMatchObject({ transaction_status: 'COMPLETED' })
})

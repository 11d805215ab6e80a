import { customerOf, press, WRONG_OTP, SANDBOX_OTP } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

// One merchant's share: half of an account number's bound.
const SENDS_MAX = 10
const WRONG_MAX = 15
const TRIES_MAX = 5
const PAGES_MAX = 10
const PROMPTS_MAX = 10
const HOUR_MS = 3_600_000
const DAY_MS = 24 * 3_600_000
const PAGE_MS = 30 * 60_000
/** Times are exact to the millisecond, whatever runs past them. */
const MOMENT_MS = 1
const ABOUT = 'initializeCollection'
const TIMES = 'docs, page "Life of a transaction", Times'
const TOO_MANY_SENT = { status: 400, message: refusal('otps_too_many') }
const TOO_MANY_WRONG = {
  status: 400,
  message: refusal('otps_wrong_too_many'),
}
const TOO_MANY_PAGES = { status: 400, message: refusal('pages_too_many') }
const TOO_MANY_PROMPTS = {
  status: 429,
  message: /^Too many approval prompts for this account number: try again in \d+ seconds?$/,
}
const ACCEPTED = { status: 202 }
const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }

/** A merchant's bounds for one account number. Our own gateway must have the decided bounds. */
export async function accountBounds(fixture: DriverFixture): Promise<void> {
  await pages(fixture)
  if (!fixture.target.own) return fixture.skip('how many OTPs one number gets (staff may set other numbers)')
  await sends(fixture)
  await wrongTries(fixture)
  await prompts(fixture)
}

/** 10 OTPs are sent in 24 hours, and not one more. */
async function sends(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('OTPs of one number')
  const body = { msisdn: driver.phone('005') }
  for (let sent = 1; sent <= SENDS_MAX; sent++)
    driver.expect(ABOUT, await driver.collect(body), ACCEPTED, 'one of 10 OTPs', TIMES)
  const rule = 'one OTP more than 10'
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_SENT, rule, TIMES)
  const other = await driver.collect({ msisdn: driver.phone('005') })
  driver.expect(ABOUT, other, ACCEPTED, 'an OTP of another number', TIMES)
  await driver.advance(DAY_MS - MOMENT_MS)
  const early = 'one OTP more than 10, a moment before 24 hours'
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_SENT, early, TIMES, rule)
  await driver.advance(2 * MOMENT_MS)
  driver.expect(ABOUT, await driver.collect(body), ACCEPTED, 'an OTP a moment after 24 hours', TIMES)
}

/** 10 prompts an hour; the refusal beyond them says when there is room again. */
async function prompts(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('approval prompts of one number')
  const body = { msisdn: driver.phone(), amount: 500 }
  for (let count = 1; count <= PROMPTS_MAX; count++)
    driver.expect(ABOUT, await driver.collect(body), ACCEPTED, 'one of 10 prompts', TIMES)
  const rule = 'one prompt more than 10'
  const refused = await driver.collect(body)
  driver.expect(ABOUT, refused, TOO_MANY_PROMPTS, rule, TIMES)
  const retryAfter = refused.header('retry-after')
  driver.hold(ABOUT, retryAfter === '3600', `${rule}: Retry-After`, `Retry-After is ${retryAfter}, not 3600`, rule)
  const other = await driver.collect({ ...body, msisdn: driver.phone() })
  driver.expect(ABOUT, other, ACCEPTED, 'a prompt of another number', TIMES)
  await driver.advance(HOUR_MS - MOMENT_MS)
  const early = 'one prompt more than 10, a moment before an hour'
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_PROMPTS, early, TIMES, rule)
  await driver.advance(2 * MOMENT_MS)
  driver.expect(ABOUT, await driver.collect(body), ACCEPTED, 'a prompt a moment after an hour', TIMES)
}

/** After 15 wrong OTPs even the right one is refused. */
async function wrongTries(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('wrong OTPs of one number')
  const body = { msisdn: driver.phone('005') }
  const made = []
  for (let count = 0; count <= WRONG_MAX / TRIES_MAX + 1; count++) made.push(await driver.collect(body))
  const [late, early, last, ...others] = made
  if (!late || !early || !last) return
  await driver.advance(0)
  for (const each of others) for (let tries = 0; tries < TRIES_MAX; tries++) await driver.authorize(each, WRONG_OTP)
  for (let tries = 1; tries < TRIES_MAX; tries++) await driver.authorize(last, WRONG_OTP)
  const about = 'authorizeCollection'
  driver.expect(about, await driver.authorize(early, SANDBOX_OTP), ACCEPTED, 'the right OTP after 14 wrong ones', TIMES)
  await driver.authorize(last, WRONG_OTP)
  const rule = 'the right OTP after 15 wrong ones'
  driver.expect(about, await driver.authorize(late, SANDBOX_OTP), TOO_MANY_WRONG, rule, TIMES)
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_SENT, 'an OTP after 15 wrong ones', TIMES, rule)
  await driver.advance(DAY_MS + MOMENT_MS)
  const fresh = await driver.collect(body)
  driver.expect(ABOUT, fresh, ACCEPTED, 'an OTP a moment after 24 hours', TIMES)
  await driver.advance(0)
  driver.expect(
    about,
    await driver.authorize(fresh, SANDBOX_OTP),
    ACCEPTED,
    'the right OTP a moment after 24 hours',
    TIMES,
  )
}

/** 10 pages are open at a time; a page that ends makes room for another. */
async function pages(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('open pages of one number')
  const body = { msisdn: driver.phone(), ...HOSTED }
  const open = []
  for (let count = 1; count <= PAGES_MAX; count++) {
    const page = await driver.collect(body)
    driver.expect(ABOUT, page, ACCEPTED, 'one of 10 open pages', TIMES)
    open.push(page)
  }
  const rule = 'one open page more than 10'
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_PAGES, rule, TIMES)
  const [first] = open
  const customer = first && customerOf(fixture.target, first.data)
  if (customer) {
    driver.story.note('the customer cancels on the first page')
    await press(customer, 'cancel')
    driver.expect(ABOUT, await driver.collect(body), ACCEPTED, 'a page in place of one that was cancelled', TIMES)
    driver.expect(ABOUT, await driver.collect(body), TOO_MANY_PAGES, 'one page more than 10 again', TIMES, rule)
  }
  if (fixture.target.own) await freedByTime(driver, body, rule)
}

async function freedByTime(driver: PaymentDriver, body: object, sameAs: string): Promise<void> {
  await driver.advance(PAGE_MS - MOMENT_MS)
  const early = 'one page more than 10, a moment before they end'
  driver.expect(ABOUT, await driver.collect({ ...body }), TOO_MANY_PAGES, early, TIMES, sameAs)
  await driver.advance(2 * MOMENT_MS)
  driver.expect(ABOUT, await driver.collect({ ...body }), ACCEPTED, 'a page a moment after the others ended', TIMES)
}

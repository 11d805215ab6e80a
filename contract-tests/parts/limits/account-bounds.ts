import { customerOf, press, WRONG_OTP, SANDBOX_OTP } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import type { ExpectedReply, PaymentDriver } from '../../driver/payment-driver.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { DAY_MS, HOSTED, HOUR_MS, MOMENT_MS, PAGE_MS, TIMES, TRIES_MAX } from './bounds.ts'

// One merchant's share: half of an account number's bound.
const WRONG_MAX = 15
const PAGES_MAX = 10
const ABOUT = 'initializeCollection'
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

/** A merchant's bounds for one account number. Our own gateway must have the decided bounds. */
export async function accountBounds(fixture: DriverFixture): Promise<void> {
  await pages(fixture)
  if (!fixture.target.own) return untilRefused(fixture)
  await bound(fixture.driver('OTPs of one number', TIMES), SENDS)
  await wrongTries(fixture)
  const prompts = fixture.driver('approval prompts of one number', TIMES)
  const retryAfter = (await bound(prompts, PROMPTS)).header('retry-after')
  const what = `Retry-After beyond the prompts of an hour is ${retryAfter}, not 3600`
  prompts.hold(ABOUT, retryAfter === '3600', 'one prompt more than 10: Retry-After', what, 'one prompt more than 10')
}

/** So many of something for one account number in a time. */
interface Bound {
  readonly what: 'OTP' | 'prompt'
  /** Of the test number. */
  readonly ending: string
  readonly max: number
  readonly withinMs: number
  readonly beyond: ExpectedReply
}
const SENDS: Bound = { what: 'OTP', ending: '005', max: 10, withinMs: DAY_MS, beyond: TOO_MANY_SENT }
const PROMPTS: Bound = { what: 'prompt', ending: '001', max: 10, withinMs: HOUR_MS, beyond: TOO_MANY_PROMPTS }

/** More than a sandbox takes for one number, unless its staff have set other bounds. */
const TRIED_MAX = { prompt: 110, OTP: 15 }

/** On another server the bounds are unknown: what it refuses says so as the contract does. */
async function untilRefused(fixture: DriverFixture): Promise<void> {
  for (const { what, ending, beyond } of [PROMPTS, SENDS]) {
    const driver = fixture.driver(`${what}s of one number`, TIMES)
    const number = driver.phone(ending)
    const tries = TRIED_MAX[what]
    let reply = await driver.collect({ msisdn: number, amount: 500 })
    for (let sent = 1; sent < tries && reply.status === 202; sent++)
      reply = await driver.collect({ msisdn: number, amount: 500 })
    if (reply.status === 202) fixture.skip(`how many ${what}s one number gets: more than ${tries}`)
    else driver.expect(ABOUT, reply, beyond, `one ${what} more than a number gets`)
  }
}

/** So many are sent in this time, and not one more; another number has its own. @returns the refusal beyond them */
async function bound(driver: PaymentDriver, { what, ending, max, withinMs, beyond }: Bound): Promise<ApiReply> {
  const collect = (msisdn: string): Promise<ApiReply> => driver.collect({ msisdn, amount: 500 })
  const number = driver.phone(ending)
  for (let sent = 1; sent <= max; sent++) driver.expect(ABOUT, await collect(number), 202, `one of ${max} ${what}s`)
  const rule = `one ${what} more than ${max}`
  const refused = await collect(number)
  driver.expect(ABOUT, refused, beyond, rule)
  driver.expect(ABOUT, await collect(driver.phone(ending)), 202, `one ${what} of another number`)
  await driver.advance(withinMs - MOMENT_MS)
  driver.expect(ABOUT, await collect(number), beyond, `${rule}, a moment too early`, TIMES, rule)
  await driver.advance(2 * MOMENT_MS)
  driver.expect(ABOUT, await collect(number), 202, `one ${what} a moment after the time`)
  return refused
}

/** After 15 wrong OTPs even the right one is refused. */
async function wrongTries(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('wrong OTPs of one number', TIMES)
  const body = { msisdn: driver.phone('005') }
  const made = []
  for (let count = 0; count <= WRONG_MAX / TRIES_MAX + 1; count++) made.push(await driver.collect(body))
  const [late, early, last, ...others] = made
  if (!late || !early || !last) return
  await driver.advance(0)
  for (const each of others) for (let tries = 0; tries < TRIES_MAX; tries++) await driver.authorize(each, WRONG_OTP)
  for (let tries = 1; tries < TRIES_MAX; tries++) await driver.authorize(last, WRONG_OTP)
  const about = 'authorizeCollection'
  driver.expect(about, await driver.authorize(early, SANDBOX_OTP), 202, 'the right OTP after 14 wrong ones')
  await driver.authorize(last, WRONG_OTP)
  const rule = 'the right OTP after 15 wrong ones'
  driver.expect(about, await driver.authorize(late, SANDBOX_OTP), TOO_MANY_WRONG, rule)
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_SENT, 'an OTP after 15 wrong ones', TIMES, rule)
  await driver.advance(DAY_MS + MOMENT_MS)
  const fresh = await driver.collect(body)
  driver.expect(ABOUT, fresh, 202, 'an OTP a moment after 24 hours')
  await driver.advance(0)
  driver.expect(about, await driver.authorize(fresh, SANDBOX_OTP), 202, 'the right OTP a moment after 24 hours')
}

/** 10 pages are open at a time; a page that ends makes room for another. */
async function pages(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('open pages of one number', TIMES)
  const body = { msisdn: driver.phone(), ...HOSTED }
  const open = []
  for (let count = 1; count <= PAGES_MAX; count++) {
    const page = await driver.collect(body)
    driver.expect(ABOUT, page, 202, 'one of 10 open pages')
    open.push(page)
  }
  const rule = 'one open page more than 10'
  driver.expect(ABOUT, await driver.collect(body), TOO_MANY_PAGES, rule)
  const [first] = open
  const customer = first && customerOf(fixture.target, first.data)
  if (customer) {
    driver.story.note('the customer cancels on the first page')
    await press(customer, 'cancel')
    driver.expect(ABOUT, await driver.collect(body), 202, 'a page in place of one that was cancelled')
    driver.expect(ABOUT, await driver.collect(body), TOO_MANY_PAGES, 'one page more than 10 again', TIMES, rule)
  }
  if (fixture.target.own) await freedByTime(driver, body, rule)
}

async function freedByTime(driver: PaymentDriver, body: object, sameAs: string): Promise<void> {
  await driver.advance(PAGE_MS - MOMENT_MS)
  const early = 'one page more than 10, a moment before they end'
  driver.expect(ABOUT, await driver.collect({ ...body }), TOO_MANY_PAGES, early, TIMES, sameAs)
  await driver.advance(2 * MOMENT_MS)
  driver.expect(ABOUT, await driver.collect({ ...body }), 202, 'a page a moment after the others ended')
}

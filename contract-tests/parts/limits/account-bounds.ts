import { openPage, press } from './page.ts'
import type { LimitsFixture } from './scene.ts'
import type { LimitsDriver } from './act.ts'

const OTP = 123_456
const WRONG_OTP = 654_321
// The share of one merchant, which is half of what an account number may have.
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
const TOO_MANY_SENT = { status: 400, message: 'Too many one-time passwords for this account number within 24 hours' }
const TOO_MANY_WRONG = {
  status: 400,
  message: 'Too many wrong one-time passwords for this account number within 24 hours',
}
const TOO_MANY_PAGES = { status: 400, message: 'Too many open payment pages for this account number' }
const TOO_MANY_PROMPTS = {
  status: 429,
  message: /^Too many approval prompts for this account number: try again in \d+ seconds?$/,
}
const TAKEN = { status: 202 }
const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }

/** What a merchant may do with one account number. Our own gateway must have the decided bounds. */
export async function accountBounds(scene: LimitsFixture): Promise<void> {
  await pages(scene)
  if (!scene.target.own) return scene.leave('how many passwords one number gets (an operator may set other numbers)')
  await sends(scene)
  await wrongTries(scene)
  await prompts(scene)
}

/** 10 passwords are sent in 24 hours, and not one more. */
async function sends(scene: LimitsFixture): Promise<void> {
  const act = scene.act('passwords of one number')
  const body = { msisdn: act.phone('005') }
  for (let sent = 1; sent <= SENDS_MAX; sent++)
    act.expect(ABOUT, await act.collect(body), TAKEN, 'one of 10 passwords', TIMES)
  const rule = 'one password more than 10'
  act.expect(ABOUT, await act.collect(body), TOO_MANY_SENT, rule, TIMES)
  const other = await act.collect({ msisdn: act.phone('005') })
  act.expect(ABOUT, other, TAKEN, 'a password of another number', TIMES)
  await act.advance(DAY_MS - MOMENT_MS)
  const early = 'one password more than 10, a moment before 24 hours'
  act.expect(ABOUT, await act.collect(body), TOO_MANY_SENT, early, TIMES, rule)
  await act.advance(2 * MOMENT_MS)
  act.expect(ABOUT, await act.collect(body), TAKEN, 'a password a moment after 24 hours', TIMES)
}

/** 10 prompts an hour; the reply over it says when there is room. */
async function prompts(scene: LimitsFixture): Promise<void> {
  const act = scene.act('approval prompts of one number')
  const body = { msisdn: act.phone(), amount: 500 }
  for (let count = 1; count <= PROMPTS_MAX; count++)
    act.expect(ABOUT, await act.collect(body), TAKEN, 'one of 10 prompts', TIMES)
  const rule = 'one prompt more than 10'
  const refused = await act.collect(body)
  act.expect(ABOUT, refused, TOO_MANY_PROMPTS, rule, TIMES)
  const retryAfter = refused.header('retry-after')
  act.hold(ABOUT, retryAfter === '3600', `${rule}: Retry-After`, `Retry-After is ${retryAfter}, not 3600`, rule)
  const other = await act.collect({ ...body, msisdn: act.phone() })
  act.expect(ABOUT, other, TAKEN, 'a prompt of another number', TIMES)
  await act.advance(HOUR_MS - MOMENT_MS)
  const early = 'one prompt more than 10, a moment before an hour'
  act.expect(ABOUT, await act.collect(body), TOO_MANY_PROMPTS, early, TIMES, rule)
  await act.advance(2 * MOMENT_MS)
  act.expect(ABOUT, await act.collect(body), TAKEN, 'a prompt a moment after an hour', TIMES)
}

/** After 15 wrong ones not even the right one is taken. */
async function wrongTries(scene: LimitsFixture): Promise<void> {
  const act = scene.act('wrong passwords of one number')
  const body = { msisdn: act.phone('005') }
  const made = []
  for (let count = 0; count <= WRONG_MAX / TRIES_MAX + 1; count++) made.push(await act.collect(body))
  const [late, early, last, ...others] = made
  if (!late || !early || !last) return
  await act.advance(0)
  for (const each of others) for (let tries = 0; tries < TRIES_MAX; tries++) await act.authorize(each, WRONG_OTP)
  for (let tries = 1; tries < TRIES_MAX; tries++) await act.authorize(last, WRONG_OTP)
  const about = 'authorizeCollection'
  act.expect(about, await act.authorize(early, OTP), TAKEN, 'the right password after 14 wrong ones', TIMES)
  await act.authorize(last, WRONG_OTP)
  const rule = 'the right password after 15 wrong ones'
  act.expect(about, await act.authorize(late, OTP), TOO_MANY_WRONG, rule, TIMES)
  act.expect(ABOUT, await act.collect(body), TOO_MANY_SENT, 'a password after 15 wrong ones', TIMES, rule)
  await act.advance(DAY_MS + MOMENT_MS)
  const fresh = await act.collect(body)
  act.expect(ABOUT, fresh, TAKEN, 'a password a moment after 24 hours', TIMES)
  await act.advance(0)
  act.expect(about, await act.authorize(fresh, OTP), TAKEN, 'the right password a moment after 24 hours', TIMES)
}

/** 10 pages are open at a time; one that ends makes room for another. */
async function pages(scene: LimitsFixture): Promise<void> {
  const act = scene.act('open pages of one number')
  const body = { msisdn: act.phone(), ...HOSTED }
  const open = []
  for (let count = 1; count <= PAGES_MAX; count++) {
    const page = await act.collect(body)
    act.expect(ABOUT, page, TAKEN, 'one of 10 open pages', TIMES)
    open.push(page)
  }
  const rule = 'one open page more than 10'
  act.expect(ABOUT, await act.collect(body), TOO_MANY_PAGES, rule, TIMES)
  const [first] = open
  const customer = first && openPage(scene.target, first)
  if (customer) {
    act.story.told('the customer cancels on the first page')
    await press(customer, 'cancel')
    act.expect(ABOUT, await act.collect(body), TAKEN, 'a page in place of one that was cancelled', TIMES)
    act.expect(ABOUT, await act.collect(body), TOO_MANY_PAGES, 'one page more than 10 again', TIMES, rule)
  }
  if (scene.target.own) await freedByTime(act, body, rule)
}

async function freedByTime(act: LimitsDriver, body: object, sameAs: string): Promise<void> {
  await act.advance(PAGE_MS - MOMENT_MS)
  const early = 'one page more than 10, a moment before they end'
  act.expect(ABOUT, await act.collect({ ...body }), TOO_MANY_PAGES, early, TIMES, sameAs)
  await act.advance(2 * MOMENT_MS)
  act.expect(ABOUT, await act.collect({ ...body }), TAKEN, 'a page a moment after the others ended', TIMES)
}

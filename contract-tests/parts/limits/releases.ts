import { OK, status } from '../../driver/merchant-replies.ts'
import { HANDSHAKE } from '../../driver/webhooks.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { fills, isFull, useOf, type LimitUse } from './daily-limit.ts'
import { optionOf, type Option } from '../../driver/provider-options.ts'
import { customerOf, press, WRONG_OTP } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { HOSTED, PAGE_MS, TRIES_MAX } from './bounds.ts'

/** A payment that ends without success gives its share of the daily limit back. */
export async function releases(fixture: DriverFixture): Promise<void> {
  const lister = fixture.driver('the providers')
  const collected = await optionOf(lister, 'mtn_ug', 'COLLECTION', 'UGX')
  const paid = await optionOf(lister, 'mtn_ug', 'PAYOUT', 'UGX')
  if (!collected || !paid) return
  const ways = [[collected, '003'] as const, [paid, '004'] as const]
  // Sequentially where the clock has to be moved; the real clock runs for all of them.
  const tests = 'that failed payouts give their share of the daily limit back'
  const amount = paid.daily
  const isCovered = await fixture.covers({ currency: paid.currency, amount, tests, areReturned: true })
  for (const [option, ending] of ways) {
    if (option === paid && !isCovered) continue
    await afterFailure(useOf(fixture.driver(`the limit after FAILED (${ending})`), option, ending))
  }
  await exhausted(fixture.driver('wrong OTPs'), collected)
  for (const code of [404, 503]) await notConfirmed(fixture, paid, code)
  if (fixture.target.own) await lapsed(fixture.driver('an OTP that nobody entered'), collected)
  await onPage(fixture, collected, 'cancelled')
  if (fixture.target.own) await onPage(fixture, collected, 'expired')
}

async function afterFailure(use: LimitUse): Promise<void> {
  const { named, references } = namedUse(use)
  if (!(await fills(named, 'a new number'))) return
  for (const reference of references) await use.driver.settled(reference)
  await refilled(use, 'FAILED')
}

/** The same, and the references of its payments so far. */
function namedUse(use: LimitUse): { named: LimitUse; references: ReadonlySet<string> } {
  const references = new Set<string>()
  const request: LimitUse['request'] = (amount) => {
    const merchant_reference = use.driver.reference()
    references.add(merchant_reference)
    return use.request(amount, { merchant_reference })
  }
  return { named: { ...use, request }, references }
}

async function refilled(use: LimitUse, ended: string): Promise<void> {
  await fills(use, `${ended} no longer counts`)
  await isFull(use, `filled again after what ${ended}`)
}

/** Five wrong OTPs end it. */
async function exhausted(driver: PaymentDriver, option: Option): Promise<void> {
  const use = useOf(driver, option, '005')
  const made = await use.request(option.max)
  await driver.advance(0)
  for (let tries = 0; tries < TRIES_MAX; tries++) await driver.authorize(made, WRONG_OTP)
  await refilled(use, 'FAILED by wrong OTPs')
}

/** The next attempt follows within this time, the last one too; up to a tenth of jitter. */
const POLLED_AGAIN_MS = [0, 6_000, 34_000, 140_000]

/** The merchant's server rejects it, or does not answer until the attempts end: money was never held for it. */
async function notConfirmed(
  { target, merchant, driver: acting }: DriverFixture,
  option: Option,
  code: number,
): Promise<void> {
  if (!merchant || !target.own) return
  const driver = acting(`a payout whose handshake is answered ${code}`)
  const use = useOf(driver, option)
  const { named, references } = namedUse(use)
  driver.story.note(`the merchant answers the handshakes of these payouts ${code}`)
  merchant.answers(({ webhook, reference = '' }) =>
    webhook === HANDSHAKE && references.has(reference) ? status(code) : OK,
  )
  try {
    if (!(await fills(named, 'a new number'))) return
    for (const ms of POLLED_AGAIN_MS) await driver.advance(ms)
    await refilled(use, `FAILED by a handshake that was answered ${code}`)
  } finally {
    merchant.answers(() => OK)
  }
}

/** It waits for its OTP as long as a payment page is valid. */
async function lapsed(driver: PaymentDriver, option: Option): Promise<void> {
  const use = useOf(driver, option, '005')
  await use.request(option.max)
  await driver.advance(0)
  await driver.advance(PAGE_MS + 1_000)
  await driver.advance(0)
  await refilled(use, 'FAILED without its OTP')
}

/** It counts once its customer has confirmed, and no longer when it has ended without success. */
async function onPage(fixture: DriverFixture, option: Option, ends: 'cancelled' | 'expired'): Promise<void> {
  const driver = fixture.driver(`a payment page that is ${ends}`)
  const use = useOf(driver, option, '005')
  const [first] = await Promise.all([1, 2, 3].map(() => use.request(option.max, HOSTED)))
  const customer = first && customerOf(fixture.target, first.data)
  if (!customer) return
  driver.story.note('the customer confirms on the payment page')
  await press(customer, 'pay')
  const rest = { ...use, option: { ...option, daily: option.daily - option.max } }
  await fills(rest, 'an open page counts once its customer has confirmed, and the others not at all')
  await isFull(use, 'a page whose customer has confirmed counts')
  if (ends === 'cancelled') {
    driver.story.note('the customer cancels')
    await press(customer, 'cancel')
  } else await driver.advance(PAGE_MS + 1_000)
  // Payments made beside the page have ended meanwhile, or wait for their OTP: only the page's own share is free.
  const largest = await use.request(option.max)
  const source = 'everything counts that has not failed or been cancelled'
  driver.expect(use.about, largest, 202, `daily limit: what was ${ends} counts no longer`, source)
  if (ends === 'cancelled') await isFull(use, 'filled again after what was cancelled')
}

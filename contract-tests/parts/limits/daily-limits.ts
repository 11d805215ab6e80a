import { present } from '../../harness/part.ts'
import { fills, isFull, NOT_FULL, ONE_OVER, useOf, type LimitUse } from './daily-limit.ts'
import {
  IN_DOLLARS,
  mobileMoney,
  optionOf,
  paidInDollars,
  wholeDay,
  type Option,
} from '../../driver/provider-options.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { DAY_MS, MOMENT_MS } from './bounds.ts'

const OTHERS_BY_DAY = 6
/** Of the largest amount. */
const SHARE = 0.9
/** ISO 4217 gives these no decimals, all others of the sandbox two. */
const WITHOUT_CENTS = ['UGX', 'RWF']

/** The daily limit of an account number: filled to the unit, not one more, for 24 hours and no longer. */
export async function dailyLimits(fixture: DriverFixture): Promise<void> {
  const lister = fixture.driver('the providers')
  const collected = await optionOf(lister, 'mtn_ug', 'COLLECTION', 'UGX')
  const paid = await optionOf(lister, 'mtn_ug', 'PAYOUT', 'UGX')
  const paidByBank = await optionOf(lister, 'bank_ng', 'PAYOUT', 'NGN')
  if (!collected || !paid || !paidByBank)
    return fixture.skip('daily limits: mtn_ug and bank_ng are not listed as the sandbox has them')
  await Promise.all([
    toTheUnit(fixture.driver('the day of a collecting number'), collected, 1),
    (await isCovered(fixture, paid)) && toTheUnit(fixture.driver('the day of a number that is paid'), paid, 1),
    (await isCovered(fixture, paidByBank)) && day(fixture.driver('the day of a bank account'), paidByBank),
  ])
  await Promise.all([
    atOnce(fixture.driver('many at the same moment'), collected),
    whatDoesNotCount(fixture.driver('what is refused counts for nothing'), collected),
  ])
  await converted(fixture)
  await otherDays(fixture)
  if (fixture.target.own) await rolls(fixture.driver('24 hours'), collected)
}

/** What is requested in another currency counts as what is taken, in the currency of the limit. */
async function converted(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('a day in another currency')
  const { option, collection } = (await paidInDollars(driver)) ?? {}
  if (!option || !collection) return fixture.skip('the daily limit in another currency: no provider takes dollars')
  const taken = async ({ data }: ApiReply): Promise<number> =>
    Number((await driver.verify(data.merchant_reference)).transaction_amount)
  const use = useOf(driver, option)
  const request: LimitUse['request'] = (amount) => use.request(amount, { currency: IN_DOLLARS.currency })
  const price = Math.floor((option.max * SHARE * IN_DOLLARS.amount) / (await taken(collection)))
  for (let sum = 0, each = option.max; sum + each <= option.daily; sum += each) {
    const reply = await request(price)
    const source = `${sum} ${option.currency} of ${option.daily} are used`
    if (!driver.expect(use.about, reply, 202, 'daily limit: a day in another currency', source)) return
    each = await taken(reply)
  }
  await isFull({ ...use, request }, 'a day in another currency', price)
}

/** The same for other listed mobile money options: a seeded selection by default, all of them nightly. */
async function otherDays(fixture: DriverFixture): Promise<void> {
  const listed = (await mobileMoney(fixture.driver('the providers'))).filter(
    ({ code, prefixes }) => code !== 'mtn_ug' && prefixes.length > 0,
  )
  const isChosen = (index: number): boolean =>
    fixture.size === 'nightly' || index % OTHERS_BY_DAY === fixture.seed % OTHERS_BY_DAY
  const chosen: Option[] = []
  for (const [index, option] of listed.entries())
    if (isChosen(index) && (option.type === 'COLLECTION' || (await isCovered(fixture, option)))) chosen.push(option)
  await Promise.all(chosen.map((option) => day(fixture.driver(`the day of a number of ${option.code}`), option)))
}

/** A payout that the wallet does not cover fails, and counts for nothing. */
const isCovered = ({ covers }: DriverFixture, { code, currency, daily }: Option): Promise<boolean> =>
  covers({ currency, amount: daily, tests: `the daily limit of payouts by ${code}` })

const day = (driver: PaymentDriver, option: Option): Promise<void> =>
  exactly(useOf(driver, option), WITHOUT_CENTS.includes(option.currency) ? 1 : 0.01)

async function toTheUnit(driver: PaymentDriver, option: Option, unit: number): Promise<void> {
  const use = useOf(driver, option)
  const [field, otherPays] =
    option.type === 'COLLECTION'
      ? ['msisdn', () => driver.pay({ account_number: use.account, amount: option.min })]
      : ['account_number', () => driver.collect({ msisdn: use.account, amount: option.min })]
  await exactly(use, unit)
  const spelled: LimitUse['request'] = (amount) => use.request(amount, { [field]: `+${use.account}` })
  await isFull({ ...use, request: spelled }, 'the same number with a +')
  // Another direction and another number have daily limits of their own.
  const free = { status: 202 }
  const source = 'the daily limit is per provider, transaction type and account number'
  driver.expect(use.about, await otherPays(), free, 'daily limit: the other direction', source)
  const neighbour = useOf(driver, option)
  driver.expect(use.about, await neighbour.request(option.min), free, 'daily limit: another number', source)
}

/** One unit over is refused, then exactly the rest is accepted, then nothing more. */
async function exactly(use: LimitUse, unit: number): Promise<void> {
  const amounts = wholeDay(use.option)
  const rest = present(amounts.at(-1), 'last amount of a day')
  const before = { ...use, option: { ...use.option, daily: use.option.daily - rest } }
  if (!(await fills(before, NOT_FULL))) return
  if (!(await isFull(use, ONE_OVER, rest + unit))) return
  const last = { status: 202 }
  const source = `${amounts.join(' + ')} ${use.option.currency} is max_daily_amount, and no more`
  use.driver.expect(use.about, await use.request(rest), last, 'daily limit: filled to the unit', source)
  await isFull(use, 'the least amount when it is full')
}

/** Of ten concurrent payments, each a seventh of the daily limit, seven fit. */
async function atOnce(driver: PaymentDriver, option: Option): Promise<void> {
  const use = useOf(driver, option)
  const amount = Math.floor(option.daily / 7)
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => use.request(amount)))).map(
    ({ status }) => status,
  )
  const accepted = statuses.filter((status) => status === 202).length
  driver.hold(
    use.about,
    accepted === 7,
    'daily limit: at once',
    `of 10 collections of ${amount} ${option.currency} at the same moment 7 fit into the daily limit of ${option.daily} (never exceeded, whatever the concurrency), ${accepted} were accepted`,
  )
}

/** Refusals and replays do not count. */
async function whatDoesNotCount(driver: PaymentDriver, option: Option): Promise<void> {
  const use = useOf(driver, option)
  const largest = { amount: option.max, msisdn: use.account }
  const used = { merchant_reference: driver.reference() }
  await driver.collect({ msisdn: driver.phone(), amount: option.min, ...used })
  await driver.collect({ ...largest, ...used })
  await driver.collect({ ...largest, provider_code: 'no_such_provider' })
  await driver.collect({ ...largest, amount: option.max + 1 })
  await driver.collect({ ...largest, description: 'short' })
  const [first = option.max, ...others] = wholeDay(option)
  const key = { 'idempotency-key': driver.reference() }
  for (let sent = 0; sent < 3; sent++)
    await driver.collect({ msisdn: use.account, amount: first, merchant_reference: `${key['idempotency-key']}-K` }, key)
  const rest = { ...use, option: { ...option, daily: others.reduce((sum, each) => sum + each, 0) } }
  const uncounted = 'what was refused, and a request that was repeated under its Idempotency-Key, count for nothing'
  await fills(rest, uncounted)
  await isFull(use, 'what was repeated counts once')
}

/** 24 hours after each payment, not at midnight. */
async function rolls(driver: PaymentDriver, option: Option): Promise<void> {
  const use = useOf(driver, option)
  const [first = option.max, ...others] = wholeDay(option)
  await use.request(first)
  await driver.advance(3_600_000)
  for (const amount of others) await use.request(amount)
  await isFull(use, 'a full day')
  await driver.advance(DAY_MS - 3_600_000 - MOMENT_MS)
  await isFull(use, 'a moment before 24 hours have passed')
  await driver.advance(2 * MOMENT_MS)
  const source = 'the limit is of any 24 hours'
  const free = { status: 202 }
  driver.expect(use.about, await use.request(first), free, 'daily limit: a moment after 24 hours', source)
  await isFull(use, 'what is not yet 24 hours old')
}

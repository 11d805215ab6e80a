import { bankPayout } from '../../harness/bodies.ts'
import { present } from '../../harness/part.ts'
import { fills, isFull, NOT_FULL, ONE_OVER, wholeDay, type LimitUse } from './daily-limit.ts'
import { mobileMoney, numberOf, optionOf, type Direction, type Option } from './options.ts'
import type { LimitsDriver } from './act.ts'
import type { LimitsFixture } from './scene.ts'

const DAY_MS = 24 * 3_600_000
/** Times are exact to the millisecond, whatever runs past them. */
const MOMENT_MS = 1
const OTHERS_BY_DAY = 6
/** ISO 4217 gives these no decimals, all others of the sandbox two. */
const WITHOUT_CENTS = ['UGX', 'RWF']

/** The daily limit of an account number: filled to the unit, not one more, for 24 hours and no longer. */
export async function dailyLimits(scene: LimitsFixture): Promise<void> {
  const collected = await optionOf(scene.target, 'mtn_ug', 'COLLECTION', 'UGX')
  const paid = await optionOf(scene.target, 'mtn_ug', 'PAYOUT', 'UGX')
  const paidByBank = await optionOf(scene.target, 'bank_ng', 'PAYOUT', 'NGN')
  if (!collected || !paid || !paidByBank)
    return scene.leave('daily limits: mtn_ug and bank_ng are not listed as the sandbox has them')
  await Promise.all([
    toTheUnit(scene.act('the day of a collecting number'), collected, 'COLLECTION', 1),
    toTheUnit(scene.act('the day of a number that is paid'), paid, 'PAYOUT', 1),
    toTheUnitOfABank(scene.act('the day of a bank account'), paidByBank),
  ])
  await Promise.all([
    atOnce(scene.act('many at the same moment'), collected),
    whatDoesNotCount(scene.act('what is refused counts for nothing'), collected),
  ])
  await otherDays(scene)
  if (scene.target.own) await rolls(scene.act('24 hours'), collected)
}

/** The same of what else is listed for mobile money: by day some that the seed chooses, by night all. */
async function otherDays(scene: LimitsFixture): Promise<void> {
  const listed = (await mobileMoney(scene.target)).filter(
    ({ code, prefixes }) => code !== 'mtn_ug' && prefixes.length > 0,
  )
  const isChosen = (index: number): boolean =>
    scene.size === 'nightly' || index % OTHERS_BY_DAY === scene.seed % OTHERS_BY_DAY
  await Promise.all(
    listed
      .filter((_option, index) => isChosen(index))
      .map((option) => otherDay(scene.act(`the day of a number of ${option.code}`), option)),
  )
}

async function otherDay(act: LimitsDriver, option: Option): Promise<void> {
  const { type, currency, code: provider_code, prefixes } = option
  const number = numberOf(act, currency, prefixes[0] ?? '', '006')
  const use: LimitUse = {
    option,
    about: type === 'COLLECTION' ? 'initializeCollection' : 'sendFunds',
    ask: (amount) =>
      type === 'COLLECTION'
        ? act.collect({ msisdn: number, amount, provider_code, currency })
        : act.pay({ account_number: number, amount, provider_code, currency }),
  }
  await exactly(act, use, WITHOUT_CENTS.includes(currency) ? 1 : 0.01)
}

/** Payments of one phone number. */
export function useOf(
  act: LimitsDriver,
  option: Option,
  type: Direction,
  ending = '006',
): LimitUse & { readonly phone: string } {
  const phone = act.phone(ending)
  return type === 'COLLECTION'
    ? {
        option,
        phone,
        about: 'initializeCollection',
        ask: (amount, changes) => act.collect({ msisdn: phone, amount, ...changes }),
      }
    : {
        option,
        phone,
        about: 'sendFunds',
        ask: (amount, changes) => act.pay({ account_number: phone, amount, ...changes }),
      }
}

async function toTheUnit(act: LimitsDriver, option: Option, type: Direction, unit: number): Promise<void> {
  const use = useOf(act, option, type)
  await exactly(act, use, unit)
  await isFull(act, { ...use, ask: (amount) => use.ask(amount, plus(use.phone, type)) }, 'the same number with a +')
  // Another direction and another number have a day of their own.
  const otherType = type === 'COLLECTION' ? 'PAYOUT' : 'COLLECTION'
  const other =
    otherType === 'PAYOUT'
      ? await act.pay({ account_number: use.phone, amount: option.min })
      : await act.collect({ msisdn: use.phone, amount: option.min })
  const source = 'the daily limit is per provider, transaction type and account number'
  act.expect(use.about, other, { status: 202 }, 'daily limit: the other direction', source)
  const neighbour = useOf(act, option, type)
  act.expect(use.about, await neighbour.ask(option.min), { status: 202 }, 'daily limit: another number', source)
}

const plus = (phone: string, type: Direction) =>
  type === 'COLLECTION' ? { msisdn: `+${phone}` } : { account_number: `+${phone}` }

async function toTheUnitOfABank(act: LimitsDriver, option: Option): Promise<void> {
  const account_number = `04${act.phone('006').slice(-10)}`
  const sendRequest: LimitUse['ask'] = (amount) =>
    act.post('sendFunds', bankPayout({ merchant_reference: act.reference(), account_number, amount }))
  await exactly(act, { option, about: 'sendFunds', ask: sendRequest }, 0.01)
}

/** One unit over is refused, then exactly what is left is taken, then nothing more. */
export async function exactly(act: LimitsDriver, use: LimitUse, unit: number): Promise<void> {
  const amounts = wholeDay(use.option)
  const rest = present(amounts.at(-1), 'last amount of a day')
  const before = { ...use, option: { ...use.option, daily: use.option.daily - rest } }
  if (!(await fills(act, before, NOT_FULL))) return
  if (!(await isFull(act, use, ONE_OVER, rest + unit))) return
  const last = { status: 202 }
  const source = `${amounts.join(' + ')} ${use.option.currency} is max_daily_amount, and no more`
  act.expect(use.about, await use.ask(rest), last, 'daily limit: filled to the unit', source)
  await isFull(act, use, 'the least amount when it is full')
}

/** Of ten at the same moment, each a seventh of the day, seven fit. */
async function atOnce(act: LimitsDriver, option: Option): Promise<void> {
  const use = useOf(act, option, 'COLLECTION')
  const amount = Math.floor(option.daily / 7)
  const statuses = (await Promise.all(Array.from({ length: 10 }, () => use.ask(amount)))).map(({ status }) => status)
  const accepted = statuses.filter((status) => status === 202).length
  act.hold(
    use.about,
    accepted === 7,
    'daily limit: at once',
    `of 10 collections of ${amount} ${option.currency} at the same moment 7 fit into the daily limit of ${option.daily} (never exceeded, whatever the concurrency), ${accepted} were accepted`,
  )
}

/** Refusals and replays use nothing up. */
async function whatDoesNotCount(act: LimitsDriver, option: Option): Promise<void> {
  const use = useOf(act, option, 'COLLECTION')
  const largest = { amount: option.max, msisdn: use.phone }
  const used = { merchant_reference: act.reference() }
  await act.collect({ msisdn: act.phone(), amount: option.min, ...used })
  await act.collect({ ...largest, ...used })
  await act.collect({ ...largest, provider_code: 'no_such_provider' })
  await act.collect({ ...largest, amount: option.max + 1 })
  await act.collect({ ...largest, description: 'short' })
  const [first = option.max, ...others] = wholeDay(option)
  const key = { 'idempotency-key': act.reference() }
  for (let sent = 0; sent < 3; sent++)
    await act.collect({ msisdn: use.phone, amount: first, merchant_reference: `${key['idempotency-key']}-K` }, key)
  const rest = { ...use, option: { ...option, daily: others.reduce((sum, each) => sum + each, 0) } }
  await fills(
    act,
    rest,
    'what was refused, and a request that was repeated under its Idempotency-Key, count for nothing',
  )
  await isFull(act, use, 'what was repeated counts once')
}

/** 24 hours after each payment, not at midnight. */
async function rolls(act: LimitsDriver, option: Option): Promise<void> {
  const use = useOf(act, option, 'COLLECTION')
  const [first = option.max, ...others] = wholeDay(option)
  await use.ask(first)
  await act.advance(3_600_000)
  for (const amount of others) await use.ask(amount)
  await isFull(act, use, 'a full day')
  await act.advance(DAY_MS - 3_600_000 - MOMENT_MS)
  await isFull(act, use, 'a moment before 24 hours have passed')
  await act.advance(2 * MOMENT_MS)
  const source = 'the limit is of any 24 hours'
  const free = { status: 202 }
  act.expect(use.about, await use.ask(first), free, 'daily limit: a moment after 24 hours', source)
  await isFull(act, use, 'what is not yet 24 hours old')
}

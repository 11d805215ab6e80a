import { OK, status } from '../receiver/replies.ts'
import { HANDSHAKE } from '../receiver/schedule.ts'
import type { LimitsDriver } from './act.ts'
import { fills, isFull, type LimitUse } from './daily-limit.ts'
import { optionOf, type Option } from './options.ts'
import { useOf } from './daily-limits.ts'
import { openPage, press } from './page.ts'
import type { LimitsFixture } from './scene.ts'

const PAGE_MS = 30 * 60_000
const WRONG_OTP = 654_321
const TRIES_MAX = 5

/** Whatever ends without success gives back what it had of the daily limit. */
export async function releases(scene: LimitsFixture): Promise<void> {
  const collected = await optionOf(scene.target, 'mtn_ug', 'COLLECTION', 'UGX')
  const paid = await optionOf(scene.target, 'mtn_ug', 'PAYOUT', 'UGX')
  if (!collected || !paid) return
  const ways = [
    ...(['002', '003', '004', '456'] as const).map((ending) => ['COLLECTION', collected, ending] as const),
    ...(['002', '003', '004'] as const).map((ending) => ['PAYOUT', paid, ending] as const),
  ]
  // One after the other where a clock has to be moved; a clock of its own goes on for all.
  for (const [type, option, ending] of ways) {
    const act = scene.act(`what FAILED (${ending}) is given back`)
    await afterFailure(act, useOf(act, option, type, ending))
  }
  await exhausted(scene.act('wrong passwords'), collected)
  for (const code of [404, 503]) await notConfirmed(scene, paid, code)
  if (scene.target.own) await lapsed(scene.act('a password that nobody gave'), collected)
  await onPage(scene, collected, 'cancelled')
  if (scene.target.own) await onPage(scene, collected, 'expired')
}

async function afterFailure(act: LimitsDriver, use: LimitUse): Promise<void> {
  const references: string[] = []
  const named: LimitUse['ask'] = (amount) => {
    const merchant_reference = act.reference()
    references.push(merchant_reference)
    return use.ask(amount, { merchant_reference })
  }
  if (!(await fills(act, { ...use, ask: named }, 'a new number'))) return
  for (const reference of references) await act.settled(reference)
  await refilled(act, use, 'FAILED')
}

async function refilled(act: LimitsDriver, use: LimitUse, ended: string): Promise<void> {
  await fills(act, use, `what ${ended} counts no longer`)
  await isFull(act, use, `filled again after what ${ended}`)
}

/** Five wrong passwords end it. */
async function exhausted(act: LimitsDriver, option: Option): Promise<void> {
  const use = useOf(act, option, 'COLLECTION', '005')
  const made = await use.ask(option.max)
  await act.advance(0)
  for (let tries = 0; tries < TRIES_MAX; tries++) await act.authorize(made, WRONG_OTP)
  await refilled(act, use, 'FAILED by wrong passwords')
}

/** So long after a question the next one has come, the last one too; up to a tenth longer by chance. */
const POLLED_AGAIN_MS = [0, 6_000, 34_000, 140_000]

/** The merchant's server says no to it, or nothing until it is asked no more: no money was ever put aside for it. */
async function notConfirmed(
  { target, merchant, act: acting }: LimitsFixture,
  option: Option,
  code: number,
): Promise<void> {
  if (!merchant || !target.own) return
  const act = acting(`a payout whose handshake is answered ${code}`)
  const references = new Set<string>()
  const use = useOf(act, option, 'PAYOUT')
  const named: LimitUse['ask'] = (amount) => {
    const merchant_reference = act.reference()
    references.add(merchant_reference)
    return use.ask(amount, { merchant_reference })
  }
  act.story.told(`the merchant answers the handshakes of these payouts ${code}`)
  merchant.answers(({ webhook, reference = '' }) =>
    webhook === HANDSHAKE && references.has(reference) ? status(code) : OK,
  )
  try {
    if (!(await fills(act, { ...use, ask: named }, 'a new number'))) return
    for (const ms of POLLED_AGAIN_MS) await act.advance(ms)
    await refilled(act, use, `FAILED by a handshake that was answered ${code}`)
  } finally {
    merchant.answers(() => OK)
  }
}

/** It waits for its password as long as a payment page lives. */
async function lapsed(act: LimitsDriver, option: Option): Promise<void> {
  const use = useOf(act, option, 'COLLECTION', '005')
  await use.ask(option.max)
  await act.advance(0)
  await act.advance(PAGE_MS + 1_000)
  await act.advance(0)
  await refilled(act, use, 'FAILED without its password')
}

/** It counts once its customer has confirmed, and no longer when it has ended without success. */
async function onPage(scene: LimitsFixture, option: Option, ends: 'cancelled' | 'expired'): Promise<void> {
  const act = scene.act(`a payment page that is ${ends}`)
  const use = useOf(act, option, 'COLLECTION', '005')
  const hosted = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
  const pages = [
    await use.ask(option.max, hosted),
    await use.ask(option.max, hosted),
    await use.ask(option.max, hosted),
  ]
  const [first] = pages
  const customer = first && openPage(scene.target, first)
  if (!customer) return
  act.story.told('the customer confirms on the payment page')
  await press(customer, 'pay')
  const rest = { ...use, option: { ...option, daily: option.daily - option.max } }
  await fills(act, rest, 'an open page counts once its customer has confirmed, and the others not at all')
  await isFull(act, use, 'a page whose customer has confirmed counts')
  if (ends === 'cancelled') {
    act.story.told('the customer cancels')
    await press(customer, 'cancel')
  } else await act.advance(PAGE_MS + 1_000)
  // What was asked for beside the page has ended meanwhile, or waits for its password: only the page's own share is free.
  const largest = await use.ask(option.max)
  const source = 'everything counts that has not failed or been cancelled'
  act.expect(use.about, largest, { status: 202 }, `daily limit: what was ${ends} counts no longer`, source)
  if (ends === 'cancelled') await isFull(act, use, 'filled again after what was cancelled')
}

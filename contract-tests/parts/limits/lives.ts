import type { Fields } from '../../harness/json.ts'
import { expectRecord } from './act.ts'
import { openPage, press } from './page.ts'
import type { LimitsFixture } from './scene.ts'

/** Times are exact to the millisecond, whatever runs past them. */
const MOMENT_MS = 1
const PAGE_MS = 30 * 60_000
const LATE_MS = 72 * 3_600_000
const ABOUT = 'initializeCollection'
const HOSTED = { mobile_money_hpp: true, redirect_url: 'https://shop.example/done' }
const TIMES = 'docs, page "Life of a transaction", Times'
const TEST_NUMBERS = 'docs, page "Test numbers"'
const FAILED = { transaction_status: 'FAILED', status_message: 'The request timed out without a transfer' }
const COMPLETED = { transaction_status: 'COMPLETED', status_message: 'Transaction Completed Successfully' }
const EXPIRED = {
  transaction_status: 'FAILED',
  status_message: 'Payment page expired',
  failure_code: 'expired',
  transaction_charge: 0,
  total_credit: 0,
}

/** How long things last, from both sides. Only where the clock can be moved. */
export async function payments(scene: LimitsFixture): Promise<void> {
  if (!scene.target.own) return scene.leave('how long pages, late results and Idempotency-Keys last')
  await page(scene, PAGE_MS - MOMENT_MS, 'a moment before 30 minutes', COMPLETED)
  await page(scene, PAGE_MS + MOMENT_MS, 'a moment after 30 minutes', EXPIRED)
  await lateResult(scene, LATE_MS - MOMENT_MS, 'a moment before 72 hours', COMPLETED)
  await lateResult(scene, LATE_MS + MOMENT_MS, 'a moment after 72 hours', FAILED)
  await lateResult(scene, LATE_MS - MOMENT_MS, 'that may change nothing', FAILED, { allow_final_status_change: false })
}

/** A customer who comes then still can pay, or cannot any more. */
async function page(scene: LimitsFixture, afterMs: number, when: string, expected: Fields): Promise<void> {
  const act = scene.act(`a payment page ${when}`)
  const merchant_reference = act.reference()
  const made = await act.collect({ msisdn: act.phone(), merchant_reference, ...HOSTED })
  await act.advance(afterMs)
  const customer = openPage(scene.target, made)
  if (customer) {
    act.story.told('the customer confirms on the payment page')
    await press(customer, 'pay').catch(() => undefined)
  }
  expectRecord(act, ABOUT, await act.settled(merchant_reference), expected, `a payment page ${when}`, TIMES)
}

/** The test number 007 fails, then succeeds; the success is heard only when the clock has jumped. */
async function lateResult(
  scene: LimitsFixture,
  afterMs: number,
  when: string,
  expected: Fields,
  changes: Fields = {},
): Promise<void> {
  const act = scene.act(`a late result ${when}`)
  const merchant_reference = act.reference()
  await act.collect({ msisdn: act.phone('007'), merchant_reference, ...changes })
  const failed = await act.settled(merchant_reference)
  if (!expectRecord(act, ABOUT, failed, FAILED, 'test number 007 at first', TEST_NUMBERS)) return
  await act.advance(afterMs)
  expectRecord(act, ABOUT, await act.verify(merchant_reference), expected, `a late result ${when}`, TIMES)
}

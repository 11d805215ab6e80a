import type { Fields } from '../../harness/json.ts'
import { expectRecord } from '../../driver/payment-driver.ts'
import { customerOf, press } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { HOSTED, MOMENT_MS, PAGE_MS, TIMES } from './bounds.ts'

const LATE_MS = 72 * 3_600_000
const ABOUT = 'initializeCollection'
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

/** Time limits of pages and payments, from both sides. Only where the clock can be moved. */
export async function payments(fixture: DriverFixture): Promise<void> {
  if (!fixture.target.own) return fixture.skip('how long pages, late results and Idempotency-Keys last')
  await page(fixture, PAGE_MS - MOMENT_MS, 'a moment before 30 minutes', COMPLETED)
  await page(fixture, PAGE_MS + MOMENT_MS, 'a moment after 30 minutes', EXPIRED)
  await lateResult(fixture, LATE_MS - MOMENT_MS, 'a moment before 72 hours', COMPLETED)
  await lateResult(fixture, LATE_MS + MOMENT_MS, 'a moment after 72 hours', FAILED)
  await lateResult(fixture, LATE_MS - MOMENT_MS, 'that may change nothing', FAILED, {
    allow_final_status_change: false,
  })
}

/** A customer who comes at that time still can pay, or no longer can. */
async function page(fixture: DriverFixture, afterMs: number, when: string, expected: Fields): Promise<void> {
  const driver = fixture.driver(`a payment page ${when}`)
  const merchant_reference = driver.reference()
  const made = await driver.collect({ msisdn: driver.phone(), merchant_reference, ...HOSTED })
  await driver.advance(afterMs)
  const customer = customerOf(fixture.target, made.data)
  if (customer) {
    driver.story.note('the customer confirms on the payment page')
    await press(customer, 'pay').catch(() => undefined)
  }
  expectRecord(driver, ABOUT, await driver.settled(merchant_reference), expected, `a payment page ${when}`, TIMES)
}

/** The test number 007 fails, then succeeds; the success is polled only after the clock has jumped. */
async function lateResult(
  fixture: DriverFixture,
  afterMs: number,
  when: string,
  expected: Fields,
  changes: Fields = {},
): Promise<void> {
  const driver = fixture.driver(`a late result ${when}`)
  const merchant_reference = driver.reference()
  await driver.collect({ msisdn: driver.phone('007'), merchant_reference, ...changes })
  const failed = await driver.settled(merchant_reference)
  if (!expectRecord(driver, ABOUT, failed, FAILED, 'test number 007 at first', TEST_NUMBERS)) return
  await driver.advance(afterMs)
  expectRecord(driver, ABOUT, await driver.verify(merchant_reference), expected, `a late result ${when}`, TIMES)
}

import { elapse } from '../../driver/clock.ts'
import { customerOf, press, WRONG_OTP, SANDBOX_OTP } from '../../driver/customer.ts'
import { expectRecord } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { HOSTED, MOMENT_MS, TRIES_MAX } from './bounds.ts'

const LIFETIME_MS = 5 * 60_000
/** A new one is not sent earlier. */
const ANEW_MS = 31_000
const ABOUT = 'authorizeCollection'
export const INVALID = { status: 400, message: refusal('otp_wrong') }
const ENDED = { status: 409, message: /is not waiting for a one-time password$/ }
const TRIES = 'the contract: after 5 wrong tries the collection fails'
const LIFETIME = 'the contract: a one-time password is valid for 5 minutes after it was sent'

/** An OTP: five attempts, five minutes. */
export async function passwords(fixture: DriverFixture): Promise<void> {
  await fiveWrong(fixture)
  await anewBetween(fixture)
  if (!fixture.target.own) return fixture.skip('the lifetime of OTPs')
  await payments(fixture, LIFETIME_MS - MOMENT_MS, 'a moment before its five minutes are over', true)
  await payments(fixture, LIFETIME_MS + MOMENT_MS, 'a moment after its five minutes', false)
}

async function waiting(fixture: DriverFixture, name: string) {
  const driver = fixture.driver(name)
  const merchant_reference = driver.reference()
  const made = await driver.collect({ msisdn: driver.phone('005'), merchant_reference })
  // It is sent when the jobs due now have run.
  await driver.advance(0)
  return { driver, made, merchant_reference }
}

async function fiveWrong(fixture: DriverFixture): Promise<void> {
  const { driver, made, merchant_reference } = await waiting(fixture, 'one try too many')
  for (let tries = 1; tries <= TRIES_MAX; tries++)
    driver.expect(ABOUT, await driver.authorize(made, WRONG_OTP), INVALID, `a wrong OTP, try ${tries}`, TRIES)
  const failed = {
    transaction_status: 'FAILED',
    status_message: 'Too many wrong one-time passwords',
    failure_code: 'declined',
  }
  const rule = 'a collection after five wrong OTPs'
  expectRecord(driver, ABOUT, await driver.settled(merchant_reference), failed, rule, TRIES)
  const right = await driver.authorize(made, SANDBOX_OTP)
  driver.expect(ABOUT, right, ENDED, 'the right OTP after five wrong ones', TRIES, rule)
}

/** The tries are those of the collection: a new password on the page gives no further ones. */
async function anewBetween(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('a new OTP between wrong ones')
  const made = await driver.collect({ ...HOSTED, msisdn: driver.phone('005'), merchant_reference: driver.reference() })
  const customer = customerOf(fixture.target, made.data)
  if (!customer) return
  await press(customer, 'pay')
  // The first one is sent.
  await elapse(fixture.target.own, fixture.target.own ? 0 : MOMENT_MS)
  for (let tries = 1; tries < TRIES_MAX; tries++) await press(customer, 'pay', { otp: WRONG_OTP })
  await elapse(fixture.target.own, ANEW_MS)
  await press(customer, 'anew')
  await press(customer, 'pay', { otp: WRONG_OTP })
  const failed = { transaction_status: 'FAILED', status_message: 'Too many wrong one-time passwords' }
  const record = await driver.verify(made.data.merchant_reference)
  expectRecord(driver, 'payment page', record, failed, 'five wrong OTPs, with a new one before the last', TRIES)
}

async function payments(fixture: DriverFixture, afterMs: number, when: string, isGood: boolean): Promise<void> {
  const { driver, made } = await waiting(fixture, `an OTP ${when}`)
  await driver.advance(afterMs)
  const expected = isGood ? { status: 202 } : INVALID
  driver.expect(ABOUT, await driver.authorize(made, SANDBOX_OTP), expected, `the right OTP ${when}`, LIFETIME)
}

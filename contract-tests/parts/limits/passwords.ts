import { WRONG_OTP, SANDBOX_OTP } from '../../driver/customer.ts'
import { expectRecord } from '../../driver/payment-driver.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { MOMENT_MS, TRIES_MAX } from './bounds.ts'

const LIFETIME_MS = 5 * 60_000
const ABOUT = 'authorizeCollection'
export const INVALID = { status: 400, message: refusal('otp_wrong') }
const ENDED = { status: 409, message: /is not waiting for a one-time password$/ }
const TRIES = 'the contract: after 5 wrong tries the collection fails'
const LIFETIME = 'the contract: a one-time password is valid for 5 minutes after it was sent'

/** An OTP: five attempts, five minutes. */
export async function passwords(fixture: DriverFixture): Promise<void> {
  await fourWrong(fixture)
  await fiveWrong(fixture)
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

async function fourWrong(fixture: DriverFixture): Promise<void> {
  const { driver, made } = await waiting(fixture, 'the last try')
  for (let tries = 1; tries < TRIES_MAX; tries++)
    driver.expect(ABOUT, await driver.authorize(made, WRONG_OTP), INVALID, 'a wrong OTP', TRIES)
  const right = await driver.authorize(made, SANDBOX_OTP)
  driver.expect(ABOUT, right, 202, 'the right OTP after four wrong ones', TRIES)
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
  driver.expect(
    ABOUT,
    await driver.authorize(made, SANDBOX_OTP),
    ENDED,
    'the right OTP after five wrong ones',
    TRIES,
    rule,
  )
}

async function payments(fixture: DriverFixture, afterMs: number, when: string, isGood: boolean): Promise<void> {
  const { driver, made } = await waiting(fixture, `an OTP ${when}`)
  await driver.advance(afterMs)
  const expected = isGood ? { status: 202 } : INVALID
  driver.expect(ABOUT, await driver.authorize(made, SANDBOX_OTP), expected, `the right OTP ${when}`, LIFETIME)
}

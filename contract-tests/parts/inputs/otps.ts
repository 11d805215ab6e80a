import { SANDBOX_OTP } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { IS_ACCEPTED } from './input-requests.ts'
import { inTurns } from './texts.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'

/** The sandbox's OTP (docs, page "Test numbers"). */
const SOURCE = 'the contract: a one-time password is a number, and this is another one'
/** Numbers that start or end with the right one, or contain its digits. Fewer at a time than use a collection up. */
const OTHERS: readonly (readonly number[])[] = [
  [1_234_560, 12_345_600, 1_234_561, 12_345_678],
  [9_123_456, 99_123_456, 12_345, 1_234],
  [23_456, 3_456, 654_321, 123_457],
  [123_455, 1_123_456, 123_465, 100_000],
]

/** The right one in another type: it is refused by its form, and uses no try up. */
const OTHER_TYPES = ['"123456"', '[123456]', 'true', '123456.5', '{}', 'null', '"123456 "']

/** Another number is another OTP, however similar. */
export async function otps(fixture: DriverFixture): Promise<void> {
  await inTurns(OTHERS, async (numbers) => {
    const driver = fixture.driver('OTPs that are almost right')
    const made = await driver.collect({ msisdn: driver.phone('005') })
    await driver.advance(0)
    for (const otp of numbers) {
      const reply = await driver.authorize(made, otp)
      const wrong = { status: 400, message: refusal('otp_wrong') }
      driver.expect(
        'authorizeCollection',
        reply,
        wrong,
        'otp: one that is almost right is accepted',
        `${SOURCE}; ${otp}`,
      )
    }
    const right = await driver.authorize(made, SANDBOX_OTP)
    driver.expect('authorizeCollection', right, IS_ACCEPTED, 'otp: the right one after four others', 'five tries')
  })
  await otherTypes(fixture)
}

async function otherTypes(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('an OTP of another type')
  const made = await driver.collect({ msisdn: driver.phone('005') })
  await driver.advance(0)
  const reference = JSON.stringify(made.data.internal_reference)
  for (const text of OTHER_TYPES) {
    const reply = await driver.post('authorizeCollection', `{"internal_reference":${reference},"otp":${text}}`)
    const form = { status: 400, message: /^otp (?:must |is required)/ }
    driver.expect(
      'authorizeCollection',
      reply,
      form,
      'otp: another type is accepted',
      `the contract: an integer; ${text}`,
    )
  }
  const right = await driver.authorize(made, SANDBOX_OTP)
  driver.expect('authorizeCollection', right, IS_ACCEPTED, 'otp: another type has used up a try', 'five tries')
}

import { SANDBOX_OTP } from '../../driver/customer.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { ACCEPTED, REFUSED } from './input-requests.ts'

/**
 * Texts for the OTP, before the right one. Each group has fewer than use a collection up; those of another type are
 * refused by their form, and use no try up.
 */
const OTHERS: readonly (readonly string[])[] = [
  ['1234560', '12345600', '1234561', '12345678'],
  ['9123456', '99123456', '12345', '1234'],
  ['23456', '3456', '654321', '123457'],
  ['123455', '1123456', '123465', '100000'],
  ['"123456"', '[123456]', 'true', '123456.5', '{}', 'null', '"123456 "'],
]
/** 123456.0 is an integer (JSON Schema 2020-12, section 6.1.1). */
const SAME = [String(SANDBOX_OTP), '123456.0', '1.23456e5', '1234560e-1']
const SOURCE = 'the contract: a one-time password is an integer, and this is another one'

/** Another number is another OTP, however similar; the right one may be written in each way of JSON. */
export async function otps(fixture: DriverFixture): Promise<void> {
  await forEachOf([...OTHERS.entries()], async ([index, texts]) => {
    const driver = fixture.driver('OTPs that are almost right')
    const { data } = await driver.collect({ msisdn: driver.phone('005') })
    await driver.advance(0)
    const authorize = (otp: string) =>
      driver.post(
        'authorizeCollection',
        `{"internal_reference":${JSON.stringify(data.internal_reference)},"otp":${otp}}`,
      )
    for (const text of texts) {
      const rule = 'otp: one that is almost right is accepted'
      driver.expect('authorizeCollection', await authorize(text), REFUSED, rule, `${SOURCE}; ${text}`)
    }
    const same = SAME[index % SAME.length] ?? ''
    driver.expect('authorizeCollection', await authorize(same), ACCEPTED, `otp: ${same} after others`, 'five tries')
  })
}

import type { LimitsFixture } from '../limits/scene.ts'
import { TAKEN } from './asked.ts'
import { inTurns } from './texts.ts'

/** Of the sandbox (docs, page "Test numbers"). */
const PASSWORD = 123_456
const SOURCE = 'the contract: a one-time password is a number, and this is another one'
/** Numbers that begin or end with the right one, or have its digits. Fewer at a time than use a collection up. */
const OTHERS: readonly (readonly number[])[] = [
  [1_234_560, 12_345_600, 1_234_561, 12_345_678],
  [9_123_456, 99_123_456, 12_345, 1_234],
  [23_456, 3_456, 654_321, 123_457],
  [123_455, 1_123_456, 123_465, 100_000],
]

/** Another number is another password, however alike. */
export async function otps(scene: LimitsFixture): Promise<void> {
  await inTurns(OTHERS, async (numbers) => {
    const act = scene.act('passwords that are almost right')
    const made = await act.collect({ msisdn: act.phone('005') })
    await act.advance(0)
    for (const otp of numbers) {
      const reply = await act.authorize(made, otp)
      const wrong = { status: 400, message: 'Invalid OTP' }
      act.expect('authorizeCollection', reply, wrong, 'otp: one that is almost right is taken', `${SOURCE}; ${otp}`)
    }
    const right = await act.authorize(made, PASSWORD)
    act.expect('authorizeCollection', right, TAKEN, 'otp: the right one after four others', 'five tries')
  })
}

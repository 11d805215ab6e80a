import { expectRecord } from './act.ts'
import type { LimitsFixture } from './scene.ts'

const OTP = 123_456
const WRONG_OTP = 654_321
const TRIES_MAX = 5
const LIFE_MS = 5 * 60_000
/** Times are exact to the millisecond, whatever runs past them. */
const MOMENT_MS = 1
const ABOUT = 'authorizeCollection'
export const INVALID = { status: 400, message: 'Invalid OTP' }
const ENDED = { status: 409, message: /is not waiting for a one-time password$/ }
const TRIES = 'the contract: after 5 wrong tries the collection fails'
const LIFE = 'the contract: a one-time password lives 5 minutes from when it was sent'

/** A one-time password: five tries, five minutes. */
export async function passwords(scene: LimitsFixture): Promise<void> {
  await fourWrong(scene)
  await fiveWrong(scene)
  if (!scene.target.own) return scene.leave('the lives of passwords')
  await payments(scene, LIFE_MS - MOMENT_MS, 'a moment before its five minutes are over', true)
  await payments(scene, LIFE_MS + MOMENT_MS, 'a moment after its five minutes', false)
}

async function waiting(scene: LimitsFixture, name: string) {
  const act = scene.act(name)
  const merchant_reference = act.reference()
  const made = await act.collect({ msisdn: act.phone('005'), merchant_reference })
  // It is sent when the work of this moment is done.
  await act.advance(0)
  return { act, made, merchant_reference }
}

async function fourWrong(scene: LimitsFixture): Promise<void> {
  const { act, made } = await waiting(scene, 'the last try')
  for (let tries = 1; tries < TRIES_MAX; tries++)
    act.expect(ABOUT, await act.authorize(made, WRONG_OTP), INVALID, 'a wrong password', TRIES)
  const right = await act.authorize(made, OTP)
  act.expect(ABOUT, right, { status: 202 }, 'the right password after four wrong ones', TRIES)
}

async function fiveWrong(scene: LimitsFixture): Promise<void> {
  const { act, made, merchant_reference } = await waiting(scene, 'one try too many')
  for (let tries = 1; tries <= TRIES_MAX; tries++)
    act.expect(ABOUT, await act.authorize(made, WRONG_OTP), INVALID, `a wrong password, try ${tries}`, TRIES)
  const failed = {
    transaction_status: 'FAILED',
    status_message: 'Too many wrong one-time passwords',
    failure_code: 'declined',
  }
  const rule = 'a collection after five wrong passwords'
  expectRecord(act, ABOUT, await act.settled(merchant_reference), failed, rule, TRIES)
  act.expect(ABOUT, await act.authorize(made, OTP), ENDED, 'the right password after five wrong ones', TRIES, rule)
}

async function payments(scene: LimitsFixture, afterMs: number, when: string, isGood: boolean): Promise<void> {
  const { act, made } = await waiting(scene, `a password ${when}`)
  await act.advance(afterMs)
  const expected = isGood ? { status: 202 } : INVALID
  act.expect(ABOUT, await act.authorize(made, OTP), expected, `the right password ${when}`, LIFE)
}

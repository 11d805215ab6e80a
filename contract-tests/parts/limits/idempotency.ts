import * as bodies from '../../harness/bodies.ts'
import type { LimitsDriver } from './act.ts'
import { INVALID } from './passwords.ts'
import type { Post, ApiReply } from './requests.ts'
import type { LimitsFixture } from './scene.ts'

const DAY_MS = 24 * 3_600_000
/** Times are exact to the millisecond, whatever runs past them. */
const MOMENT_MS = 1
const WRONG_OTP = 654_321
const SOURCE = 'the contract: the same key repeats the first reply for 24 hours, and belongs to one operation'

/** A request under a key, and what becomes of it and of another one under the same key. */
interface KeyedRequest {
  readonly operation: Post
  readonly body: object
  readonly other: object
  /** What the first is answered. */
  readonly first: Expectation
  /** What the same request is answered once its key is free again. */
  readonly again: Expectation
  readonly otherAgain: Expectation
}
type Expectation = { readonly status: number; readonly message?: string | RegExp }

const USED = { status: 409, message: /^merchant_reference \(.+\) has already been used$/ }
const OTHER_BODY = { status: 409, message: 'Idempotency-Key has already been used with a different request' }
const TAKEN = { status: 202 }

/** An Idempotency-Key repeats the first reply for 24 hours, and then is free. */
export async function idempotencyKeys(scene: LimitsFixture): Promise<void> {
  const act = scene.act('an Idempotency-Key')
  const keyed = await requests(act)
  // One for all of them: a key belongs to one operation.
  const key = { 'idempotency-key': act.reference() }
  const send = async (which: 'body' | 'other'): Promise<ApiReply[]> => {
    const replies: ApiReply[] = []
    for (const { operation, [which]: body } of keyed) replies.push(await act.post(operation, body, key))
    return replies
  }
  const firsts = await send('body')
  const hold = (
    replies: readonly ApiReply[],
    when: string,
    expected: (each: KeyedRequest) => Expectation,
    replayed: boolean,
  ) => {
    for (const [index, each] of keyed.entries()) {
      const reply = replies[index]
      const rule = `the Idempotency-Key of ${each.operation}, ${when}`
      if (!reply || !act.expect(each.operation, reply, expected(each), rule, SOURCE)) continue
      const says = reply.header('idempotency-replayed')
      const wanted = replayed ? 'true' : undefined
      act.hold(each.operation, says === wanted, rule, `${rule}: Idempotency-Replayed is ${says}, expected is ${wanted}`)
    }
  }
  hold(firsts, 'first', ({ first }) => first, false)
  hold(await send('body'), 'at once', ({ first }) => first, true)
  if (!scene.target.own) return hold(await send('other'), 'with another body', () => OTHER_BODY, false)
  await act.advance(DAY_MS - MOMENT_MS)
  hold(await send('body'), 'a moment before 24 hours', ({ first }) => first, true)
  hold(await send('other'), 'with another body, a moment before 24 hours', () => OTHER_BODY, false)
  await act.advance(2 * MOMENT_MS)
  hold(await send('body'), 'a moment after 24 hours', ({ again }) => again, false)
  hold(await send('other'), 'with another body, a moment after 24 hours', ({ otherAgain }) => otherAgain, false)
}

async function requests(act: LimitsDriver): Promise<readonly KeyedRequest[]> {
  const collection = (): object =>
    bodies.mobileCollection({ merchant_reference: act.reference(), msisdn: act.phone(), amount: 500 })
  const payout = (): object =>
    bodies.mobilePayout({ merchant_reference: act.reference(), account_number: act.phone(), amount: 500 })
  const { data } = await act.collect({ msisdn: act.phone('005') })
  await act.advance(0)
  const usual = { first: TAKEN, again: USED, otherAgain: TAKEN }
  const otp = (password: number): object => ({ internal_reference: data.internal_reference, otp: password })
  // The wrong password has used up a try, so its refusal is kept; a day later nothing waits for a password any more.
  const ended = { status: 409, message: /is not waiting for a one-time password$/ }
  return [
    { operation: 'initializeCollection', body: collection(), other: collection(), ...usual },
    { operation: 'sendFunds', body: payout(), other: payout(), ...usual },
    {
      operation: 'authorizeCollection',
      body: otp(WRONG_OTP),
      other: otp(WRONG_OTP + 1),
      first: INVALID,
      again: ended,
      otherAgain: ended,
    },
  ]
}

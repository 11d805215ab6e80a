import { WRONG_OTP } from '../../driver/customer.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { INVALID } from './passwords.ts'
import type { PostOperation, ApiReply } from '../../driver/requests.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { refusal } from '../../../server/verification/testing/refusal.ts'
import { BODIES, DAY_MS, HOSTED, MOMENT_MS } from './bounds.ts'

/** Equal requests under one key. */
const AT_ONCE = 8
const SOURCE = 'the contract: the same key repeats the first reply for 24 hours, and belongs to one operation'

/** A request under a key, its outcome, and the outcome of another request under the same key. */
interface KeyedRequest {
  readonly operation: PostOperation
  readonly body: object
  readonly other: object
  /** The reply to the first request. */
  readonly first: Expectation
  /** The reply to the same request once its key is free again. */
  readonly again: Expectation
  readonly otherAgain: Expectation
}
type Expectation = { readonly status: number; readonly message?: string | RegExp }

const USED = { status: 409, message: /^merchant_reference \(.+\) has already been used$/ }
const OTHER_BODY = { status: 409, message: refusal('idempotency_key_used') }
const ACCEPTED = { status: 202 }

/** An Idempotency-Key replays the first reply for 24 hours, and then is free. */
export async function idempotencyKeys(fixture: DriverFixture): Promise<void> {
  const driver = fixture.driver('an Idempotency-Key')
  const keyed = await requests(driver)
  // One for all of them: a key belongs to one operation.
  const key = { 'idempotency-key': driver.reference() }
  const send = async (which: 'body' | 'other'): Promise<ApiReply[]> => {
    const replies: ApiReply[] = []
    for (const { operation, [which]: body } of keyed) replies.push(await driver.post(operation, body, key))
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
      if (!reply || !driver.expect(each.operation, reply, expected(each), rule, SOURCE)) continue
      const says = reply.header('idempotency-replayed')
      const wanted = replayed ? 'true' : undefined
      const what = `${rule}: Idempotency-Replayed is ${says}, expected is ${wanted}`
      driver.hold(each.operation, says === wanted, rule, what)
    }
  }
  hold(firsts, 'first', ({ first }) => first, false)
  hold(await send('body'), 'at once', ({ first }) => first, true)
  await repeatsMeanwhile(driver)
  if (!fixture.target.own) return hold(await send('other'), 'with another body', () => OTHER_BODY, false)
  await driver.advance(DAY_MS - MOMENT_MS)
  hold(await send('body'), 'a moment before 24 hours', ({ first }) => first, true)
  hold(await send('other'), 'with another body, a moment before 24 hours', () => OTHER_BODY, false)
  await driver.advance(2 * MOMENT_MS)
  hold(await send('body'), 'a moment after 24 hours', ({ again }) => again, false)
  hold(await send('other'), 'with another body, a moment after 24 hours', ({ otherAgain }) => otherAgain, false)
}

/** A client that repeats before it has an answer gets the first reply, however many repeats are under way. */
async function repeatsMeanwhile(driver: PaymentDriver): Promise<void> {
  // The reply to the first has the address of a page, which its repetitions have too.
  const rows = [
    ['initializeCollection', BODIES.initializeCollection(driver, HOSTED)],
    ['sendFunds', BODIES.sendFunds(driver)],
  ] as const
  for (const [operation, body] of rows) {
    const key = { 'idempotency-key': driver.reference() }
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => driver.post(operation, body, key)))
    const payments = new Set(replies.map(({ status, data }) => (status === 202 ? data['internal_reference'] : status)))
    const rule = `the Idempotency-Key of ${operation}, repeated meanwhile`
    const came = replies.map(({ status, message }) => (status === 202 ? '202' : `${status} "${message}"`)).join(', ')
    const what = `${AT_ONCE} equal requests at once under one Idempotency-Key were answered ${came}: 202 with one internal_reference was expected (${SOURCE})`
    driver.hold(operation, payments.size === 1 && replies[0]?.status === 202, rule, what)
  }
}

async function requests(driver: PaymentDriver): Promise<readonly KeyedRequest[]> {
  const { data } = await driver.collect({ msisdn: driver.phone('005') })
  await driver.advance(0)
  const usual = { first: ACCEPTED, again: USED, otherAgain: ACCEPTED }
  const otp = (password: number): object => ({ internal_reference: data.internal_reference, otp: password })
  // The wrong OTP has used up an attempt, so its refusal is kept; a day later nothing waits for an OTP any more.
  const ended = { status: 409, message: /is not waiting for a one-time password$/ }
  return [
    ...(['initializeCollection', 'sendFunds'] as const).map((operation) => {
      const [body, other] = [BODIES[operation](driver), BODIES[operation](driver)]
      return { operation, body, other, ...usual }
    }),
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

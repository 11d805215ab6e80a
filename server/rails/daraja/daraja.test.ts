import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../testing/scripted-operator.ts'
import {
  CHECKOUT,
  COLLECTS,
  darajaAtTest,
  MSISDN,
  orderOf,
  PAYOUT,
  payoutOf,
  PAYS_OUT,
  PULL,
  PUSH,
  pushed,
  queried,
  QUERY,
  queued,
  refused,
  STATUS,
} from './testing/daraja-at-test.ts'

// Only the repeat says whether a payout has arrived.
test('never repeats a prompt, but repeats a payout to learn whether it arrived', async () => {
  const { adapter } = await darajaAtTest()
  expect(adapter.traitsOf('COLLECTION').repeat).toBe('never')
  expect(adapter.traitsOf('PAYOUT')).toMatchObject({ repeat: 'safe', unanswered: 'repeat' })
})

test('polls come at growing intervals, which the rail account sets', async () => {
  const waits = async (settings: Readonly<Record<string, string>>) => {
    const { adapter } = await darajaAtTest({ settings })
    const secondsOf = (type: 'COLLECTION' | 'PAYOUT') =>
      [0, 1, 2, 50].map((queried) => adapter.traitsOf(type).pollAfterMs(queried) / 1000)
    return [secondsOf('COLLECTION'), secondsOf('PAYOUT')]
  }
  expect(await waits({})).toEqual([
    [20, 40, 80, 600],
    [120, 240, 480, 3600],
  ])
  expect(await waits({ collection_ask_after_seconds: '30', payout_ask_after_seconds: '600' })).toEqual([
    [30, 60, 120, 600],
    [600, 1200, 2400, 3600],
  ])
})

const TOKEN_REFUSED = refused(404, '404.001.03')
/** Replies to a prompt that was accepted, or may have been. */
const TAKEN: readonly ScriptedAnswer[] = [
  pushed(),
  pushed('1'),
  refused(500, '500.001.1001'),
  refused(500, '500.003.02'),
  503,
  200,
  { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } },
  { ...pushed(), delivery: 'truncated' },
  'close_before_reading',
  'close_after_reading',
]
const QUERIED: readonly ScriptedAnswer[] = [
  queried('4999'),
  queried('1313'),
  refused(500, '500.001.1001'),
  TOKEN_REFUSED,
  'close_after_reading',
]

test('whatever gets lost, Safaricom accepts an order at most once', async () => {
  const { operator, adapter, clock } = await darajaAtTest({ settings: { pull: 'yes' } })
  operator.on(PULL, { status: 200, body: { ResponseCode: '1001' } })
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.constantFrom(...TAKEN),
      fc.array(fc.constantFrom(...QUERIED), { minLength: 1, maxLength: 4 }),
      async (tokenRefused, answer, queries) => {
        operator.forget()
        // Token renewals are limited per minute.
        clock.advance(61_000)
        let taken = 0
        const take: ScriptedAnswer = () => {
          taken += 1
          return answer
        }
        // The real API checks the token on every call: only calls that pass the check are accepted.
        operator.on(PUSH, ...(tokenRefused ? [TOKEN_REFUSED] : []), take)
        operator.on(QUERY, ...queries)
        const submitted = await adapter.submit(orderOf())
        for (const _each of queries) {
          await adapter.query(orderOf())
          await adapter.query(orderOf({ externalIds: { CheckoutRequestID: CHECKOUT } }))
        }
        const isAccepted = submitted.answer === 'accepted'
        return taken === 1 && isAccepted === (answer === TAKEN[0]) && (isAccepted || submitted.answer === 'unreachable')
      },
    ),
    { seed: 13, numRuns: 60 },
  )
})

test('recorded calls hold no secret, nothing derived from one, and no plain number', async () => {
  const { operator, adapter, records } = await darajaAtTest({ settings: { pull: 'yes' } })
  operator.on(PUSH, pushed())
  operator.on(QUERY, refused(500, '500.001.1001'))
  operator.on(PULL, refused(500, '500.003.02'))
  operator.on(PAYOUT, queued())
  operator.on(STATUS, queued())
  await adapter.submit(orderOf())
  await adapter.query(orderOf({ externalIds: { CheckoutRequestID: CHECKOUT } }))
  await adapter.submit(payoutOf())
  await adapter.query(payoutOf())
  const bodies = operator.requests.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body) as SentBody]))
  const made = bodies.flatMap(({ Password, SecurityCredential }) => [Password ?? [], SecurityCredential ?? []].flat())
  expect(made).toHaveLength(4)
  const kept = JSON.stringify(records)
  expect(records.map(({ purpose }) => purpose)).toEqual(['token', 'submit', 'ask', 'ask', 'submit', 'ask'])
  for (const secret of [...Object.values(SECRETS), ...made, btoa('the-consumer-key:the-consumer-secret'), 'token-1'])
    expect(kept).not.toContain(secret)
  // Safaricom's ids end with the customer's number; support searches by them.
  expect(kept.replaceAll(CHECKOUT, '')).not.toContain(MSISDN)
})

interface SentBody {
  readonly Password?: string
  readonly SecurityCredential?: string
}
const SECRETS = {
  key: COLLECTS.consumer_key,
  secret: COLLECTS.consumer_secret,
  passkey: COLLECTS.passkey,
  password: PAYS_OUT.initiator_password,
}

import { expect, test } from 'vitest'
import { darajaAtTest, orderOf, PUSH, pushed } from './testing/daraja-at-test.ts'

const refused = (status: number, errorCode: unknown, errorMessage?: unknown) => ({
  status,
  body: { requestId: 'x', errorCode, ...(errorMessage !== undefined && { errorMessage }) },
})
const front = (status: number, errorcode: string, faultstring = 'x') => ({
  status,
  body: { fault: { faultstring, detail: { errorcode } } },
})
const named = (...error: Parameters<typeof refused>) => ({
  ...refused(...error),
  body: { ...refused(...error).body, ...pushed().body },
})
const SPIKE = 'policies.ratelimit.SpikeArrestViolation'

const THROTTLED = [
  ['a spike arrest', refused(500, '500.003.02', 'Spike arrest')],
  ['a spike arrest violation', refused(500, '500.003.02', ' Spike Arrest  Violation. ')],
  ['a spike arrest after its usual words', refused(500, '500.003.02', 'Error Occurred: Spike Arrest Violation')],
  ['the same, spelt as Safaricom does', refused(500, '500.003.02', 'Error Occured : Spike Arrest Violation')],
  ['a quota violation', refused(500, '500.003.03', 'Quota Violation')],
  ['a spike arrest with HTTP 429', refused(429, '500.003.02', 'Spike Arrest Violation')],
  ["the front's spike arrest", front(429, SPIKE)],
  ["the front's spike arrest with HTTP 500", front(500, SPIKE)],
  ["the front's quota", front(429, 'policies.ratelimit.QuotaViolation')],
] as const

test.each(THROTTLED)('with push_throttled, %s was never sent, eight attempts at most', async (_what, answer) => {
  const { operator, adapter } = await darajaAtTest({ settings: { push_throttled: 'not_sent' } })
  operator.on(PUSH, answer)
  expect(await adapter.submit(orderOf())).toEqual({
    answer: 'not_sent',
    error: expect.stringMatching(/^M-PESA answered (500\.003\.0[23]|policies\.ratelimit\.\w+)$/) as string,
    attemptsMax: 8,
  })
  expect(operator.requestsTo(PUSH)).toHaveLength(1)
})

test('a spike arrest is unknown by default', async () => {
  const { operator, adapter } = await darajaAtTest()
  operator.on(PUSH, THROTTLED[0][1])
  expect(await adapter.submit(orderOf())).toMatchObject({ answer: 'unreachable' })
})

test.each([
  ['other words', refused(500, '500.003.02', 'text')],
  ['a busy system', refused(500, '500.003.02', 'System is busy. Please try again in a few minutes.')],
  ['no words', refused(500, '500.003.02')],
  ['null as words', refused(500, '500.003.02', null)],
  ['words among others', refused(500, '500.003.02', 'System is busy, no Spike Arrest Violation')],
  ["a quota's words with the code of a spike", refused(500, '500.003.02', 'Quota Violation')],
  ['another code', refused(500, '500.003.1001', 'Spike Arrest Violation')],
  ['no code', refused(500, null, 'Spike Arrest Violation')],
  ['HTTP 200', refused(200, '500.003.02', 'Spike Arrest Violation')],
  ['HTTP 503', refused(503, '500.003.02', 'Spike Arrest Violation')],
  ["another code of the front's", front(500, 'steps.javascript.ScriptExecutionFailed', 'Spike Arrest Violation')],
  ["a code of the front's with HTTP 200", front(200, SPIKE)],
  ['a spike arrest that names a prompt', named(500, '500.003.02', 'Spike Arrest Violation')],
  ['HTTP 429 alone', 429],
  ['HTTP 429 with a page', { status: 429, body: '<html>', headers: { 'content-type': 'text/html' } }],
] as const)('with push_throttled, %s stays unknown', async (_what, answer) => {
  const { operator, adapter } = await darajaAtTest({ settings: { push_throttled: 'not_sent' } })
  operator.on(PUSH, answer, pushed())
  const got = await adapter.submit(orderOf())
  expect(got).toMatchObject({ answer: 'unreachable' })
  expect(got).not.toHaveProperty('attemptsMax')
  expect(operator.requestsTo(PUSH)).toHaveLength(1)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedClock } from '../verification/testing/gateway.ts'
import { NotSent } from './operator-errors.ts'
import { createTokens, type FetchedToken } from './tokens.ts'

const HOUR_MS = 3_600_000
const RENEW_BEFORE_MS = 600_000

/** An operator whose token replies the test sets, one per call: T1, T2, … or a failure. */
function given({ validForMs = HOUR_MS } = {}) {
  const clock = fixedClock()
  const calls: { readonly at: number; end: (outcome: FetchedToken | Error) => void }[] = []
  const open = new Set<object>()
  let fetched = 0
  const tokens = createTokens({
    clock,
    renewBeforeMs: RENEW_BEFORE_MS,
    fetchToken: () =>
      new Promise((resolve, reject) => {
        const call = {
          at: clock.now().getTime(),
          end(outcome: FetchedToken | Error) {
            open.delete(call)
            if (outcome instanceof Error) reject(outcome)
            else resolve(outcome)
          },
        }
        open.add(call)
        calls.push(call)
      }),
  })
  const nextToken = (): FetchedToken => ({ token: `T${++fetched}`, validForMs })
  return {
    clock,
    tokens,
    calls,
    open,
    end: (outcome: FetchedToken | Error = nextToken()) => calls.at(-1)?.end(outcome),
    /** Fetches a first token. */
    async ready() {
      const first = tokens.token()
      calls.at(-1)?.end(nextToken())
      return first
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('renews a token before its end without delaying anybody', async () => {
  const { clock, tokens, calls, end, ready } = given()
  await ready()
  clock.advance(HOUR_MS - RENEW_BEFORE_MS - 1)
  await tokens.token()
  expect(calls).toHaveLength(1)
  clock.advance(1)
  expect([await tokens.token(), await tokens.token()]).toEqual(['T1', 'T1'])
  expect(calls).toHaveLength(2)
  end()
  await expect.poll(() => tokens.token()).toBe('T2')
})

test('a failed renewal leaves the old token in use until its end', async () => {
  const { clock, tokens, end, ready } = given()
  await ready()
  clock.advance(HOUR_MS - RENEW_BEFORE_MS)
  await tokens.token()
  end(new Error('busy'))
  await settled()
  expect(await tokens.token()).toBe('T1')
  clock.advance(RENEW_BEFORE_MS)
  const later = tokens.token()
  end()
  expect(await later).toBe('T2')
})

test('a token with a shorter life than the renewal margin serves for half of it', async () => {
  const { clock, tokens, calls, ready } = given({ validForMs: 60_000 })
  await ready()
  clock.advance(29_999)
  await tokens.token()
  expect(calls).toHaveLength(1)
  clock.advance(1)
  await tokens.token()
  expect(calls).toHaveLength(2)
})

test('renews a refused token once for all callers; late ones get the new token', async () => {
  const { tokens, calls, end, ready } = given()
  const used = await ready()
  const renewed = Promise.all([tokens.renew(used), tokens.renew(used), tokens.token()])
  end()
  expect(await renewed).toEqual(['T2', 'T2', 'T2'])
  expect(await tokens.renew(used)).toBe('T2')
  expect(calls).toHaveLength(2)
})

test('handles a fetch that throws at once like one that rejects later', async () => {
  const clock = fixedClock()
  const answers = [() => Promise.resolve({ token: 'T1', validForMs: HOUR_MS })]
  const tokens = createTokens({
    clock,
    renewBeforeMs: 0,
    fetchToken: () => {
      const answer = clock.now().getTime() > Date.parse('2026-03-01T08:00:01Z') ? answers.pop() : undefined
      if (!answer) throw new Error('no key')
      return answer()
    },
  })
  await expect(tokens.token()).rejects.toThrow('no token: no key')
  clock.advance(2_000)
  expect(await tokens.token()).toBe('T1')
})

test('renews each token of an operator that forgets them but works in between', async () => {
  const { tokens, calls, end, ready } = given()
  let used = await ready()
  for (let restart = 0; restart < 10; restart += 1) {
    tokens.worked(used)
    const renewed = tokens.renew(used)
    end()
    used = await renewed
    // The success of an older token says nothing about this one.
    tokens.worked('T0')
  }
  expect(calls).toHaveLength(11)
})

const step = fc.oneof(
  fc.record({ do: fc.constant('want' as const) }),
  fc.record({ do: fc.constant('renew' as const), age: fc.nat(3) }),
  fc.record({ do: fc.constant('answer' as const), validForMs: fc.integer({ min: 1, max: 2 * HOUR_MS }) }),
  fc.record({ do: fc.constant('fail' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.nat(HOUR_MS)) }),
)

// No token is used after its end, and no refused one again.
test('any order of events: one call at a time, none in a pause, no stale token used', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, tokens, calls, open, end } = given()
      const now = () => clock.now().getTime()
      const endsAt = new Map<string, number>()
      const refused = new Set<string>()
      const seen: string[] = []
      let failedAt = -Infinity
      const wanted: Promise<void>[] = []
      const want = (queried: Promise<string>, used?: string) => {
        const refusedBefore = new Set(refused)
        const reported = queried.then(
          (token) => {
            expect(endsAt.get(token)).toBeGreaterThan(now())
            expect(token).not.toBe(used)
            expect([...refusedBefore]).not.toContain(token)
            seen.push(token)
          },
          (error: unknown) => expect(error).toBeInstanceOf(NotSent),
        )
        wanted.push(reported)
      }
      for (const each of steps) {
        const callsBefore = calls.length
        if (each.do === 'want') want(tokens.token())
        if (each.do === 'wait') clock.advance(each.ms)
        if (each.do === 'renew') {
          const used = seen.at(-1 - each.age)
          if (used !== undefined) {
            refused.add(used)
            want(tokens.renew(used), used)
          }
        }
        if (calls.length > callsBefore) expect(now() - failedAt).toBeGreaterThanOrEqual(2_000)
        expect(open.size).toBeLessThanOrEqual(1)
        if (open.size > 0 && each.do === 'fail') {
          end(new Error('busy'))
          failedAt = now()
        }
        if (open.size > 0 && each.do === 'answer') {
          // Another test covers a call that takes longer than its token lives.
          const validForMs = each.validForMs + now() - (calls.at(-1)?.at ?? 0)
          const token = `T${endsAt.size + 1}`
          endsAt.set(token, now() + each.validForMs)
          end({ token, validForMs })
        }
        await settled()
      }
      if (open.size > 0) end(new Error('over'))
      await Promise.all(wanted)
    }),
    { numRuns: 300 },
  )
})

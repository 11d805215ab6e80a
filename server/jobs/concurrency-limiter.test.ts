import { expect, test } from 'vitest'
import type { Destination, Outbound } from '../actions/ports/concurrency-limiter.ts'
import type { Job } from '../actions/ports/jobs.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { systemTimers } from '../start/timers.ts'
import { AdaptiveLimiter, type LimiterOptions } from './concurrency-limiter.ts'

const gate = () => Promise.withResolvers<void>()
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const forever = () => new Promise<boolean>(() => undefined)
const prompt = async () => true
const slow = async () => false
const ran = undefined
const turnedAway = { afterMs: expect.any(Number) as number }
const at = (host: string, merchantId = 1n) => ({ host, merchantId, destination: `${merchantId} at ${host}` })

/** Limits per host, and per merchant where a test is about merchants. */
const limiterOf = (
  perHost: LimiterOptions['perHost'],
  { waitMs = 60_000, perMerchant = { runningMax: 1_000, waitingMax: 1_000 } }: Partial<LimiterOptions> = {},
) => {
  const limiter = new AdaptiveLimiter({ capacity: 1_000, perHost, perMerchant, waitMs, awayMs: 0 }, systemTimers)
  return (to: Destination, action: Outbound, prepare: () => Promise<void> = async () => undefined) =>
    limiter.run(to, async () => {
      await prepare()
      return action
    })
}

test('runs up to the limit, queues the next in order, and rejects what must not wait', async () => {
  const limiter = limiterOf({ runningMax: 2, waitingMax: 2 })
  const gates = Array.from({ length: 5 }, gate)
  const started: number[] = []
  const results = gates.map(({ promise }, n) =>
    limiter(at('host'), async () => {
      started.push(n)
      await promise
      return true
    }),
  )
  expect(await results[4]).toEqual(turnedAway)
  expect(started).toEqual([0, 1])
  gates[1]!.resolve()
  await settled()
  expect(started).toEqual([0, 1, 2])
  gates[0]!.resolve()
  await settled()
  expect(started).toEqual([0, 1, 2, 3])
  gates[2]!.resolve()
  gates[3]!.resolve()
  expect(await Promise.all(results.slice(0, 4))).toEqual([ran, ran, ran, ran])
})

test('a host that hangs uses no slot of another', async () => {
  const limiter = limiterOf({ runningMax: 1, waitingMax: 0 })
  void limiter(at('hanging'), forever)
  expect(await limiter(at('hanging'), prompt)).toEqual(turnedAway)
  expect(await limiter(at('other'), prompt)).toBe(ran)
})

test('a merchant whose many hosts hang runs and queues only within its own share', async () => {
  const limiter = limiterOf({ runningMax: 32, waitingMax: 992 }, { perMerchant: { runningMax: 128, waitingMax: 100 } })
  let running = 0
  const results = Array.from({ length: 1_000 }, (_, n) =>
    limiter(at(`${n}.example`), () => {
      running += 1
      return forever()
    }),
  )
  expect(await Promise.all(results.slice(228))).toEqual(Array(772).fill(turnedAway))
  expect(running).toBe(128)
  expect(await limiter(at('other.example', 2n), prompt)).toBe(ran)
  expect(await limiter(at('0.example', 2n), prompt)).toBe(ran)
})

test('a full host holds up no other host of its merchant, and the other way round', async () => {
  const limiter = limiterOf({ runningMax: 1, waitingMax: 9 }, { perMerchant: { runningMax: 2, waitingMax: 9 } })
  const [first, second] = [gate(), gate()]
  const started: string[] = []
  const run = (host: string, merchantId: bigint, until: Promise<void>) =>
    limiter(at(host, merchantId), async () => {
      started.push(`${host} ${merchantId}`)
      await until
      return true
    })
  const results = [
    run('a', 1n, first.promise),
    run('b', 1n, second.promise),
    run('a', 1n, Promise.resolve()),
    run('c', 1n, Promise.resolve()),
    run('b', 2n, Promise.resolve()),
  ]
  await settled()
  expect(started).toEqual(['a 1', 'b 1'])
  second.resolve()
  await settled()
  expect(started).toEqual(['a 1', 'b 1', 'b 2', 'c 1']) // a is still full
  first.resolve()
  expect(await Promise.all(results)).toEqual([ran, ran, ran, ran, ran])
})

test('a slot is freed also when its call fails', async () => {
  const limiter = limiterOf({ runningMax: 1, waitingMax: 0 }, { perMerchant: { runningMax: 1, waitingMax: 0 } })
  await expect(
    limiter(at('host'), async () => {
      throw new Error('reset')
    }),
  ).rejects.toThrow('reset')
  expect(await limiter(at('host'), prompt)).toBe(ran)
})

test('a call that waits too long is rejected and leaves the queues', async () => {
  const limiter = limiterOf(
    { runningMax: 1, waitingMax: 1 },
    { waitMs: 5, perMerchant: { runningMax: 2, waitingMax: 1 } },
  )
  const first = gate()
  const running = limiter(at('host'), () => first.promise.then(prompt))
  expect(await limiter(at('host'), prompt)).toEqual(turnedAway)
  const waiting = limiter(at('host'), prompt)
  first.resolve()
  expect(await Promise.all([running, waiting])).toEqual([ran, ran])
})

test('a host starts with a small limit; fast replies double it, slow ones halve it', async () => {
  const limiter = limiterOf({ runningMax: 32, waitingMax: 0 })
  const places = async () => {
    const gates: PromiseWithResolvers<void>[] = []
    const tries = Array.from({ length: 40 }, () =>
      limiter(at('host'), async () => {
        const open = gate()
        gates.push(open)
        await open.promise
        throw new Error('tells neither way')
      }),
    )
    await settled()
    for (const { resolve } of gates) resolve()
    await Promise.allSettled(tries)
    return gates.length
  }
  const seen = [await places()]
  for (const answer of [prompt, prompt, slow, slow, slow, slow, prompt, prompt, prompt, prompt]) {
    await limiter(at('host'), answer)
    seen.push(await places())
  }
  expect(seen).toEqual([16, 32, 32, 16, 8, 4, 4, 8, 16, 32, 32])
})

test('nothing waits for a host that was slow, so its backlog holds no capacity', async () => {
  const limiter = limiterOf({ runningMax: 8, waitingMax: 100 })
  await limiter(at('host'), slow)
  const hanging = Array.from({ length: 4 }, () => limiter(at('host'), forever))
  const away = await Promise.all(Array.from({ length: 1_000 }, () => limiter(at('host'), prompt)))
  expect(away.filter((rescheduled) => rescheduled === ran)).toEqual([])
  expect(await Promise.race([...hanging, Promise.resolve('still hanging')])).toBe('still hanging')
})

test('spreads the backlog: jobs rejected later return later, within twenty seconds', async () => {
  const limiter = limiterOf({ runningMax: 1, waitingMax: 0 })
  void limiter(at('host'), forever)
  const away = await Promise.all(Array.from({ length: 4_000 }, () => limiter(at('host'), prompt)))
  const afterMs = away.map((rescheduled) => rescheduled!.afterMs)
  expect(afterMs.slice(0, 5).every((ms) => ms >= 100)).toBe(true)
  expect(afterMs.every((ms, n) => n === 0 || ms >= afterMs[n - 1]! - 50)).toBe(true) // time passes meanwhile
  expect(afterMs[100]).toBeGreaterThan(20 * afterMs[0]!)
  expect(afterMs.at(-1)).toBe(20_000)
})

test('a host that recovers gets requests again soon, whatever its backlog was', async () => {
  const limiter = limiterOf({ runningMax: 8, waitingMax: 0 })
  await limiter(at('host'), slow)
  await limiter(at('host'), slow)
  const [first, ...others] = [gate(), gate(), gate(), gate()].map((open) => ({
    open,
    ran: limiter(at('host'), () => open.promise.then(prompt)),
  }))
  const away = await Promise.all(Array.from({ length: 10_000 }, () => limiter(at('host'), prompt)))
  expect(away.at(-1)!.afterMs).toBe(20_000)
  first!.open.resolve()
  await first!.ran
  void limiter(at('host'), forever)
  const full = [forever, forever, forever, forever].map((hang) => limiter(at('host'), hang))
  expect((await limiter(at('host'), prompt))!.afterMs).toBeLessThan(1_000)
  expect(full).toHaveLength(others.length + 1)
})

test('a briefly slow server gets requests again after few replies, despite rejections', async () => {
  let elapsedMs = 0
  const timers = { elapsedMs: () => elapsedMs, after: (_ms: number, run: () => void) => (setImmediate(run), () => {}) }
  const share = { runningMax: 8, waitingMax: 0 }
  const limiter = new AdaptiveLimiter(
    { capacity: 1_000, perHost: share, perMerchant: share, waitMs: 0, awayMs: 0 },
    timers,
  )
  const to = at('host')
  const answer = (afterMs: number, wasPrompt: boolean) =>
    limiter.run(to, async () => async () => {
      elapsedMs += afterMs
      return wasPrompt
    })
  await answer(50, true)
  await answer(3_100, false)
  for (let n = 0; n < 8; n += 1) void limiter.run(to, async () => forever)
  const away = await Promise.all(Array.from({ length: 500 }, () => limiter.run(to, async () => prompt)))
  expect(away.at(-1)!.afterMs).toBe(20_000)
  const job: Job = { id: 1n, kind: 'deliverCallback', subjectId: 1n, attempt: 1, token: '0', failures: 0, ...to }
  limiter.claimed([job], 64, undefined)
  limiter.ended([job])
  const quota = () => limiter.quota()?.of.get(to.destination)
  expect(quota()).toBe(0)
  elapsedMs += 4 * (90 + (3_100 - 90) * 0.2) + 1 // by average latency: initial 100 ms, 50, 3,100
  expect(quota()).toBe(4)
})

test('a backlog is ours where the server replies promptly and had a free slot', async () => {
  const timers = handTimers()
  const quota = { runningMax: 8, waitingMax: 0 }
  const limiter = new AdaptiveLimiter(
    { capacity: 1_000, perHost: quota, perMerchant: quota, waitMs: 0, awayMs: 0 },
    timers,
  )
  const to = at('host')
  const job: Job = { id: 1n, kind: 'deliverCallback', subjectId: 1n, attempt: 1, token: '0', failures: 0, ...to }
  expect(limiter.ready()).toBeUndefined()
  limiter.claimed(Array<Job>(16).fill(job), 64, undefined)
  expect(limiter.ready()).toEqual([]) // It has never replied.
  await limiter.run(to, async () => prompt)
  expect(limiter.ready()).toEqual([to.destination])
  for (let n = 0; n < 8; n += 1) void limiter.run(to, async () => forever)
  await timers.pass(499)
  expect(limiter.ready()).toEqual([to.destination])
  await timers.pass(1)
  expect(limiter.ready()).toEqual([])
})

test('a call without hope of a slot is not prepared, and preparing uses no slot', async () => {
  const limiter = limiterOf({ runningMax: 1, waitingMax: 1 })
  const prepared: string[] = []
  const preparing =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async () => {
      prepared.push(name)
      await until
    }
  const signing = gate()
  const first = limiter(at('host'), prompt, preparing('first', signing.promise))
  expect(await limiter(at('host'), prompt, preparing('second'))).toBe(ran)
  signing.resolve()
  expect(await first).toBe(ran)
  void limiter(at('host'), forever, preparing('third'))
  void limiter(at('host'), forever, preparing('waiting'))
  await settled()
  expect(await limiter(at('host'), prompt, preparing('without hope'))).toEqual(turnedAway)
  expect(prepared).toEqual(['first', 'second', 'third', 'waiting'])
})

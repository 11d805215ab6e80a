import { expect, test } from 'vitest'
import type { Part } from '../actions/ports/operator-parts.ts'
import type { ClaimExclusions, Job, JobKind, JobStore } from '../actions/ports/jobs.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import { createQueues, type JobQueue, type QueueDeps } from './queues.ts'
import { createWorker } from './worker.ts'

const jobOf = (id: bigint, kind: JobKind): Job => ({ id, kind, subjectId: id, attempt: 1, token: '0', failures: 0 })

/**
 * A worker with one queue, over jobs of providers. Each provider's orders go to a rail account of its name, or to
 * none.
 */
function queueOf(given: Pick<JobQueue, 'batchMax' | 'capacity' | 'takesMs'>, installed: readonly string[]) {
  const timers = handTimers()
  const clock = { now: () => new Date(timers.elapsedMs()) }
  const delays: number[] = []
  let due: { readonly item: Job; readonly provider: string; readonly dueAt: Date }[] = []
  const claims: (ClaimExclusions | undefined)[] = []
  const renewed: number[] = []
  const parts: { readonly provider: string; readonly items: number; end(error?: Error): void }[] = []
  let made = 0n
  const add = (provider: string, count = 1): void => {
    for (let n = 0; n < count; n += 1) {
      made += 1n
      due.push({ item: jobOf(made, 'pollRail'), provider, dueAt: clock.now() })
    }
  }
  const providerOf = new Map<bigint, string>()
  const queue: Partial<JobStore> = {
    async claim(_kind, _claim, limit, skipped) {
      claims.push(skipped)
      const taken = due.filter(({ provider }) => !skipped?.providers.includes(provider)).slice(0, limit)
      due = due.filter((one) => !taken.includes(one))
      for (const { item, provider } of taken) providerOf.set(item.id, provider)
      return taken.map(({ item }) => item)
    },
    nextDue: async (kinds) => new Map(due.slice(0, 1).flatMap(({ dueAt }) => kinds.map((kind) => [kind, dueAt]))),
    renew: async (items) => void renewed.push(items.length),
    quarantine: async () => undefined,
  }
  const partOf = (provider: string, items: number): Part => ({
    ...(installed.includes(provider) && { operator: { railAccount: provider, providers: [provider] } }),
    run() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      parts.push({ provider, items, end: (error) => (error ? reject(error) : resolve()) })
      return promise
    },
  })
  const worker = createWorker({
    queues: [
      {
        ...given,
        kind: 'pollRail',
        runsMax: 1,
        run: (items, inParts) => [
          inParts(
            [...Map.groupBy(items, ({ id }) => providerOf.get(id) ?? '')].map(([provider, own]) =>
              partOf(provider, own.length),
            ),
          ),
        ],
      },
    ],
    queue: queue as JobStore,
    clock,
    onDelay: (delayMs) => delays.push(delayMs),
    random: seededRandom('batches'),
    timers,
    reasonOf: String,
    onError: () => undefined,
    onQuarantined: () => undefined,
  })
  return {
    timers,
    add,
    parts,
    claims,
    renewed,
    delays,
    worker,
    begun: () => parts.map(({ provider, items }) => [provider, items]),
  }
}

const ROOM = { batchMax: 10, capacity: 100 }

test('a pending operator call pauses claims for that operator and no other', async () => {
  const { timers, add, parts, claims, worker, begun } = queueOf(ROOM, ['slow', 'prompt'])
  add('slow', 2)
  add('prompt')
  worker.start()
  await timers.pass(1)
  parts[1]?.end()
  add('slow', 3)
  add('prompt', 4)
  await timers.pass(1_000)
  expect(begun()).toEqual([
    ['slow', 2],
    ['prompt', 1],
    ['prompt', 4],
  ])
  expect(claims.at(-1)).toEqual({ railAccounts: ['slow', 'prompt'], providers: ['slow', 'prompt'] })
  // Once it has answered, it gets everything that has accumulated, in one batch.
  parts[0]?.end()
  await timers.pass(1)
  expect(begun().at(-1)).toEqual(['slow', 3])
})

test('a local queue runs one batch at a time; jobs due meanwhile enlarge the next', async () => {
  const { timers, add, parts, claims, worker, begun } = queueOf(ROOM, ['slow'])
  add('simulated')
  add('slow')
  worker.start()
  await timers.pass(1)
  add('simulated', 2)
  await timers.pass(500)
  add('simulated', 3)
  await timers.pass(500)
  expect(begun()).toEqual([
    ['simulated', 1],
    ['slow', 1],
  ])
  expect(claims).toEqual([undefined])
  parts[0]?.end()
  await timers.pass(1)
  expect(begun().slice(2)).toEqual([['simulated', 5]])
})

test('runs a failed part again alone, and waits for its operator again', async () => {
  const { timers, add, parts, claims, worker, begun } = queueOf(ROOM, ['slow'])
  add('slow', 2)
  worker.start()
  await timers.pass(1)
  parts[0]?.end(new Error('one of them is bad'))
  await timers.pass(1)
  expect(begun()).toEqual([
    ['slow', 2],
    ['slow', 1],
  ])
  add('slow')
  await timers.pass(200)
  expect(claims.at(-1)).toEqual({ railAccounts: ['slow'], providers: ['slow'] })
  expect(begun()).toHaveLength(2)
})

test('unresponsive operators use no more than their total capacity', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `operator ${index}`)
  const { timers, add, worker, begun } = queueOf({ batchMax: 10, capacity: 45 }, names)
  worker.start()
  for (const name of names) {
    add(name, 10)
    await timers.pass(200)
  }
  expect(begun()).toHaveLength(4)
})

test('renews the leases of long jobs as long as a run may take, and of no ended one', async () => {
  const { timers, add, parts, renewed, worker } = queueOf({ ...ROOM, takesMs: 100_000 }, ['slow'])
  add('slow', 3)
  worker.start()
  await timers.pass(9_000)
  expect(renewed).toEqual([])
  await timers.pass(40_000)
  expect(renewed).toEqual([3, 3, 3, 3])
  parts[0]?.end()
  await timers.pass(20_000)
  expect(renewed).toHaveLength(4)
  add('slow')
  await timers.pass(2 * 60_000)
  // 30 s from the claim, extended by the same time at each renewal.
  expect(renewed).toHaveLength(4 + 7)
})

test('a stop waits for operators too', async () => {
  const { timers, add, parts, worker } = queueOf(ROOM, ['slow'])
  add('slow')
  worker.start()
  await timers.pass(100)
  let isOver = false
  const stopping = worker.stop(8_000).then(() => (isOver = true))
  await timers.pass(1_000)
  expect(isOver).toBe(false)
  parts[0]?.end()
  await stopping
})

test('reports how long due jobs wait for capacity, and no wait for an operator', async () => {
  const { timers, add, parts, delays, worker } = queueOf({ batchMax: 1, capacity: 100 }, ['slow'])
  add('local')
  worker.start()
  await timers.pass(1)
  add('local')
  await timers.pass(1_600)
  expect(delays).toEqual([300, 800])
  parts[0]?.end()
  await timers.pass(1)
  parts[1]?.end()
  add('slow')
  await timers.pass(200)
  add('slow')
  await timers.pass(5_000)
  expect(delays).toEqual([300, 800, 0])
})

test('each operator-bound queue fits 32 hanging jobs and keeps leases for 3 replies', () => {
  const queues = createQueues(
    () => ({ timers: handTimers(), store: { together: () => undefined } }) as unknown as QueueDeps,
  )
  const withOperators = queues.filter(({ kind }) =>
    ['submitToRail', 'pollRail', 'resolveUnknownOutcome'].includes(kind),
  )
  expect(withOperators).toHaveLength(3)
  for (const { capacity, batchMax, takesMs = 0 } of withOperators) {
    expect(capacity / batchMax).toBeGreaterThan(32)
    expect(takesMs).toBeGreaterThan(3 * 25_000)
  }
})

const CLAIM_MS = 30
const KIND = 'deliverCallback'

/** A queue of callbacks whose claims have the duration and the results given here, on a manual clock. */
async function claiming(got: number[], besideOperators = false, tookMs: number[] = []) {
  let nowMs = 0
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  const claims: number[] = []
  const hangs: Part = {
    operator: { railAccount: 'slow', providers: ['slow'] },
    run: () => new Promise(() => undefined),
  }
  const clock = fixedClock()
  const worker = createWorker({
    queues: [
      {
        kind: KIND,
        batchMax: 64,
        capacity: 1_000,
        destinations: {
          quota: () => ({ each: 16, of: new Map() }),
          claimed: () => undefined,
          ended: () => false,
          ready: () => [],
        },
        run: (items, inParts) => (besideOperators ? [inParts([hangs])] : items.map(async () => undefined)),
      },
    ],
    queue: {
      nextDue: async () => new Map(),
      async claimFairly() {
        claims.push(nowMs)
        nowMs += tookMs.shift() ?? CLAIM_MS
        return Array.from({ length: got.shift() ?? 0 }, (_, n) => jobOf(BigInt(n), KIND))
      },
    } as Partial<JobStore> as JobStore,
    clock,
    random: seededRandom('polls'),
    timers: {
      elapsedMs: () => nowMs,
      after(ms, run) {
        const one = { at: nowMs + ms, run }
        waiting.push(one)
        return () => void (waiting = waiting.filter((other) => other !== one))
      },
    },
    reasonOf: String,
    onError: () => undefined,
    onQuarantined: () => undefined,
  })
  worker.start()
  await settled()
  return {
    claims,
    /** A job is due after this time, and after every wait until then. */
    async dueAfter(ms: number) {
      nowMs += ms
      worker.wake(KIND, clock.now())
      await settled()
    },
    async wait(ms: number) {
      nowMs += ms
      for (const one of waiting.filter(({ at }) => at <= nowMs)) one.run()
      await settled()
    },
  }
}

test('claims the next jobs for a fast server as soon as there is capacity', async () => {
  const { claims, dueAfter } = await claiming([48, 48])
  await dueAfter(1)
  expect(claims).toEqual([0, CLAIM_MS + 1])
})

// The pause is four times as long as the claim.
test('pauses after a fruitless fair claim, and after any beside slow operators', async () => {
  for (const [got, besideOperators] of [
    [[0, 48], false],
    [[48, 48], true],
  ] as const) {
    const { claims, dueAfter, wait } = await claiming([...got], besideOperators)
    await dueAfter(1)
    await wait(4 * CLAIM_MS - 2)
    expect(claims).toEqual([0])
    await wait(1)
    expect(claims).toEqual([0, 5 * CLAIM_MS])
  }
})

// A claim that waited for a busy machine does not lengthen it.
test('the pause counts the cheapest of the last eight fruitless claims', async () => {
  const dear = Array.from({ length: 8 }, () => 200)
  const { claims, dueAfter, wait } = await claiming([], false, [2, 200, ...dear])
  const pauseAfter = async (tookMs: number): Promise<number> => {
    const [before] = claims.slice(-1)
    await dueAfter(1)
    for (let ms = 1; claims.at(-1) === before && ms < 1_000; ms += 1) await wait(1)
    return claims.at(-1)! - before! - tookMs
  }
  expect(await pauseAfter(2)).toBe(4 * 2)
  expect(await pauseAfter(200)).toBe(4 * 2)
  for (let n = 0; n < 7; n += 1) await pauseAfter(200)
  expect(await pauseAfter(200)).toBe(4 * 200)
})

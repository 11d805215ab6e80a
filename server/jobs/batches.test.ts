import { expect, test } from 'vitest'
import type { Part } from '../actions/ports/operator-parts.ts'
import type { ClaimExclusions, Job, JobStore } from '../actions/ports/jobs.ts'
import { handTimers } from '../rails/testing/hand-timers.ts'
import { fixedClock, seededRandom } from '../verification/testing/gateway.ts'
import type { JobQueue } from './queue.ts'
import { createQueues, type QueueDeps } from './queues.ts'
import { createJobLoop } from './loop.ts'

/**
 * A worker with one queue, over jobs of providers. Each provider's orders go to a rail account of its name, or to
 * none.
 */
function queueOf(given: Pick<JobQueue, 'batchMax' | 'capacity' | 'takesMs'>, installed: readonly string[]) {
  const timers = handTimers()
  let due: { readonly item: Job; readonly provider: string }[] = []
  const claims: (ClaimExclusions | undefined)[] = []
  const renewed: number[] = []
  const parts: { readonly provider: string; readonly items: number; end(error?: Error): void }[] = []
  let made = 0n
  const add = (provider: string, count = 1): void => {
    for (let n = 0; n < count; n += 1) {
      made += 1n
      due.push({ item: { id: made, kind: 'pollRail', subjectId: made, attempt: 1, token: '0', failures: 0 }, provider })
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
    nextDue: async (kinds) => new Map(due.length > 0 ? kinds.map((kind) => [kind, new Date(0)]) : []),
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
  const loop = createJobLoop({
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
    clock: fixedClock(),
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
    loop,
    begun: () => parts.map(({ provider, items }) => [provider, items]),
  }
}

const ROOM = { batchMax: 10, capacity: 100 }

test('a pending operator call pauses claims for that operator and no other', async () => {
  const { timers, add, parts, claims, loop, begun } = queueOf(ROOM, ['slow', 'prompt'])
  add('slow', 2)
  add('prompt')
  loop.start()
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
  const { timers, add, parts, claims, loop, begun } = queueOf(ROOM, ['slow'])
  add('simulated')
  add('slow')
  loop.start()
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
  const { timers, add, parts, claims, loop, begun } = queueOf(ROOM, ['slow'])
  add('slow', 2)
  loop.start()
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
  const { timers, add, loop, begun } = queueOf({ batchMax: 10, capacity: 45 }, names)
  loop.start()
  for (const name of names) {
    add(name, 10)
    await timers.pass(200)
  }
  expect(begun()).toHaveLength(4)
})

test('renews the leases of long jobs as long as a run may take, and of no ended one', async () => {
  const { timers, add, parts, renewed, loop } = queueOf({ ...ROOM, takesMs: 100_000 }, ['slow'])
  add('slow', 3)
  loop.start()
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
  const { timers, add, parts, loop } = queueOf(ROOM, ['slow'])
  add('slow')
  loop.start()
  await timers.pass(100)
  let isOver = false
  const stopping = loop.stop(8_000).then(() => (isOver = true))
  await timers.pass(1_000)
  expect(isOver).toBe(false)
  parts[0]?.end()
  await stopping
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

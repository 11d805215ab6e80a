import { expect, test } from 'vitest'
import { mtnCaller } from './mtn-momo/testing/mtn-caller.ts'
import { advance, receiver as startReceiver, simulatedMtn } from './testing/simulated.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TRIES = 21

/** An MTN simulator whose next order is approved and reported to this path. */
async function blockingMtn(blocksReceivers = true) {
  const simulator = await simulatedMtn({ blocksReceivers, auto: true })
  const receiver = await startReceiver(500)
  const mtn = mtnCaller(simulator)
  return {
    simulator,
    receiver,
    paths: () => receiver.received.map(({ path }) => path),
    collect: (path: string) => mtn.collect({}, { 'x-callback-url': receiver.url + path }),
    /** Step by step, as real time passes: the reply to one attempt decides when the next is due. */
    async pass(steps: number, ms: number) {
      for (let step = 0; step < steps; step += 1) await advance(simulator, ms)
    },
  }
}

test('retries a callback 20 times, a second apart', async () => {
  const { paths, collect, pass } = await blockingMtn()
  await collect('/one')
  await pass(1, 2_000)
  expect(paths()).toHaveLength(1)
  await pass(60, 1_000)
  expect(paths()).toHaveLength(TRIES)
})

test('forgets a callback that a retry delivers', async () => {
  const { receiver, paths, collect, pass } = await blockingMtn()
  await collect('/one')
  await pass(3, 1_000)
  receiver.answer = 200
  await pass(60, 1_000)
  expect(paths()).toHaveLength(3)
})

test('blocks a failing host for every order, and delivers all when it is back', async () => {
  const { receiver, paths, collect, pass } = await blockingMtn()
  await collect('/one')
  await pass(22, 1_000)
  await collect('/two')
  await pass(4, 10_000)
  expect(paths()).toEqual(Array.from({ length: TRIES }, () => '/one'))
  receiver.answer = 204
  await pass(1, 2 * MINUTE_MS)
  expect(paths().slice(TRIES)).toEqual(['/one', '/two'])
  await collect('/three')
  await pass(1, 2_000)
  expect(paths().slice(TRIES)).toEqual(['/one', '/two', '/three'])
})

test('blocks for long after 30 attempts, until one is answered', async () => {
  const { simulator, receiver, paths, collect, pass } = await blockingMtn()
  await collect('/one')
  await pass(22, 1_000)
  await pass(31, 2 * MINUTE_MS)
  expect(paths()).toHaveLength(TRIES + 30)
  await pass(3, HOUR_MS)
  expect(paths()).toHaveLength(TRIES + 33)
  receiver.answer = 200
  await pass(2, HOUR_MS)
  expect(paths()).toHaveLength(TRIES + 34)
  const notes = simulator.world.exchanges.all().map(({ note }) => note)
  expect(notes).toContain('short block, try 30')
  expect(notes).toContain('long block, try 34')
})

test('counts a reply after 2 s as none', async () => {
  const { receiver, paths, collect, pass } = await blockingMtn()
  receiver.answer = 'silence'
  await collect('/one')
  await pass(1, 2_000)
  receiver.answer = 200
  await pass(1, 1_000)
  expect(paths()).toEqual(['/one', '/one'])
})

test('sends once and forgets unless blocking is enabled', async () => {
  const { paths, collect, pass } = await blockingMtn(false)
  await collect('/one')
  await pass(10, MINUTE_MS)
  expect(paths()).toEqual(['/one'])
})

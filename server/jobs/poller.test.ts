import { expect, test } from 'vitest'
import type { JobQueue, QueueSurroundings } from './queue.ts'
import { createPolls } from './poller.ts'

const CLAIM_MS = 30
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A queue of callbacks whose claims have the duration and the results given here, on a manual clock. */
async function lookingAt(got: number[], besideOperators = false, tookMs: number[] = []) {
  let nowMs = 0
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  const timers = {
    elapsedMs: () => nowMs,
    after(ms: number, run: () => void) {
      const one = { at: nowMs + ms, run }
      waiting.push(one)
      return () => void (waiting = waiting.filter((other) => other !== one))
    },
  }
  const claims: number[] = []
  const polls = createPolls(
    { kind: 'deliverCallback' } as JobQueue,
    { timers, onError: () => undefined } as unknown as QueueSurroundings,
    {
      room: () => 64,
      claim: async () => {
        claims.push(nowMs)
        nowMs += tookMs.shift() ?? CLAIM_MS
        return got.shift() ?? 0
      },
      isCostly: (taken) => besideOperators || taken === 0,
    },
  )
  polls.start()
  await settled()
  return {
    claims,
    /** Capacity is free again after this time, and after every wait until then. */
    async roomAfter(ms: number) {
      nowMs += ms
      polls.poll()
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
  const { claims, roomAfter } = await lookingAt([48, 48])
  await roomAfter(1)
  expect(claims).toEqual([0, CLAIM_MS + 1])
})

// The pause is four times as long as the claim.
test('pauses after a fruitless fair claim, and after any beside slow operators', async () => {
  for (const [got, besideOperators] of [
    [[0, 48], false],
    [[48, 48], true],
  ] as const) {
    const { claims, roomAfter, wait } = await lookingAt([...got], besideOperators)
    await roomAfter(1)
    await wait(4 * CLAIM_MS - 2)
    expect(claims).toEqual([0])
    await wait(1)
    expect(claims).toEqual([0, 5 * CLAIM_MS])
  }
})

// A claim that waited for a busy machine does not lengthen it.
test('the pause counts the cheapest of the last eight fruitless claims', async () => {
  const dear = Array.from({ length: 8 }, () => 200)
  const { claims, roomAfter, wait } = await lookingAt([], false, [2, 200, ...dear])
  const pauseAfter = async (tookMs: number): Promise<number> => {
    const [before] = claims.slice(-1)
    await roomAfter(1)
    for (let ms = 1; claims.at(-1) === before && ms < 1_000; ms += 1) await wait(1)
    return claims.at(-1)! - before! - tookMs
  }
  expect(await pauseAfter(2)).toBe(4 * 2)
  expect(await pauseAfter(200)).toBe(4 * 2)
  for (let n = 0; n < 7; n += 1) await pauseAfter(200)
  expect(await pauseAfter(200)).toBe(4 * 200)
})

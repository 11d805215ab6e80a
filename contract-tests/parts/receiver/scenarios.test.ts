import { expect, test } from 'vitest'
import { ACKNOWLEDGING, REFUSING, STOPPING } from './replies.ts'
import { scenarios } from './scenarios.ts'

const own = { seed: 1, size: 'pull-request', canWait: true, run: 1 } as const

test('the same seed makes the same payments, another seed makes others', () => {
  expect(scenarios(own)).toEqual(scenarios(own))
  expect(scenarios({ ...own, seed: 2 })).not.toEqual(scenarios(own))
})

test('two runs of one seed share no account number and so no daily limit', () => {
  const accounts = [1, 2].flatMap((run) => scenarios({ ...own, run }).map(({ account }) => account))
  expect(new Set(accounts).size).toBe(accounts.length)
})

test.each([1, 2, 3])('every documented test number and every reply occurs with seed %d', (seed) => {
  const all = scenarios({ ...own, seed })
  const endings = new Set(all.filter(({ callbacks }) => callbacks.length === 1).map(({ account }) => account.slice(-3)))
  for (const ending of ['001', '002', '003', '004', '005', '006', '007', '008', '009', '010', '123', '456'])
    expect(endings).toContain(ending)
  const first = new Set(all.map(({ callbacks }) => callbacks[0]))
  for (const reply of [...ACKNOWLEDGING, ...REFUSING]) expect(first).toContain(reply)
  const last = new Set(all.map(({ callbacks }) => callbacks.at(-1)))
  for (const reply of STOPPING) expect(last).toContain(reply)
})

test('without a movable clock nothing waits longer than the first retry', () => {
  for (const { callbacks, handshakes, finalAfterMs } of scenarios({ ...own, canWait: false })) {
    expect(Math.max(callbacks.length, handshakes.length)).toBeLessThanOrEqual(2)
    expect(finalAfterMs).toBe(0)
  }
})

import { expect, test } from 'vitest'
import { ACKNOWLEDGING, REFUSING, statusOf, STOPPING } from '../../driver/merchant-replies.ts'
import { scenarios } from './scenarios.ts'

const own = { seed: 1, size: 'pull-request', canWait: true, run: 1 } as const

test('two runs of one seed share no account number and so no daily limit', () => {
  const accounts = [1, 2].flatMap((run) => scenarios({ ...own, run }).map(({ account }) => account))
  expect(new Set(accounts).size).toBe(accounts.length)
})

test.each([1, 2, 3])('every documented test number and every reply occurs with seed %d', (seed) => {
  const all = scenarios({ ...own, seed })
  const endings = all.filter(({ callbacks }) => callbacks.length === 1).map(({ account }) => account.slice(-3))
  const documented = ['001', '002', '003', '004', '005', '006', '007', '008', '009', '010', '123', '456']
  expect(endings).toEqual(expect.arrayContaining(documented))
  expect(all.map(({ callbacks }) => callbacks[0])).toEqual(expect.arrayContaining([...ACKNOWLEDGING, ...REFUSING]))
  expect(all.map(({ callbacks }) => callbacks.at(-1))).toEqual(expect.arrayContaining([...STOPPING]))
})

test('every documented status answers a handshake first', () => {
  const first = scenarios(own).flatMap(({ handshakes: [reply] }) => (reply ? [statusOf(reply)] : []))
  const refusing = [400, 403, 404, 408, 410, 425, 429, 500, 501, 502, 503]
  expect(first).toEqual(expect.arrayContaining([200, 201, 204, 301, 302, 303, 307, 308, ...refusing]))
})

test('without a movable clock nothing waits longer than the first retry', () => {
  for (const { callbacks, handshakes, finalAfterMs } of scenarios({ ...own, canWait: false })) {
    expect(Math.max(callbacks.length, handshakes.length)).toBeLessThanOrEqual(2)
    expect(finalAfterMs).toBe(0)
  }
})

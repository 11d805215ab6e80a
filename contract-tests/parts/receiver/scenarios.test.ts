import { expect, test } from 'vitest'
import { ACKNOWLEDGING, REFUSING, statusOf, STOPPING } from '../../driver/merchant-replies.ts'
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

test('every documented status answers a handshake first', () => {
  const first = new Set(scenarios(own).flatMap(({ handshakes: [reply] }) => (reply ? [statusOf(reply)] : [])))
  for (const status of [200, 201, 204, 301, 302, 303, 307, 308, 400, 403, 404, 408, 410, 425, 429, 500, 501, 502, 503])
    expect(first).toContain(status)
})

test('every redirect has a Location', () => {
  const redirects = [...scenarios(own)]
    .flatMap(({ handshakes, callbacks }) => [...handshakes, ...callbacks])
    .filter((reply) => [301, 302, 303, 307, 308].includes(statusOf(reply) ?? 0))
  expect(redirects.filter((reply) => !('headers' in reply && reply.headers?.['location']))).toEqual([])
})

test('without a movable clock nothing waits longer than the first retry', () => {
  for (const { callbacks, handshakes, finalAfterMs } of scenarios({ ...own, canWait: false })) {
    expect(Math.max(callbacks.length, handshakes.length)).toBeLessThanOrEqual(2)
    expect(finalAfterMs).toBe(0)
  }
})

import { expect, test } from 'vitest'
import type { Rail, RailOrder, Repeat } from '../actions/ports/rail.ts'
import { money } from '../domain/money.ts'
import type { Timers } from '../actions/ports/timers.ts'
import { railByProvider } from './rails-by-provider.ts'

const rail = (repeat: Repeat, submit: Rail['submit']): Rail => ({
  traitsOf: () => ({ repeat, pollAfterMs: () => 1 }),
  submit,
  query: async (orders) => orders.map(() => ({ knows: 'in_progress' })),
})
const accepts: Rail['submit'] = async (orders) => orders.map(() => ({ answer: 'accepted' }))
const fails: Rail['submit'] = () => Promise.reject(new TypeError('broken'))
const order = (providerCode: string, n = 1): RailOrder => ({
  internalReference: `MLP-${providerCode}-${n}`,
  orderId: `${providerCode}-${n}`,
  type: 'COLLECTION',
  providerCode,
  account: '256772000123',
  amount: money(5_000n, 'UGX'),
  externalIds: {},
})
/** Every timer fires at once. */
const hurried: Timers = {
  after(_ms, run) {
    const timer = setTimeout(run, 10)
    return () => clearTimeout(timer)
  },
  elapsedMs: () => 0,
}
const patient: Timers = { after: () => () => undefined, elapsedMs: () => 0 }

test('replies keep the order of the queries, whichever rail gave them', async () => {
  const received: string[] = []
  const listening = (name: string): Rail =>
    rail('safe', async (orders) => {
      received.push(`${name}: ${orders.map(({ orderId }) => orderId).join()}`)
      return orders.map(({ orderId }) => ({ answer: 'refused', reason: `${name} ${orderId}` }))
    })
  const all = railByProvider({ rails: { a: listening('A') }, others: listening('others') }, patient)
  expect(await all.submit([order('a', 1), order('b', 1), order('a', 2)])).toEqual(
    ['A a-1', 'others b-1', 'A a-2'].map((reason) => ({ answer: 'refused', reason })),
  )
  expect(received).toEqual(['A: a-1,a-2', 'others: b-1'])
})

test.each(['safe', 'never'] as const)(
  'a rail (%s) that fails beside others is unreachable for its own orders only',
  async (repeat) => {
    const all = railByProvider({ rails: { a: rail(repeat, fails) }, others: rail('safe', accepts) }, patient)
    expect(await all.submit([order('a'), order('b')])).toEqual([
      { answer: 'unreachable', error: 'TypeError: broken' },
      { answer: 'accepted' },
    ])
  },
)

// The failed job finds the one bad order.
test('a rail that fails alone fails the job, but not where that could repeat orders', async () => {
  const alone = (repeat: Repeat) =>
    railByProvider({ rails: { a: rail(repeat, fails) }, others: rail('safe', accepts) }, patient)
  await expect(alone('safe').submit([order('a')])).rejects.toThrow('broken')
  expect(await alone('never').submit([order('a')])).toEqual([{ answer: 'unreachable', error: 'TypeError: broken' }])
})

test('a rail that stays silent or answers too few is unreachable for the rest', async () => {
  const silent = rail('never', () => new Promise(() => undefined))
  const short = rail('safe', async () => [{ answer: 'accepted' }])
  const all = railByProvider({ rails: { a: silent, c: short }, others: rail('safe', accepts) }, hurried)
  expect(await all.submit([order('a'), order('b'), order('c', 1), order('c', 2)])).toEqual([
    { answer: 'unreachable', error: 'RailSilent: no answer within 25 s' },
    { answer: 'accepted' },
    { answer: 'accepted' },
    { answer: 'unreachable', error: 'the rail gave no answer' },
  ])
})

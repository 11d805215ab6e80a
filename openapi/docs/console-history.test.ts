import { expect, test } from 'vitest'
import { forgetExchanges, storeExchange, storedExchanges, type HistoryEntry } from './console/history.ts'

const NAME = 'malipo-docs-console-history'
const one: HistoryEntry = {
  at: '2026-01-02T03:04:05.000Z',
  operationId: 'authorizeCollection',
  parameters: { 'x-api-version': '1' },
  body: '{"internal_reference":"MLP"}',
  isShortened: false,
  status: 202,
  statusText: 'Accepted',
  headers: [['x-request-id', 'req_1']],
  reply: '{}',
}

function storeWith(text?: string) {
  const values = new Map(text === undefined ? [] : [[NAME, text]])
  return {
    values,
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
}

test('keeps the last twenty exchanges, newest first, until the reader clears them', () => {
  const store = storeWith()
  for (let turn = 1; turn <= 22; turn++) storeExchange(store, { ...one, reply: String(turn) })
  expect(storedExchanges(store).map(({ reply }) => Number(reply))).toEqual(
    Array.from({ length: 20 }, (_, at) => 22 - at),
  )
  forgetExchanges(store)
  expect(storedExchanges(store)).toEqual([])
})

test.each(['{"internal_reference":"MLP","otp":987654}', '{"otp":987654,', '{"otp":"987654"}'])(
  'stores no OTP from %s',
  (body) => {
    const store = storeWith()
    const [kept] = storeExchange(store, { ...one, body })
    expect(kept?.isShortened).toBe(true)
    expect(store.values.get(NAME)).not.toContain('987654')
  },
)

test('stores a body without an OTP as written, and cuts off a long reply', () => {
  const [kept] = storeExchange(storeWith(), { ...one, body: '{ "a": }', reply: 'x'.repeat(9_000) })
  expect(kept).toMatchObject({ body: '{ "a": }', isShortened: false })
  expect(kept?.reply).toHaveLength(8_000)
})

test.each(['', 'null', '{}', '[1, null, {"at": 5}]', '[{"at":"x","operationId":"y"}]'])(
  'ignores %s, which another program has stored',
  (text) => expect(storedExchanges(storeWith(text))).toEqual([]),
)

test('works in a browser that stores nothing, or whose storage is full', () => {
  const refuses = (): never => {
    throw new DOMException('no', 'QuotaExceededError')
  }
  const store = { getItem: refuses, setItem: refuses, removeItem: refuses }
  expect(storeExchange(store, one)).toEqual([one])
  forgetExchanges(store)
})

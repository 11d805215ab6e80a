import { expect, test } from 'vitest'
import { forgetExchanges, keepExchange, keptExchanges, type HistoryEntry } from './console/history.ts'

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

test('the last twenty are kept, the newest first, and forgotten when somebody wants it', () => {
  const store = storeWith()
  for (let turn = 1; turn <= 22; turn++) keepExchange(store, { ...one, reply: String(turn) })
  expect(keptExchanges(store).map(({ reply }) => Number(reply))).toEqual(Array.from({ length: 20 }, (_, at) => 22 - at))
  forgetExchanges(store)
  expect(keptExchanges(store)).toEqual([])
})

test.each(['{"internal_reference":"MLP","otp":987654}', '{"otp":987654,', '{"otp":"987654"}'])(
  'no password is kept of %s',
  (body) => {
    const store = storeWith()
    const [kept] = keepExchange(store, { ...one, body })
    expect(kept?.isShortened).toBe(true)
    expect(store.values.get(NAME)).not.toContain('987654')
  },
)

test('a body without a password stays as it was written, and a reply is cut where it is long', () => {
  const [kept] = keepExchange(storeWith(), { ...one, body: '{ "a": }', reply: 'x'.repeat(9_000) })
  expect(kept).toMatchObject({ body: '{ "a": }', isShortened: false })
  expect(kept?.reply).toHaveLength(8_000)
})

test.each(['', 'null', '{}', '[1, null, {"at": 5}]', '[{"at":"x","operationId":"y"}]'])(
  'what somebody else wrote there, %s, counts as nothing',
  (text) => expect(keptExchanges(storeWith(text))).toEqual([]),
)

test('a browser that keeps nothing, or is full, is no fault', () => {
  const refuses = (): never => {
    throw new DOMException('no', 'QuotaExceededError')
  }
  const store = { getItem: refuses, setItem: refuses, removeItem: refuses }
  expect(keepExchange(store, one)).toEqual([one])
  forgetExchanges(store)
})

import { expect, test } from 'vitest'
import { fieldAt, listOf, textOf } from './foreign-fields.ts'

test('reads a field by its path and nothing that is inherited', () => {
  expect(fieldAt({ Result: { ResultCode: 0 } }, 'Result', 'ResultCode')).toBe(0)
  for (const value of [null, 'text', { Result: null }, { Result: [] }, {}])
    expect(fieldAt(value, 'Result', 'ResultCode')).toBeUndefined()
  expect(fieldAt({}, 'toString')).toBeUndefined()
})

test('reads texts and numbers as text', () => {
  expect([textOf(' OAK1 '), textOf(1032), textOf(''), textOf('  '), textOf(null), textOf(true), textOf({})]).toEqual([
    'OAK1',
    '1032',
    ...Array<undefined>(5).fill(undefined),
  ])
})

test('removes from a text what no database accepts', () =>
  expect([textOf('a\0b'), textOf('\0'), textOf('\ud800')]).toEqual(['ab', undefined, '\ufffd']))

test('reads a single object where a list is documented', () => {
  expect([listOf([1, 2]), listOf({ a: 1 }), listOf(null), listOf('text')]).toEqual([[1, 2], [{ a: 1 }], [], []])
})

import { expect, test } from 'vitest'
import { changed } from './changed.ts'

const contract = { info: { title: 'Shop' }, tags: ['a', 'b', 'c'], paths: { '/orders': { get: { summary: 'Lists' } } } }

test('replaces one place, keeps the order, and leaves the original unchanged', () => {
  const before = JSON.stringify(contract)
  expect(JSON.stringify(changed(contract, ['info', 'title'], 'Market'))).toBe(before.replace('Shop', 'Market'))
  expect(changed(contract, ['tags', 1], 'x')).toMatchObject({ tags: ['a', 'x', 'c'] })
  expect(changed(contract, [], 7)).toBe(7)
  expect(JSON.stringify(contract)).toBe(before)
  expect(changed(contract, ['info', 'title'], 'Market')).toHaveProperty('paths', contract.paths)
})

test('removes a field or an item with undefined', () => {
  expect(changed({ a: 1, b: { c: 2, d: 3 } }, ['b', 'c'], undefined)).toStrictEqual({ a: 1, b: { d: 3 } })
  expect(changed(contract, ['tags', '0'], undefined)).toMatchObject({ tags: ['b', 'c'] })
})

test('creates missing objects on the path, and does not write into a plain value', () => {
  expect(changed({}, ['extra', 'branch'], '1')).toEqual({ extra: { branch: '1' } })
  expect(() => changed(contract, ['info', 'title', 'length'], 1)).toThrow('"Shop" cannot hold length')
})

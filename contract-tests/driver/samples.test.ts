import { expect, test } from 'vitest'
import { parseContract } from '../../openapi/reading/contract.ts'
import { edgesOf } from '../parts/declared/edges.ts'
import { sampleOf } from './samples.ts'

const contract = parseContract(JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }))

test.each([
  { type: 'string', pattern: '^PCL-[0-9]{6}$' },
  { type: 'string', pattern: '^[A-Z]{2}[0-9]{9}[A-Z]{2}$', maxLength: 13 },
  { type: 'string', pattern: '^\\d+$', minLength: 4 },
  { type: 'string', format: 'uuid' },
])('makes a valid value of %j', (schema) => {
  const value = sampleOf(contract, schema)
  expect(contract.faultIn(schema, value)).toBeUndefined()
  expect(encodeURIComponent(String(value))).toBe(value)
})

test('makes no value where none is known', () => {
  expect(sampleOf(contract, { type: 'string', pattern: '^(?=a)b$' })).toBeUndefined()
})

test.each([
  [{ type: 'integer', minimum: 1, maximum: 50 }, [1, 0, 50, 51]],
  [{ type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 }, [[1, 1], [1, 1, 1], []]],
  [{ type: ['string', 'null'] as never, maxLength: 3 }, [null]],
  [{ type: 'string', minLength: 3, maxLength: 4 }, ['aaaa', 'aa']],
])('the values at the limits of %j', (schema, values) => {
  expect(edgesOf(contract, schema).map(({ value }) => value)).toEqual(values)
})

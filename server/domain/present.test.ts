import { expect, test } from 'vitest'
import { present } from './present.ts'

test.each([0, 0n, '', false])('%o is present', (value) => expect(present(value, 'a value')).toBe(value))

test.each([undefined, null])('%s is missing, and named', (value) => {
  expect(() => present(value, 'the new merchant')).toThrow('missing: the new merchant')
})

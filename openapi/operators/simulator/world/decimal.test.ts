import { expect, test } from 'vitest'
import { fromUnits, isAmount, toUnits } from './decimal.ts'

test.each(['0', '5000', '0.5', '12.0001', '90071992547409931.25'])('keeps %s as it is', (text) => {
  expect(fromUnits(toUnits(text))).toBe(text)
})

test('drops needless zeros, and allows a balance below zero', () => {
  expect(fromUnits(toUnits('10.50'))).toBe('10.5')
  expect(fromUnits(toUnits('1') - toUnits('1.25'))).toBe('-0.25')
})

test.each(['', '.5', '1.23456', '1e3', ' 1', '1,5'])('"%s" is no amount', (text) => {
  expect(isAmount(text)).toBe(false)
  expect(() => toUnits(text)).toThrow(RangeError)
})

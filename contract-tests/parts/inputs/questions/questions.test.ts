import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../../openapi/reading/contract.ts'
import { seededFractions } from '../../../../server/verification/testing/seeded.ts'
import type { Option } from '../../../driver/provider-options.ts'
import { present } from '../../../harness/part.ts'
import { aloneQuestions, combinedQuestions } from './optional-fields.ts'
import { otherTypeQuestions } from './other-types.ts'
import { paymentKinds } from './payment-kinds.ts'
import { lastState, testNumbers } from './test-numbers.ts'

// `npm run faults` plants what the questions find: a field lost beside another one, `"true"` taken, a shorter text.

const contract = readContract(bundleUrl)
const [collection, ...others] = paymentKinds(contract)
const kind = present(collection, 'a kind of payment')
const MTN: Option = {
  code: 'mtn_ug',
  name: 'MTN',
  type: 'COLLECTION',
  method: 'MOBILE_MONEY',
  currency: 'UGX',
  min: 500,
  max: 3_000_000,
  daily: 7_000_000,
  prefixes: ['77'],
  isActive: true,
  banks: [],
}
const OPTIONS = [MTN, { ...MTN, code: 'airtel_ug' }]

test('reads the four kinds of payments from the contract', () => {
  expect([kind, ...others].map(({ name, operation }) => `${operation}: ${name}`)).toEqual([
    'initializeCollection: a collection by mobile money',
    'initializeCollection: a collection by bank',
    'sendFunds: a payout by mobile money',
    'sendFunds: a payout by bank',
  ])
})

test('every combination is accepted; a payment page alone lacks its redirect_url', () => {
  const combined = combinedQuestions(kind, OPTIONS, { random: seededFractions(1), strength: 2 })
  expect(combined.filter(({ expected }) => expected !== 'accepted')).toEqual([])
  expect(combined.some(({ body }) => body.allow_final_status_change === false && 'customer_name' in body)).toBe(true)
  const alone = aloneQuestions(kind, OPTIONS)
  const refused = alone.filter(({ expected }) => expected !== 'accepted')
  expect(refused.map(({ body, expected }) => [body.mobile_money_hpp, expected])).toEqual([
    [true, { refused: 'redirect_url is required' }],
  ])
})

test('the contract says which spelling of a type is another type', () => {
  const asked = otherTypeQuestions(kind, MTN)
  const taken = asked.filter(({ what, expected }) => /^(amount|charge)/.test(what) && expected === 'accepted')
  expect(taken.map(({ spelled }) => spelled?.text)).toEqual(['500.0', '500.00', '500e0', '5000e-1', 'true', 'false'])
})

test('reads the test numbers and their ends from the page', () => {
  const numbers = testNumbers(contract)
  const of = (ending: string) => numbers.find((number) => number.ending === ending)!
  expect(numbers.map(({ ending }) => ending).join(' ')).toBe('001 123 002 456 003 004 005 006 007 008 009 010')
  expect(['001', '002', '006', '007'].map((ending) => of(ending).states.join())).toEqual([
    'COMPLETED',
    'FAILED',
    'PROCESSING',
    'FAILED,COMPLETED',
  ])
  expect(of('010').seconds).toBe(60)
  expect(lastState(of('007'), {})).toBe('COMPLETED')
  expect(lastState(of('007'), { allow_final_status_change: false })).toBe('FAILED')
})

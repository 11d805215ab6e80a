import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../../../openapi/reading/contract.ts'
import { seededFractions } from '../../../../server/verification/testing/seeded.ts'
import { present } from '../../../harness/part.ts'
import { characterQuestions, lengthQuestions, writtenQuestions } from './free-texts.ts'
import { aloneQuestions, combinedQuestions } from './optional-fields.ts'
import { otherTypeQuestions } from './other-types.ts'
import { paymentKinds } from './payment-kinds.ts'
import type { PaymentOption } from './payment-options.ts'
import { sampled, type Question } from './question.ts'
import { lastState, testNumbers } from './test-numbers.ts'

const contract = readContract(bundleUrl)
const kinds = paymentKinds(contract)
const kindNamed = (name: string) =>
  present(
    kinds.find((kind) => kind.name === name),
    name,
  )
const collection = kindNamed('a collection by mobile money')
const option = (code: string): PaymentOption => ({
  code,
  direction: 'COLLECTION',
  method: 'MOBILE_MONEY',
  currency: 'UGX',
  amount: 500,
  prefixes: ['77'],
  banks: [],
})
const OPTIONS = [option('mtn_ug'), option('airtel_ug')]
const array = { random: seededFractions(1), strength: 2 } as const
const expectedOf = (questions: readonly Question[], what: string) =>
  questions.filter((question) => question.what === what).map(({ expected }) => expected)

test('reads the four kinds of payments from the contract', () => {
  expect(kinds.map(({ name, operation }) => `${operation}: ${name}`)).toEqual([
    'initializeCollection: a collection by mobile money',
    'initializeCollection: a collection by bank',
    'sendFunds: a payout by mobile money',
    'sendFunds: a payout by bank',
  ])
})

test('asks each optional field with each other one, and at each provider', () => {
  const fields = collection.fields
    .filter(({ isRequired, isFree }) => isFree && !isRequired)
    .map(({ path: [name] }) => name)
  const asked = combinedQuestions(contract, collection, OPTIONS, array).map(({ body }) => body)
  for (const [index, one] of fields.entries())
    for (const other of fields.slice(index + 1))
      for (const [hasOne, hasOther] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ] as const)
        if (!(one === 'mobile_money_hpp' && other === 'redirect_url' && !hasOther))
          expect(
            asked.some((body) => one! in body === hasOne && other! in body === hasOther),
            `${one} ${hasOne}, ${other} ${hasOther}`,
          ).toBe(true)
  expect(asked.some((body) => body.allow_final_status_change === false && 'customer_name' in body)).toBe(true)
  for (const { code } of OPTIONS)
    for (const charged of [true, false, undefined])
      expect(asked.some((body) => body.provider_code === code && body.charge_customer === charged)).toBe(true)
})

test('every combination is accepted; a payment page alone lacks its redirect_url', () => {
  const combined = combinedQuestions(contract, collection, OPTIONS, array)
  expect(combined.filter(({ expected }) => expected !== 'accepted')).toEqual([])
  const alone = aloneQuestions(contract, collection, OPTIONS)
  const refused = alone.filter(({ expected }) => expected !== 'accepted')
  expect(refused.map(({ body, expected }) => [body.mobile_money_hpp, expected])).toEqual([
    [true, { refused: 'redirect_url is required' }],
  ])
})

test('the contract says which spelling of a type is another type', () => {
  const asked = otherTypeQuestions(contract, collection, option('mtn_ug'))
  const isRefused = (what: string) => expectedOf(asked, what).map((expected) => expected !== 'accepted')
  expect(['"500"', 'true', '500.0', '500e0', '5000e-1'].map((text) => isRefused(`amount written ${text}`))).toEqual([
    [true],
    [true],
    [false],
    [false],
    [false],
  ])
  expect(isRefused('charge_customer written "true"')).toEqual([true])
  expect(isRefused('charge_customer written true')).toEqual([false])
  expect(isRefused('description written 1234')).toEqual([true])
})

test('asks texts of both bounds, one beyond each, every script, and markup', () => {
  const lengths = lengthQuestions(contract, collection, option('mtn_ug'))
  const of = (length: number) => expectedOf(lengths, `description of ${length} Chinese letters`)
  expect([9, 10, 30, 31].map((length) => of(length).map((expected) => expected === 'accepted'))).toEqual([
    [false],
    [true],
    [true],
    [false],
  ])
  const written = writtenQuestions(contract, collection, option('mtn_ug'))
  const names = new Set(written.map(({ what }) => what.split(' of ')[0]))
  expect(names).toEqual(new Set(['description', 'customer_name', 'customer_email', 'redirect_url', 'card_cipher']))
  const all = [...written, ...characterQuestions(contract, collection, option('mtn_ug'))]
  expect(all.filter(({ expected }) => expected !== 'accepted')).toEqual([])
})

test('asks one question of each group by default, and all of them nightly', () => {
  const all = kinds.slice(0, 2).flatMap((kind) => writtenQuestions(contract, kind, option('mtn_ug')))
  const some = sampled(all, ({ what }) => what, { seed: 1, size: 'pull-request' })
  expect(new Set(some.map(({ what }) => what)).size).toBe(some.length)
  expect(new Set(all.map(({ what }) => what)).size).toBe(some.length)
  expect(sampled(all, ({ what }) => what, { seed: 1, size: 'nightly' })).toEqual(all)
})

test('reads the test numbers and their ends from the page', () => {
  const numbers = testNumbers(contract)
  const of = (ending: string) => numbers.find((number) => number.ending === ending)!
  expect(numbers.map(({ ending }) => ending)).toEqual([
    '001',
    '123',
    '002',
    '456',
    '003',
    '004',
    '005',
    '006',
    '007',
    '008',
    '009',
    '010',
  ])
  expect(['001', '002', '005', '006', '007', '008'].map((ending) => of(ending).states.join())).toEqual([
    'COMPLETED',
    'FAILED',
    'COMPLETED',
    'PROCESSING',
    'FAILED,COMPLETED',
    'COMPLETED',
  ])
  expect(of('010').seconds).toBe(60)
  expect(lastState(of('007'), {})).toBe('COMPLETED')
  expect(lastState(of('007'), { allow_final_status_change: false })).toBe('FAILED')
})

import { expect, test } from 'vitest'
import type { Operation } from 'openapi-backend'
import { requestShapeOf } from './request-shape.ts'

const field = { type: 'string' }
const tag = (value: string) => ({ type: 'string', enum: [value] })
const open = { 'x-empty-is-absent': true }
const schema = {
  discriminator: { propertyName: 'method' },
  oneOf: [
    {
      ...open,
      required: ['reference', 'method', 'amount'],
      properties: {
        reference: field,
        method: tag('WALLET'),
        amount: field,
        note: field,
        bank: { ...open, properties: { code: field, branch: field } },
        extra: {
          ...open,
          required: ['name'],
          properties: { name: field, inner: { ...open, properties: { a: field } } },
        },
      },
    },
    {
      ...open,
      required: ['reference', 'method', 'amount', 'bank'],
      properties: {
        reference: field,
        method: tag('BANK'),
        amount: field,
        parts: { items: { properties: { share: field } } },
        bank: { ...open, required: ['code'], properties: { code: field, branch: field } },
      },
    },
  ],
}
const operationOf = (body: object) =>
  ({ requestBody: { content: { 'application/json': { schema: body } } } }) as unknown as Operation
const { fit, isDeclared } = requestShapeOf(operationOf(schema))!
const whole = { reference: 'R', method: 'WALLET', amount: '1' }

test('an empty text and null are absent, at any depth', () => {
  expect(fit({ ...whole, note: '' })).toEqual({ body: whole })
  expect(fit({ ...whole, note: null })).toEqual({ body: whole })
  expect(fit({ ...whole, method: 'BANK', bank: { code: 'x', branch: null } })).toEqual({
    body: { ...whole, method: 'BANK', bank: { code: 'x' } },
  })
})

test('other empty things are values', () => {
  for (const note of [' ', 0, false, [], {}]) expect(fit({ ...whole, note })).toEqual({ body: { ...whole, note } })
})

test('an optional object without a value counts as absent, at any depth', () => {
  for (const bank of ['', null, {}, { code: null }, { code: '', branch: null }])
    expect(fit({ ...whole, bank })).toEqual({ body: whole })
  for (const extra of [{}, { name: '' }, { inner: {} }, { name: null, inner: { a: '' } }])
    expect(fit({ ...whole, extra })).toEqual({ body: whole })
  const extra = { name: 'n' }
  expect(fit({ ...whole, extra: { ...extra, inner: { a: null } } })).toEqual({ body: { ...whole, extra } })
})

test('takes an object value with its faults; an unknown name is a fault without one', () => {
  for (const bank of [{ code: 'x' }, [], [null], ' ', 0, false])
    expect(fit({ ...whole, bank })).toEqual({ body: { ...whole, bank } })
  expect(fit({ ...whole, extra: { inner: { a: 'x' } } }).missing).toBe('extra.name')
  for (const bank of [{ sort: null }, { code: '', sort: {} }])
    expect(fit({ ...whole, bank })).toEqual({ body: whole, unknown: 'bank.sort' })
})

test('a required object without a value is present, and its own field is missing', () => {
  for (const bank of [{}, { code: null }, { code: '', branch: '' }])
    expect(fit({ ...whole, method: 'BANK', bank }).missing).toBe('bank.code')
})

// With the tag missing or wrong it reports what all branches require.
test('reports the first missing field by declaration, the tag in its place', () => {
  expect(fit({ method: 'WALLET', amount: null }).missing).toBe('reference')
  expect(fit({ reference: 'R', amount: '' }).missing).toBe('method')
  expect(fit({}).missing).toBe('reference')
  expect(fit({ reference: 'R', method: 'CARD' }).missing).toBe('amount')
  expect(fit({ reference: 'R', method: 'CARD', amount: '1' }).missing).toBeUndefined()
  expect(fit({ ...whole, method: 'BANK' }).missing).toBe('bank')
  expect(fit({ ...whole, method: 'BANK', bank: { branch: 'x' } }).missing).toBe('bank.code')
  expect(fit({ reference: 'R', method: 'BANK', bank: {} }).missing).toBe('amount')
})

test('reports an unknown field once and reads it no further', () => {
  expect(fit({ one: 1, ...whole, two: 2 })).toEqual({ body: whole, unknown: 'one' })
  expect(fit({ ...whole, method: 'BANK', bank: { code: 'x', sort: 1 } })).toEqual({
    body: { ...whole, method: 'BANK', bank: { code: 'x' } },
    unknown: 'bank.sort',
  })
  expect(fit(JSON.parse('{"__proto__":{"reference":"R"},"constructor":null}') as object)).toEqual({
    body: {},
    missing: 'reference',
    unknown: '__proto__',
  })
})

test('no name of a body reaches the prototype of all objects', () => {
  const { body } = fit(
    JSON.parse(`{"__proto__":{"note":"x"},"reference":"R","method":"WALLET","amount":"1"}`) as object,
  )
  expect(Object.keys(body)).toEqual(['reference', 'method', 'amount'])
  expect('note' in body).toBe(false)
})

test('where the contract does not say so, empty is a value', () => {
  expect(requestShapeOf(operationOf({ required: ['a'], properties: { a: field } }))!.fit({ a: '' })).toEqual({
    body: { a: '' },
  })
})

test('declares names of any branch, dotted', () => {
  const declared = ['bank', 'bank.code', 'note', 'parts', 'parts[].share']
  expect([...declared, 'code', 'bank.x', 'parts[].x', 'parts.share', ''].filter(isDeclared)).toEqual(declared)
})

test('an operation without a body has no shape', () => expect(requestShapeOf({} as Operation)).toBeUndefined())

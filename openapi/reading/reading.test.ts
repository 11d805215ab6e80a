import { expect, test } from 'vitest'
import { bundleUrl, parseContract, readContract } from './contract.ts'
import { dereferenced, follow, targetOf } from './references.ts'
import { compilerOf } from './validators.ts'
import { pathValues, responseFor, valueOf } from './wire.ts'
import { writtenOperations } from '../testing/written-operations.ts'

const document = {
  a: { $ref: '#/b~1c/0' },
  'b/c': [{ $ref: '#/d%20e' }],
  'd e': { type: 'string', maxLength: 2 },
}

test('follows a reference to its end, through names that a pointer escapes', () =>
  expect(follow(document, document.a)).toBe(document['d e']))
test.each(['#/nothing', '#/b~1c/1', 'other.yaml#/a'])('%s leads nowhere', (ref) =>
  expect(() => targetOf(document, ref)).toThrow(ref),
)
test('applies keywords beside a reference to its place', () =>
  expect(dereferenced(document, { $ref: '#/a', title: 'Here' })).toEqual({ ...document['d e'], title: 'Here' }))
test('compiles a piece of a document alone', () => {
  const validate = compilerOf(document)({ $ref: '#/a' })
  expect(['ab', 'abc', 1].map((value) => validate(value))).toEqual([true, false, false])
})

test("returns the values of a path's template, decoded", () => {
  expect(pathValues('/pets/{id}', '/pets/a%20b')).toEqual(new Map([['id', 'a b']]))
  expect(pathValues('/pets/{id}', '/pets/%')).toEqual(new Map([['id', '%']]))
  expect(['/pets/', '/pets/1/2', '/cats/1'].map((path) => pathValues('/pets/{id}', path))).toEqual(
    Array(3).fill(undefined),
  )
})
test('reads a text as a number or a boolean only in its notation', () =>
  expect(
    [
      ['integer', '12'],
      ['number', '0x1'],
      ['boolean', 'true'],
      ['string', '7'],
    ].map(([type, text]) => valueOf(type, text!)),
  ).toEqual([12, '0x1', true, '7']))

test('the real contract: operations first, with their redirects, then messages', () => {
  const { operations } = readContract(bundleUrl)
  const requested = operations.filter(({ kind }) => kind === 'operation').map(({ id }) => id)
  expect(requested.toSorted()).toEqual(writtenOperations)
  expect(operations.find(({ id }) => id === 'customerRedirect')).toMatchObject({ kind: 'redirect', method: 'GET' })
  expect(operations.filter(({ kind }) => kind === 'message').map(({ id }) => id)).toContain('payoutCallback')
})
test('prefers a response for the status over one for its range', () => {
  const [operation] = parseContract(
    JSON.stringify({ paths: { '/': { get: { operationId: 'x', responses: { '2xx': {}, 201: {} } } } } }),
  ).operations
  expect([200, 201, 404].map((status) => responseFor(operation!, status)?.status)).toEqual(['2XX', '201', undefined])
})

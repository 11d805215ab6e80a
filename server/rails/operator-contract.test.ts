import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bundleUrl, readContract } from '../../openapi/reading/contract.ts'
import { operatorContract, parseOperatorContract, type OperatorReply } from './operator-contract.ts'

const JSON_TYPE = 'application/json'
const reply = (status: number, body: unknown = '', contentType: string | undefined = JSON_TYPE): OperatorReply => ({
  status,
  ...(contentType !== undefined && { contentType }),
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

const ACCOUNT = '256772000123'
const result = {
  externalId: 'x',
  amount: '5000',
  currency: 'UGX',
  payer: { partyIdType: 'MSISDN', partyId: ACCOUNT },
  status: 'PENDING',
}
const mtn = operatorContract('mtn-momo')
const daraja = operatorContract('daraja')
const faultIn = (given: OperatorReply) => mtn.faultInReply('getRequestToPayStatus', given)

test.each([
  ['POST', '/collection/token/', 'createCollectionToken'],
  ['POST', '/collection/token', undefined],
  ['GET', '/collection/token/', undefined],
  ['GET', '/collection/v1_0/requesttopay/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11', 'getRequestToPayStatus'],
  ['GET', '/collection/v1_0/requesttopay/a/b', undefined],
  ['GET', '/', undefined],
])('%s %s is %s', (method, path, operationId) => expect(mtn.operationFor(method, path)).toBe(operationId))

test('a path of its own is found before one with a parameter', () => {
  const pets = parseOperatorContract(
    JSON.stringify({
      paths: { '/{id}': { get: { operationId: 'getPet' } }, '/me': { get: { operationId: 'getMe' } } },
    }),
  )
  expect(['/me', '/you'].map((path) => pets.operationFor('GET', path))).toEqual(['getMe', 'getPet'])
})

test('a declared reply has no fault, whatever the content type says beside its name', () => {
  expect(faultIn(reply(200, result))).toBeUndefined()
  expect(faultIn(reply(200, result, 'Application/JSON; charset=utf-8'))).toBeUndefined()
  expect(faultIn(reply(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }))).toBeUndefined()
  expect(mtn.faultInReply('requestToPay', reply(202, '', undefined))).toBeUndefined()
  expect(mtn.faultInReply('createCollectionToken', reply(411, '<html></html>', 'text/html'))).toBeUndefined()
})

test.each<[string, OperatorReply, string]>([
  ['an undeclared status', reply(302), 'getRequestToPayStatus declares no status 302'],
  ['HTML', reply(200, '<html>256772000123</html>', 'text/html'), 'a content type that status 200 does not declare'],
  ['no content type', reply(200, result, ''), 'a content type that status 200 does not declare'],
  ['an empty body', reply(200), 'no body with status 200'],
  ['a blank body', reply(200, ' \n'), 'no body with status 200'],
  ['half a body', reply(200, JSON.stringify(result).slice(0, -1)), 'the body is no JSON'],
  ['no JSON', reply(200, `${ACCOUNT} is busy`), 'the body is no JSON'],
  ['another kind of value', reply(200, [result]), 'body must be object'],
  ['a missing field', reply(200, { ...result, status: undefined }), "body must have required property 'status'"],
])('%s is a fault, told without what was sent', (_what, given, fault) => expect(faultIn(given)).toBe(fault))

test('bytes that are no text are a fault', () =>
  expect(faultIn({ status: 200, contentType: JSON_TYPE, body: Uint8Array.of(0x22, 0xff, 0x22) })).toBe(
    'the body is not UTF-8',
  ))

test('a body where none is declared is a fault', () =>
  expect(mtn.faultInReply('requestToPay', reply(202, '<html></html>', 'text/html'))).toBe(
    'a body with status 202, which declares none',
  ))

test('a fault names the field and the rule, and no value', () => {
  const fault = faultIn(reply(200, { ...result, payer: { partyIdType: 'MSISDN', partyId: { [ACCOUNT]: ACCOUNT } } }))
  expect(fault).toBe('body/payer/partyId must be string')
})

test('a name that the sender made up is not repeated', () => {
  const counts = parseOperatorContract(
    JSON.stringify({
      paths: {
        '/': {
          get: {
            operationId: 'count',
            responses: {
              200: {
                content: {
                  [JSON_TYPE]: { schema: { properties: { all: { additionalProperties: { type: 'number' } } } } },
                },
              },
            },
          },
        },
      },
    }),
  )
  expect(counts.faultInReply('count', reply(200, { all: { [ACCOUNT]: 'x' } }))).toBe('body/all/* must be number')
})

test('a callback is read by its name and method', () => {
  const body = JSON.stringify(result)
  expect(mtn.readCallback('requestToPayCallback', { method: 'PUT', body })).toEqual({ value: result })
  expect(mtn.readCallback('requestToPayCallback', { method: 'POST', body })).toEqual({ value: result })
  expect(daraja.readCallback('stkPushCallback', { method: 'PUT', body })).toEqual({
    fault: 'no PUT of stkPushCallback is declared',
  })
  expect(daraja.readCallback('stkPushCallback', { method: 'POST', body })).toEqual({
    fault: "body must have required property 'Body'",
  })
  expect(daraja.readCallback('stkPushCallback', { method: 'POST', body: ACCOUNT.slice(1, 3) + 'x' })).toEqual({
    fault: 'the body is no JSON',
  })
  expect(mtn.readCallback('no such', { method: 'POST', body })).toEqual({ fault: 'no POST of no such is declared' })
})

const operators = readdirSync(new URL('../../generated/operators/', import.meta.url)).flatMap((file) =>
  file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : [],
)
describe.each(operators)('%s', (name) => {
  const contract = operatorContract(name)
  const { operations } = readContract(new URL(`operators/${name}.json`, bundleUrl))

  test('every example of a reply is taken', () => {
    for (const { id, responses } of operations.filter(({ kind }) => kind === 'operation'))
      for (const { status, content } of responses)
        for (const { type, examples } of content)
          for (const { name: example, value } of examples)
            expect(
              { id, status, example, fault: contract.faultInReply(id, reply(Number(status), value, type)) },
              example,
            ).toEqual({ id, status, example, fault: undefined })
  })

  test('every example of a callback is taken', () => {
    for (const { name: callback, method, body } of operations.filter(({ kind }) => kind !== 'operation'))
      for (const { name: example, value } of body?.examples ?? [])
        expect(contract.readCallback(callback, { method, body: JSON.stringify(value) }), example).toEqual({ value })
  })
})

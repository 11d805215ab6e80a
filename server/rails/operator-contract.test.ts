import { expect, test } from 'vitest'
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
const TWICE = 'the body has a name twice in one object'
const TYPE_UNKNOWN = 'payer.partyIdType: is not in the list'
const mtn = operatorContract('mtn-momo')
const daraja = operatorContract('daraja')
const read = (given: OperatorReply, operationId = 'getRequestToPayStatus') => mtn.readReply(operationId, given)
const driftIn = (body: unknown, operationId?: string) => {
  const found = read(reply(200, body), operationId)
  return 'fault' in found ? found : found.drift.map(({ field, shape }) => `${field}: ${shape}`)
}

test.each([
  ['POST', '/collection/token/', 'createCollectionToken'],
  ['POST', '/collection/token', undefined],
  ['GET', '/collection/token/', undefined],
  ['GET', '/collection/v1_0/requesttopay/3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11', 'getRequestToPayStatus'],
  ['GET', '/collection/v1_0/requesttopay/a/b', undefined],
  ['GET', '/', undefined],
])('%s %s is %s', (method, path, operationId) => expect(mtn.operationFor(method, path)).toBe(operationId))

test('prefers a literal path to one with a parameter', () => {
  const pets = parseOperatorContract(
    JSON.stringify({
      paths: { '/{id}': { get: { operationId: 'getPet' } }, '/me': { get: { operationId: 'getMe' } } },
    }),
  )
  expect(['/me', '/you'].map((path) => pets.operationFor('GET', path))).toEqual(['getMe', 'getPet'])
})

test('accepts a declared reply, whatever the content type says beside its name', () => {
  expect(read(reply(200, result))).toMatchObject({ value: result, drift: [] })
  expect(read(reply(200, result, 'Application/JSON; charset=utf-8'))).toMatchObject({ drift: [] })
  expect(read(reply(404, { code: 'RESOURCE_NOT_FOUND', message: 'x' }))).toMatchObject({ drift: [] })
  expect(read(reply(202, '', undefined), 'requestToPay')).toMatchObject({ value: undefined, drift: [] })
  expect(read(reply(411, '<html></html>', 'text/html'), 'createCollectionToken')).toMatchObject({ drift: [] })
})

test.each<[string, OperatorReply, string]>([
  ['an undeclared status', reply(302), 'getRequestToPayStatus declares no status 302'],
  ['HTML', reply(200, '<html>256772000123</html>', 'text/html'), 'a content type that status 200 does not declare'],
  ['JSON as a text', reply(200, result, 'text/plain'), 'a content type that status 200 does not declare'],
  ['no content type', reply(200, result, ''), 'a content type that status 200 does not declare'],
  ['HTML as JSON', reply(200, '<html>256772000123</html>'), 'the body is no JSON'],
  ['an empty body', reply(200), 'no body with status 200'],
  ['a blank body', reply(200, ' \n'), 'no body with status 200'],
  ['half a body', reply(200, JSON.stringify(result).slice(0, -1)), 'the body is no JSON'],
  ['no JSON', reply(200, `${ACCOUNT} is busy`), 'the body is no JSON'],
  ['a name twice', reply(200, `{"payer":{"partyId":"${ACCOUNT}","partyId":""}}`), TWICE],
  ['a name twice in a refusal', reply(404, '{"code":"RESOURCE_NOT_FOUND","code":"x"}'), TWICE],
  ['lists in lists', reply(200, '['.repeat(60_000)), 'the body is nested too deep'],
])('refuses %s, and repeats nothing of it', (_what, given, fault) => expect(read(given)).toEqual({ fault }))

test('refuses bytes that are no text', () =>
  expect(read({ status: 200, contentType: JSON_TYPE, body: Uint8Array.of(0x22, 0xff, 0x22) })).toEqual({
    fault: 'the body is not UTF-8',
  }))

test('refuses an HTML page where no body is declared', () =>
  expect(read(reply(202, '<html></html>', 'text/html'), 'requestToPay')).toEqual({
    fault: 'a body with status 202, which declares none',
  }))

test.each<[string, unknown, readonly string[]]>([
  ['a null text', { ...result, payeeNote: null }, ['payeeNote: null in the place of a text']],
  ['a number', { ...result, amount: 5000 }, ['amount: a number in the place of a text']],
  ['a text that is written otherwise', { ...result, amount: 'five' }, ['amount: is written otherwise']],
  ['a null union', { ...result, reason: null }, ['reason: null in the place of a text or an object']],
  ['an unknown form of a union', { ...result, reason: { text: ACCOUNT } }, ['reason.code: is missing']],
  ['a null object', { ...result, payer: null }, ['payer: null in the place of an object']],
  ['a deep value', { ...result, payer: { partyIdType: 'msisdn' } }, ['payer.partyId: is missing', TYPE_UNKNOWN]],
  ['a missing field', { ...result, status: undefined }, ['status: is missing']],
  ['an unknown status', { ...result, status: ACCOUNT }, ['status: is not in the list']],
  ['another kind of body', [result], ['body: a list in the place of an object']],
  ['null', null, ['body: null in the place of an object']],
])('reads %s and says where it differs', (_what, body, drift) => expect(driftIn(body)).toEqual(drift))

test('reports nothing about fields that the contract leaves open', () => {
  expect(driftIn({ ...result, more: ACCOUNT })).toEqual([])
  // Both forms of a refusal in one body.
  expect(read(reply(401, { code: 'X', statusCode: 401, message: 'x' }))).toMatchObject({ drift: [] })
})

test('reports what fits none of several forms', () => {
  expect(read(reply(404, {}))).toMatchObject({ drift: [{ field: 'body', shape: 'has none of the documented forms' }] })
})

test('keeps the digits of a number that is an id, for the adapter too', () => {
  const found = read(reply(200, `{"financialTransactionId":12345678901234567890,"status":"SUCCESSFUL"}`))
  expect(found).toMatchObject({ value: { financialTransactionId: '12345678901234567890' } })
  if ('fault' in found) throw new Error(found.fault)
  expect(JSON.parse(Buffer.from(found.body).toString())).toEqual(found.value)
  expect(found.drift).toContainEqual({
    field: 'financialTransactionId',
    shape: 'a number in the place of a text',
  })
})

test('reads JSON behind a byte order mark', () => {
  const body = `\uFEFF${JSON.stringify(result)}`
  expect(read(reply(200, body))).toMatchObject({ value: result, drift: [] })
  expect(mtn.readCallback('requestToPayCallback', { method: 'PUT', body })).toEqual({ value: result, drift: [] })
})

test('reads JSON where no body is declared', () => {
  const drift = [{ field: 'body', shape: 'is not documented' }]
  expect(read(reply(202, {}), 'requestToPay')).toMatchObject({ value: {}, drift })
})

test('repeats no name that the sender invented', () => {
  const counts = parseOperatorContract(
    JSON.stringify({
      paths: {
        '/': {
          get: {
            operationId: 'count',
            responses: {
              200: {
                content: {
                  [JSON_TYPE]: {
                    schema: {
                      properties: {
                        all: { additionalProperties: { type: 'number' } },
                        list: { items: { properties: { all: { type: 'number' } }, additionalProperties: false } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    }),
  )
  const driftOf = (body: unknown) => {
    const found = counts.readReply('count', reply(200, body))
    return 'fault' in found ? [] : found.drift
  }
  expect(driftOf({ all: { [`${ACCOUNT}/x`]: 'x' } })).toEqual([
    { field: 'all.*', shape: 'a text in the place of a number' },
  ])
  expect(driftOf({ list: [{ all: 1 }, { all: null, [ACCOUNT]: 1 }, { all: null }] })).toEqual([
    { field: 'list[].*', shape: 'is not documented' },
    { field: 'list[].all', shape: 'null in the place of a number' },
  ])
  expect(driftOf({ list: Array.from({ length: 1_000 }, () => ({ [ACCOUNT]: 1 })) })).toHaveLength(1)
})

test('reads a callback by its name and method', () => {
  const body = JSON.stringify(result)
  expect(mtn.readCallback('requestToPayCallback', { method: 'PUT', body })).toEqual({ value: result, drift: [] })
  expect(mtn.readCallback('requestToPayCallback', { method: 'POST', body })).toEqual({ value: result, drift: [] })
  expect(daraja.readCallback('stkPushCallback', { method: 'PUT', body })).toEqual({
    fault: 'no PUT of stkPushCallback is declared',
  })
  expect(daraja.readCallback('stkPushCallback', { method: 'POST', body })).toEqual({
    value: result,
    drift: [{ field: 'Body', shape: 'is missing' }],
  })
  expect(daraja.readCallback('stkPushCallback', { method: 'POST', body: ACCOUNT.slice(1, 3) + 'x' })).toEqual({
    fault: 'the body is no JSON',
  })
  expect(
    mtn.readCallback('requestToPayCallback', { method: 'PUT', body: '{"status":"FAILED","status":"FAILED"}' }),
  ).toEqual({ fault: TWICE })
  expect(mtn.readCallback('no such', { method: 'POST', body })).toEqual({ fault: 'no POST of no such is declared' })
})
